import { SiteLink } from '../ui/site-link';
import { SportIcon } from '../ui/sport-icon';
import type { ReactNode } from 'react';
import styles from './sport-choices.module.scss';

/** A sport to choose, with how many of its fixtures are coming. */
export type SportChoice = {
  reference: string;
  href: string;
  name: string;
  icon: { src: string; whiteSrc: string };
  coming: number;
};

type SportChoicesProps = { sports: readonly SportChoice[]; beside?: (sport: SportChoice) => ReactNode };

/** Sports to choose from, each leading to its fixtures. */
export function SportChoices({ sports, beside }: SportChoicesProps) {
  return (
    <ul className={styles.grid} aria-label="Sports">
      {sports.map((sport) => (
        <li key={sport.reference}>
          <SiteLink href={sport.href}>
            <SportIcon {...sport.icon} />
            <span>{sport.name}</span>
            <span className={styles.count}>{sport.coming}</span>
          </SiteLink>
          {beside?.(sport)}
        </li>
      ))}
    </ul>
  );
}
