import type { SafeHtml } from '@/lib/content/schema';
import styles from './html.module.scss';

type HtmlProps = { html: SafeHtml; id?: string };

/** The only place where raw markup enters a page. */
export function Html({ html, id }: HtmlProps) {
  return <div id={id} className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
