import type { Metadata } from 'next';
import { Mail } from 'lucide-react';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Moment } from '@/components/viewing/moment';
import { listOutbox } from '@/lib/api/outbox';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { defaultView } from '@/lib/pages/default-view';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Outbox',
  description: 'The mails that wait to be sent.',
  path: '/outbox',
  index: false,
});

// The policy of our pages lets no style stand in a text.
const withoutStyles = (html: string) => html.replace(/ style="[^"]*"/g, '');

/** The mails that wait, as text and as HTML without its styles; where GET /api/outbox is closed there is no such page. */
export default async function OutboxPage() {
  const mails = await orNotFound(listOutbox());
  return (
    <div className={styles.outbox}>
      <h1>Outbox</h1>
      {mails.length === 0 && (
        <EmptyState icon={<Icon of={Mail} size="large" />} title="No mail waits">
          Mails stand here until a mail server takes them, newest first.
        </EmptyState>
      )}
      {mails.map(({ id, to, subject, text, html, createdAt, attempts }) => (
        <article key={id} aria-labelledby={`mail-${id}`} className={styles.mail}>
          <h2 id={`mail-${id}`}>{subject}</h2>
          <p className={styles.facts}>
            To {to} · <Moment at={createdAt} style="day-time" timeZone={defaultView.timeZone} /> ·{' '}
            {attempts === 0 ? 'not tried yet' : `tried ${attempts} times`}
          </p>
          <details>
            <summary>As text</summary>
            <pre className={styles.text}>{text}</pre>
          </details>
          <details>
            <summary>As HTML</summary>
            <iframe
              title={`${subject}, as HTML`}
              sandbox=""
              srcDoc={withoutStyles(html)}
              loading="lazy"
              className={styles.html}
            />
          </details>
        </article>
      ))}
    </div>
  );
}
