import type { ReactNode } from 'react';
import styles from './badge.module.scss';

export type BadgeTone = 'plain' | 'quiet' | 'accent' | 'notice' | 'profit' | 'loss';

type BadgeProps = { tone?: BadgeTone; icon?: ReactNode; children: ReactNode };

export function Badge({ tone = 'plain', icon, children }: BadgeProps) {
  return (
    <span className={[styles.badge, styles[tone]].join(' ')}>
      {icon}
      {children}
    </span>
  );
}
