import ical, { ICalEventStatus } from 'ical-generator';
import { findLeague, listFixtures } from '@/lib/fixtures/queries';
import { dayOfFixture, daysAfter, endOfDay, isPostponed, resultText } from '@/lib/fixtures/rules';
import { type FixtureView, maxFixtureDays } from '@/lib/fixtures/schema';
import { guest } from '@/lib/http/viewer';
import { racingSports } from '@/lib/odds/rules';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';

/** Ours: how long a calendar is kept, in seconds. */
export const calendarTtlSeconds = 300;

// Ours: so much of the past stays in a calendar; of a sport there is so much more that what is to come would be cut.
const daysPast = { sport: 1, league: 7 } as const;

const missing = () => new Failure('missing', 'There is no such calendar. The pages of sports and leagues name theirs.');

function statusOf(score: FixtureView['score']): ICalEventStatus {
  if (score.abandoned) return ICalEventStatus.CANCELLED;
  return isPostponed(score) ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
}

function write(name: string, path: string, fixtures: readonly FixtureView[], now: Date): string {
  const { siteUrl } = env();
  const calendar = ical({
    name,
    url: `${siteUrl}${path}`,
    prodId: { company: 'Tipledger', product: 'Fixtures', language: 'EN' },
  });
  calendar.ttl(3600);
  for (const fixture of fixtures) {
    const { reference, league, startsAt, startTimeKnown, sportReference, score } = fixture;
    const result = resultText(fixture);
    const url = `${siteUrl}${routes.fixture(reference)}`;
    const place = racingSports.includes(sportReference) ? league.name : league.territory;
    calendar.createEvent({
      // The same for as long as the fixture is, whatever becomes of its name and start.
      id: `${reference}@${new URL(siteUrl).hostname}`,
      stamp: now,
      start: new Date(startTimeKnown ? startsAt : dayOfFixture(fixture)),
      allDay: !startTimeKnown,
      summary: fixture.name,
      description: [
        league.name,
        isPostponed(score) && 'Postponed',
        score.abandoned ? 'Abandoned' : result !== null && `Result: ${result}`,
        `Odds and tips: ${url}`,
      ]
        .filter(Boolean)
        .join('\n'),
      url,
      status: statusOf(score),
      ...(place ? { location: place } : {}),
    });
  }
  return calendar.toString();
}

// Whole days, so that asking a minute later is asking the same.
const windowOf = (now: Date, past: number) => ({
  from: daysAfter(endOfDay(now, 'UTC'), -1 - past),
  until: daysAfter(endOfDay(now, 'UTC'), maxFixtureDays),
});

/** Product §13: the fixtures of a sport as a calendar that programs subscribe to; Failure 'missing' where there is no such sport. */
export async function writeSportCalendar(reference: string, now: Date): Promise<string> {
  const sport = sports.find((each) => each.enabled && each.reference === reference);
  if (!sport) throw missing();
  const fixtures = await listFixtures(guest(), { sportId: sport.id, ...windowOf(now, daysPast.sport) }, now);
  return write(`${sport.name} fixtures`, routes.sport(reference), fixtures, now);
}

/** The same of a league. */
export async function writeLeagueCalendar(reference: string, now: Date): Promise<string> {
  const league = await findLeague(guest(), reference);
  const sport = sports.find(({ id }) => id === league?.sportId);
  if (!league || !sport) throw missing();
  const fixtures = await listFixtures(guest(), { leagueReference: reference, ...windowOf(now, daysPast.league) }, now);
  return write(`${league.name} fixtures`, routes.league(sport.reference, reference), fixtures, now);
}
