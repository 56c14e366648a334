import type { SafeHtml } from '@/lib/content/schema';
import styles from './html.module.scss';

type HtmlProps = { html: SafeHtml };

/** The only place where raw markup enters a page. */
export function Html({ html }: HtmlProps) {
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
