import type { ReactNode } from 'react';
import styles from './card-row.module.scss';

type CardRowProps = { label: string; children: ReactNode };

/** Cards side by side: a row to scroll on small screens, by keyboard too, and a grid on large ones. Its children are list items. */
export function CardRow({ label, children }: CardRowProps) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <ul className={styles.row} aria-label={label} tabIndex={0}>
      {children}
    </ul>
  );
}
