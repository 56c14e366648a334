import type { ReactNode } from 'react';
import styles from './noted.module.scss';

/** A selector under what must be known before choosing. */
export function Noted({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <>
      <p className={styles.note}>{note}</p>
      {children}
    </>
  );
}
