import { dayTextOfFixture } from '@/lib/fixtures/rules';
import type { SearchHit } from '@/lib/search/schema';
import { Badge } from '../ui/badge';
import { Moment } from '../formats/moment';
import styles from './hit-text.module.scss';
import { Marked } from './marked';

type HitTextProps = { hit: SearchHit; terms: readonly string[]; timeZone: string };

// Never the first of a line.
const dot = '\u00a0· ';

function Start({
  startsAt,
  startTimeKnown,
  timeZone,
}: {
  startsAt: string;
  startTimeKnown: boolean;
  timeZone: string;
}) {
  return startTimeKnown ? (
    <Moment at={startsAt} style="day-time" timeZone={timeZone} />
  ) : (
    dayTextOfFixture({ startsAt, startTimeKnown }, { timeZone, style: 'day' })
  );
}

/** What was found, as it is called, and below what it belongs to and when it starts. */
export function HitText({ hit, terms, timeZone }: HitTextProps) {
  const { startsAt, startTimeKnown, detail } = hit;
  return (
    <>
      <span className={styles.title}>
        <Marked text={hit.title} terms={terms} />
        {hit.demo && (
          <>
            {' '}
            <Badge tone="quiet">Demo data</Badge>
          </>
        )}
      </span>
      {(startsAt !== null || detail !== '') && (
        <span className={styles.detail}>
          {startsAt !== null && <Start startsAt={startsAt} startTimeKnown={startTimeKnown} timeZone={timeZone} />}
          {startsAt !== null && detail !== '' && dot}
          {detail.replaceAll(' · ', dot)}
        </span>
      )}
    </>
  );
}
