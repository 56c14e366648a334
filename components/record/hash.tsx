import styles from './hash.module.scss';

/** A hash, key or signature, shortened where a row has no room; the title has the whole. */
export function Hash({ of: text, whole = false }: { of: string; whole?: boolean }) {
  return whole ? (
    <code className={styles.whole}>{text}</code>
  ) : (
    <code className={styles.short} title={text}>
      {text.slice(0, 8)}…{text.slice(-4)}
    </code>
  );
}
