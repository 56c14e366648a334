import type { ReactNode } from 'react';
import styles from './account-card.module.scss';

type AccountCardProps = { title: string; intro?: ReactNode; children: ReactNode; aside?: ReactNode };

/** A page that is one form: its title, what it is for, the form, and the ways out of it. */
export function AccountCard({ title, intro, children, aside }: AccountCardProps) {
  return (
    <div className={styles.card}>
      <h1>{title}</h1>
      {intro && <div className={styles.intro}>{intro}</div>}
      <div className={styles.body}>{children}</div>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}
