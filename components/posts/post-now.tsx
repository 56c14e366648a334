import type { SafeHtml } from '@/lib/content/schema';
import { formatDate } from '@/lib/format';
import { Html } from '../ui/html';
import styles from './post-now.module.scss';

/** A post as it stands, of which somebody edits an earlier version. */
export type StoredPost = { version: number; title: string; html: SafeHtml; editedAt: string | null };

type PostNowProps = { post: StoredPost; timeZone: string };

/** What a post says now, beside the text of whoever began to edit what it said before. */
export function PostNow({ post: { title, html, editedAt }, timeZone }: PostNowProps) {
  return (
    <section className={styles.now} aria-label="The post as it is now">
      <p className={styles.label}>
        The post as it is now{editedAt && `, edited ${formatDate(editedAt, { timeZone, style: 'day-time' })}`}
      </p>
      <p className={styles.title}>{title}</p>
      <div className={styles.text} role="region" aria-label="Its text" tabIndex={0}>
        <Html html={html} />
      </div>
    </section>
  );
}
