import type { ReactNode } from 'react';
import styles from '../ui/place.module.scss';

/** What a part of the page holds back from guests: a post with so many of its `tips` shown, a list in which posts or tips are locked, or the legs of a locked tip. */
export type ReadingPlaceProps = { children: ReactNode; portfolio: string } & (
  | { part: 'post'; post: string; tips: number; locked: boolean }
  | { part: 'posts'; skip: number }
  | { part: 'tips'; skip: number; most: number }
  | { part: 'tip'; tip: string }
);

/** A part of a page that is the same for everybody, over which the browser lays what a member may read there (0036); see `ReadingParts`. */
export function ReadingPlace({ children, part, ...of }: ReadingPlaceProps) {
  const data = Object.fromEntries(Object.entries(of).map(([name, value]) => [`data-${name}`, String(value)]));
  return (
    <div className={styles.place} data-reading={part} {...data}>
      <div>{children}</div>
    </div>
  );
}
