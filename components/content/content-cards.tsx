import type { ReactNode } from 'react';
import styles from './content-cards.module.scss';

/** Cards of pages in as many columns as fit. Its children are list items. */
export function ContentCards({ children }: { children: ReactNode }) {
  return <ul className={styles.cards}>{children}</ul>;
}
