import type { ReactNode } from 'react';
import styles from './profit.module.scss';

export type ProfitSign = 'profit' | 'loss' | 'level';

const shapes: Record<ProfitSign, string> = {
  profit: 'M5 1.5 9.25 8.5H.75z',
  loss: 'M5 8.5.75 1.5h8.5z',
  level: 'M1 5h8',
};

type ProfitProps = { sign: ProfitSign; children: ReactNode };

/** The text brings its own sign (+, −) and the shape points up or down: colour comes last. */
export function Profit({ sign, children }: ProfitProps) {
  return (
    <span className={[styles.figure, styles[sign]].join(' ')}>
      <svg className={styles.shape} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <path
          d={shapes[sign]}
          fill={sign === 'profit' ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.25"
          strokeLinejoin="round"
        />
      </svg>
      {children}
    </span>
  );
}
