import { LinkTabs } from '../ui/link-tabs';
import styles from './day-links.module.scss';
import { dayTabs } from './day-tabs';

/** A link for each number of days ahead. */
export function DayLinks({ reference, days }: { reference: string | undefined; days: number }) {
  return (
    <div className={styles.days}>
      <LinkTabs label="Days ahead" look="segments" {...dayTabs(reference, days)} />
    </div>
  );
}
