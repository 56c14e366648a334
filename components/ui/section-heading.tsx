import type { ReactNode } from 'react';
import styles from './section-heading.module.scss';

type SectionHeadingProps = {
  level?: 1 | 2 | 3 | 4;
  id?: string;
  aside?: ReactNode;
  children: ReactNode;
};

export function SectionHeading({ level = 2, id, aside, children }: SectionHeadingProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.heading}>
      <Heading id={id}>{children}</Heading>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}
