import type { ComponentProps } from 'react';
import styles from './figure-cell.module.scss';

type FigureCellProps = Omit<ComponentProps<'td'>, 'className' | 'style'> & {
  /** What the figure rests on, where the row does not say it. */
  note?: string | undefined;
};

export function FigureCell({ note, children, ...rest }: FigureCellProps) {
  return (
    <td className={styles.figure} {...rest}>
      {children}
      {note && <span className={styles.note}> {note}</span>}
    </td>
  );
}
