import type { ComponentProps } from 'react';
import styles from './figure-cell.module.scss';

type FigureHeadProps = Omit<ComponentProps<'th'>, 'className' | 'style' | 'scope'>;

/** The head of a column of figures, over their ends. */
export function FigureHead(props: FigureHeadProps) {
  return <th className={styles.figure} scope="col" {...props} />;
}
