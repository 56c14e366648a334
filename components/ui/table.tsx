import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './table.module.scss';
import { VisuallyHidden } from './visually-hidden';

type TableProps = {
  caption: ReactNode;
  captionHidden?: boolean;
  stickyFirstColumn?: boolean;
  children: ReactNode;
};

export function Table({ caption, captionHidden = false, stickyFirstColumn = false, children }: TableProps) {
  const captionId = useId();
  const look = stickyFirstColumn ? [styles.table, styles.sticky].join(' ') : styles.table;
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
