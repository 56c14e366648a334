import { formatDate } from '@/lib/format';
import type { SearchHit } from '@/lib/search/schema';
import { Badge } from '../ui/badge';
import styles from './hit-text.module.scss';
import { Marked } from './marked';

type HitTextProps = { hit: SearchHit; terms: readonly string[]; timeZone: string };

function startOf({ startsAt, startTimeKnown }: SearchHit, timeZone: string): string {
  return startsAt === null ? '' : formatDate(startsAt, { timeZone, style: startTimeKnown ? 'day-time' : 'day' });
}

/** What was found, as it is called, and below what it belongs to and when it starts. */
export function HitText({ hit, terms, timeZone }: HitTextProps) {
  const below = [startOf(hit, timeZone), hit.detail].filter((part) => part !== '').join(' · ');
  return (
    <>
      <span className={styles.title}>
        <Marked text={hit.title} terms={terms} />
        {hit.demo && (
          <>
            {' '}
            <Badge tone="notice">Demo data</Badge>
          </>
        )}
      </span>
      {below !== '' && <span className={styles.detail}>{below}</span>}
    </>
  );
}
