import { formatDate } from '@/lib/format';
import type { EnteredFixture } from '@/lib/fixtures/schema';
import { routes } from '@/lib/routes';
import { SectionHeading } from '../ui/section-heading';
import { SiteLink } from '../ui/site-link';
import { Time } from '../ui/time';

type EnteredListProps = { fixtures: readonly EnteredFixture[]; total: number; feed: string; timeZone: string };

/** Ours (0079): the fixtures that a feed told of under a name that staff decided; they stay when that is taken back. */
export function EnteredList({ fixtures, total, feed, timeZone }: EnteredListProps) {
  return (
    <section>
      <SectionHeading>
        What {feed} has told of it{total > fixtures.length && `: the last ${fixtures.length} of ${total}`}
      </SectionHeading>
      <ul>
        {fixtures.map(({ reference, name, startsAt }) => (
          <li key={reference}>
            <SiteLink href={routes.staff('fixtures', { id: reference })}>{name}</SiteLink>,{' '}
            <Time dateTime={startsAt}>{formatDate(startsAt, { timeZone, style: 'day-time' })}</Time>
          </li>
        ))}
      </ul>
    </section>
  );
}
