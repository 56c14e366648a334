import type { ReactNode } from 'react';
import styles from './card-row.module.scss';

type CardRowProps = { label: string; look?: 'grid' | 'list'; whenNear?: boolean; children: ReactNode };

/**
 * Cards side by side: a row to scroll on small screens, by keyboard too, and on large ones a grid, or a list where a column is narrow. With
 * `whenNear` a phone lays it out when the reader comes near, for one below the first screen. Its children are list items.
 */
export function CardRow({ label, look = 'grid', whenNear = false, children }: CardRowProps) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <ul
      className={[styles.row, styles[look], ...(whenNear ? [styles.whenNear] : [])].join(' ')}
      aria-label={label}
      tabIndex={0}
    >
      {children}
    </ul>
  );
}
