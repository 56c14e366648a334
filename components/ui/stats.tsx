import type { ReactNode } from 'react';
import styles from './stats.module.scss';

export function Stats({ children }: { children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>;
}
