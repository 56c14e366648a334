import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './table.module.scss';
import { VisuallyHidden } from './visually-hidden';

type TableProps = {
  caption: ReactNode;
  captionHidden?: boolean;
  stickyFirstColumn?: boolean;
  /** On a phone: 'scroll' sideways, or 'stack' the cells of a row, those with a data-label three in a line under it, those with data-none left out. */
  narrow?: 'scroll' | 'stack';
  /** Of many columns, with little between them. */
  dense?: boolean;
  children: ReactNode;
};

export function Table({
  caption,
  captionHidden = false,
  stickyFirstColumn = false,
  narrow = 'scroll',
  dense = false,
  children,
}: TableProps) {
  const captionId = useId();
  const look = [
    styles.table,
    stickyFirstColumn && styles.sticky,
    narrow === 'stack' && styles.stack,
    dense && styles.dense,
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={styles.scroller} role="region" aria-labelledby={captionId} tabIndex={0}>
      <table className={look}>
        <caption id={captionId} className={captionHidden ? undefined : styles.caption}>
          {captionHidden ? <VisuallyHidden>{caption}</VisuallyHidden> : <span>{caption}</span>}
        </caption>
        {children}
      </table>
    </div>
  );
}
