import type { ReactNode } from 'react';
import styles from './profit.module.scss';

export type ProfitSign = 'profit' | 'loss' | 'level';

type ProfitProps = { sign: ProfitSign; children: ReactNode };

/** The text brings its own sign (+, −) and a shape before it points up or down: colour comes last. */
export function Profit({ sign, children }: ProfitProps) {
  return <span className={[styles.figure, styles[sign]].join(' ')}>{children}</span>;
}
