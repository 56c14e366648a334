import type { TextPart } from '@/lib/content/rules';
import styles from './content-parts.module.scss';

/** The table of contents of a long text. */
export function ContentParts({ parts }: { parts: readonly TextPart[] }) {
  return (
    <nav aria-labelledby="on-this-page" className={styles.parts}>
      <p id="on-this-page">On this page</p>
      <ol>
        {parts.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
