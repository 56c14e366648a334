import type { ReactNode } from 'react';
import styles from './time.module.scss';

type TimeProps = { dateTime: string; title?: string; children: ReactNode };

export function Time({ dateTime, title, children }: TimeProps) {
  return (
    <time dateTime={dateTime} title={title} className={styles.time}>
      {children}
    </time>
  );
}
