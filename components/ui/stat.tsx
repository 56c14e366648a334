import type { ReactNode } from 'react';
import type { LinkedTerm } from '@/lib/content/schema';
import styles from './stat.module.scss';
import { Term } from './term';

type StatProps = { label: ReactNode; term?: LinkedTerm; note?: ReactNode; children: ReactNode };

/** One figure with its label, which leads to what it means where it is a term; stands inside Stats. */
export function Stat({ label, term, note, children }: StatProps) {
  return (
    <div className={styles.stat}>
      <dt>
        <Term of={term}>{label}</Term>
      </dt>
      <dd className={styles.figure}>{children}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}
