import type { ComponentProps } from 'react';
import styles from './figure-cell.module.scss';

type FigureCellProps = Omit<ComponentProps<'td'>, 'className' | 'style'>;

export function FigureCell(props: FigureCellProps) {
  return <td className={styles.figure} {...props} />;
}
