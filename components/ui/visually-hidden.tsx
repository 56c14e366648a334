import type { ReactNode } from 'react';
import styles from './visually-hidden.module.scss';

export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
