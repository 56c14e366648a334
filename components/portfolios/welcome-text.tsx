import type { SafeHtml } from '@/lib/content/schema';
import { Html } from '../ui/html';
import styles from './welcome-text.module.scss';

/** How a tipster welcomes those who follow or have a membership, to read again; nothing where nothing was written. */
export function WelcomeText({ title, html }: { title: string; html: SafeHtml | null }) {
  if (html === null) return null;
  return (
    <details className={styles.welcome}>
      <summary>{title}</summary>
      <Html html={html} />
    </details>
  );
}
