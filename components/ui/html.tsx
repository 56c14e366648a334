import styles from './html.module.scss';

/** Text that a sanitiser has made: only it may cast a string to this. */
export type SafeHtml = string & { readonly safe: 'html' };

type HtmlProps = { html: SafeHtml; id?: string };

/** The only place where raw markup enters a page. */
export function Html({ html, id }: HtmlProps) {
  return <div id={id} className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
