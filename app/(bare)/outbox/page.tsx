import type { Metadata } from 'next';
import { Mail } from 'lucide-react';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Moment } from '@/components/formats/moment';
import { listOutbox } from '@/lib/api/outbox';
import { callAddress } from '@/lib/calls';
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

/** The mails that wait, as text, and each as it looks on a page of its own; where GET /api/outbox is closed there is no such page. */
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
      {mails.map(({ id, to, subject, text, createdAt, attempts }) => (
        <article key={id} aria-labelledby={`mail-${id}`} className={styles.mail}>
          <h2 id={`mail-${id}`}>{subject}</h2>
          <p className={styles.facts}>
            To {to} · <Moment at={createdAt} style="day-time" timeZone={defaultView.timeZone} /> ·{' '}
            {attempts === 0 ? 'not tried yet' : `tried ${attempts === 1 ? 'once' : `${attempts} times`}`}
          </p>
          <details>
            <summary>As text</summary>
            <pre className={styles.text}>{text}</pre>
          </details>
          <p>
            <a href={callAddress('GET /outbox/{mail}', { params: { mail: id } })} target="_blank" rel="noreferrer">
              As it looks
            </a>
          </p>
        </article>
      ))}
    </div>
  );
}
