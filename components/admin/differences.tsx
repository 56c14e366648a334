import type { Difference } from '@/lib/content/rules';
import styles from './differences.module.scss';

type DifferencesProps = { title: string; lines: readonly Difference[]; none: string };

/** How one text became another, line by line: what went and what came are marked by word for those who do not see colour. */
export function Differences({ title, lines, none }: DifferencesProps) {
  return (
    <section className={styles.differences}>
      <h2>{title}</h2>
      {lines.length === 0 ? (
        <p>{none}</p>
      ) : (
        <div className={styles.lines} tabIndex={0} role="group" aria-label={title}>
          {lines.map((line, index) =>
            line.kind === 'skipped' ? (
              <p key={index} className={styles.skipped}>
                {line.lines} lines are the same
              </p>
            ) : line.kind === 'same' ? (
              <p key={index}>{line.text}</p>
            ) : line.kind === 'removed' ? (
              <p key={index}>
                <del>{line.text}</del>
              </p>
            ) : (
              <p key={index}>
                <ins>{line.text}</ins>
              </p>
            ),
          )}
        </div>
      )}
    </section>
  );
}
