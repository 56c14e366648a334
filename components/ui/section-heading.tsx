import type { ReactNode } from 'react';
import styles from './section-heading.module.scss';

type SectionHeadingProps = {
  level?: 1 | 2 | 3 | 4;
  id?: string;
  kicker?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
};

export function SectionHeading({ level = 2, id, kicker, aside, children }: SectionHeadingProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.heading}>
      <div>
        {kicker && <p className={styles.kicker}>{kicker}</p>}
        <Heading id={id}>{children}</Heading>
      </div>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}
