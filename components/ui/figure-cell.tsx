import type { ComponentProps } from 'react';
import styles from './figure-cell.module.scss';

type FigureCellProps = Omit<ComponentProps<'td'>, 'className' | 'style'> & { as?: 'td' | 'th' };

export function FigureCell({ as: Cell = 'td', ...rest }: FigureCellProps) {
  return <Cell className={styles.figure} {...rest} />;
}
