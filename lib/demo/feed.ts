import { sql } from 'kysely';
import { dayAfter, eventNamed, eventsOn } from '@/lib/feeds/demo/events';
import { liveScoreOf } from '@/lib/feeds/demo/live';
import { isReviewed, marketsBetween, pastMarkets } from '@/lib/feeds/demo/prices';
import { demoSource, importFixtures, reportLiveScores } from '@/lib/fixtures/commands';
import type { FeedFixture, FeedRace } from '@/lib/fixtures/schema';
import { database, transact } from '@/lib/platform/database';
import { openDemoSales } from './sales';

const batchSize = 40;

/** Brings fixtures of the demo feed in; throws when one of them is refused, as the feed is our own. */
export async function importDemo(fixtures: readonly (FeedFixture | FeedRace)[], now: Date): Promise<void> {
  for (let first = 0; first < fixtures.length; first += batchSize) {
    const batch = fixtures
      .slice(first, first + batchSize)
      .map((fixture, index) => ({ line: first + index + 1, fixture }));
    const { rejections } = await importFixtures(batch, demoSource, now);
    if (rejections[0]) throw new Error(`The demo feed contradicts itself: ${rejections[0].reason}`);
  }
}

/** Brings in a day's events with what was quoted on them up to `now`: of a day that is over, its leading markets alone. */
export async function importDay(seed: string, day: string, now: Date): Promise<void> {
  const isOver = day < dayAfter(now, 0);
  await importDemo(
    eventsOn(seed, day).map((event) =>
      event.fixture(isOver ? pastMarkets(seed, event) : marketsBetween(seed, event, new Date(0), now), false),
    ),
    now,
  );
}

/** Records the results that are known at `now` of demo fixtures that have none; returns how many. */
export async function recordDueResults(seed: string, now: Date): Promise<number> {
  const { rows } = await sql<{ sourceId: string }>`
    select source_id as "sourceId" from fixture join fixture_source on fixture_source.fixture_id = fixture.id
    where source = ${demoSource} and status <> 'complete' and starts_at <= ${now} order by starts_at, fixture.id
  `.execute(database());
  const due = rows
    .flatMap(({ sourceId }) => eventNamed(seed, sourceId) ?? [])
    .filter(({ resultAt }) => resultAt <= now);
  await importDemo(
    due.map((event) => event.fixture([], true)),
    now,
  );
  return due.length;
}

async function movePrices(seed: string, from: Date, until: Date): Promise<void> {
  const { rows } = await sql<{ sourceId: string; startsAt: Date }>`
    select source_id as "sourceId", starts_at as "startsAt" from fixture join fixture_source on fixture_source.fixture_id = fixture.id
    where source = ${demoSource} and status <> 'complete' and starts_at > ${from} order by starts_at, fixture.id
  `.execute(database());
  const moved = rows
    .filter(({ startsAt }) => isReviewed(startsAt, from, until))
    .flatMap(({ sourceId }) => {
      const event = eventNamed(seed, sourceId);
      const markets = event ? marketsBetween(seed, event, from, until) : [];
      return event && markets.length > 0 ? [event.fixture(markets, false)] : [];
    });
  await importDemo(moved, until);
}

async function reportMatchesUnderWay(seed: string, now: Date): Promise<void> {
  const { rows } = await sql<{ sourceId: string; reference: string }>`
    select source_id as "sourceId", reference from fixture join fixture_source on fixture_source.fixture_id = fixture.id
    where source = ${demoSource} and status <> 'complete' and starts_at <= ${now} order by starts_at, fixture.id
  `.execute(database());
  const reports = rows.flatMap(({ sourceId, reference }) => {
    const event = eventNamed(seed, sourceId);
    const live = event && liveScoreOf(seed, event, now);
    return live ? [{ fixtureReference: reference, ...live }] : [];
  });
  await reportLiveScores(reports, now);
}

/** Product §4: the living feed of the demo world: prices that moved since it was last read, how matches stand, results that became known, and the days that came into sight. */
export async function feedDemoWorld(now: Date): Promise<void> {
  await transact(async () => {
    const { rows } = await sql<{ seed: string; daysAhead: number; fedUntil: Date; daysUntil: string }>`
      select seed, (scale ->> 'daysAhead')::int as "daysAhead", fed_until as "fedUntil", days_until::text as "daysUntil" from demo_world where finished_at is not null and fed_until < ${now} for update
    `.execute(database());
    const [world] = rows;
    if (!world) return;
    await movePrices(world.seed, world.fedUntil, now);
    await recordDueResults(world.seed, now);
    await reportMatchesUnderWay(world.seed, now);
    const last = dayAfter(now, world.daysAhead);
    // A world that slept for long goes on from today: what nobody saw was not played.
    let day = world.daysUntil < dayAfter(now, 0) ? dayAfter(now, 0) : world.daysUntil;
    for (; day <= last; day = dayAfter(new Date(day), 1)) await importDay(world.seed, day, now);
    // A world that was made before anything was sold.
    await openDemoSales(world.seed, now);
    await sql`update demo_world set fed_until = ${now}, days_until = ${day}::date`.execute(database());
  });
}
