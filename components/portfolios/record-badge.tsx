import styles from './record-badge.module.scss';

type RecordBadgeProps = {
  name: string;
  /** Where the badge is, and its size in pixels. */
  picture: string;
  size: { width: number; height: number };
  /** What is put into a page to show it there. */
  snippets: { frame: string; picture: string };
};

/** The badge of a record, and what its tipster puts into a page of their own to show it there. */
export function RecordBadge({ name, picture, size, snippets }: RecordBadgeProps) {
  return (
    <details className={styles.badge}>
      <summary>Show this record on your own site</summary>
      <p>
        The badge always shows the record as it stands, losing tips included, and links here, where anyone can check it.
        Copy one of these into your page.
      </p>
      <img src={picture} {...size} alt={`The record of ${name} as a badge`} loading="lazy" />
      <label>
        Frame
        <textarea readOnly rows={4} spellCheck={false} value={snippets.frame} />
      </label>
      <label>
        Picture with a link
        <textarea readOnly rows={4} spellCheck={false} value={snippets.picture} />
      </label>
    </details>
  );
}
