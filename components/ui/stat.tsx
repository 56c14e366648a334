import type { ReactNode } from 'react';
import styles from './stat.module.scss';

type StatProps = { label: ReactNode; note?: ReactNode; children: ReactNode };

/** One figure with its label; stands inside Stats. */
export function Stat({ label, note, children }: StatProps) {
  return (
    <div className={styles.stat}>
      <dt>{label}</dt>
      <dd className={styles.figure}>{children}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}
