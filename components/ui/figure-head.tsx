import type { ComponentProps } from 'react';
import type { LinkedTerm } from '@/lib/content/schema';
import styles from './figure-cell.module.scss';
import { Term } from './term';

type FigureHeadProps = Omit<ComponentProps<'th'>, 'className' | 'style' | 'scope'> & { term?: LinkedTerm };

/** The head of a column of figures, over their ends, which leads to what it means where it is a term. */
export function FigureHead({ term, children, ...props }: FigureHeadProps) {
  return (
    <th className={styles.figure} scope="col" {...props}>
      <Term of={term}>{children}</Term>
    </th>
  );
}
