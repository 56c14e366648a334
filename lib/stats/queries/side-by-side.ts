import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { getPortfolio } from '@/lib/portfolios/queries';
import type { TimeRange } from '@/lib/reference/schema';
import { windowOf } from '../rules/calendar';
import { recordDay } from '../rules/days';
import { combinedFigures, courses, type DayOf } from '../rules/side-by-side';
import { everySport } from '../schema/comparison';
import type { SideBySide } from '../schema/side-by-side';
import { getStatistics, statsTtlSeconds } from './statistics';

/** Ours (0065): portfolios side by side over a time range, in the order given. Failure 'missing' where the viewer may not see one of them. */
export async function getSideBySide(
  viewer: Viewer,
  references: readonly string[],
  { range }: { range: TimeRange },
  now: Date,
): Promise<SideBySide> {
  const portfolios = await Promise.all(references.map((reference) => getPortfolio(viewer, reference)));
  const ids = portfolios.map(({ id }) => id);
  const { from, until } = windowOf(range, now);
  const since = from === null ? null : recordDay(from);
  const [statistics, { days, shared }] = await Promise.all([
    Promise.all(references.map((reference) => getStatistics(viewer, reference, { range }, now))),
    cached(
      `stats-side-by-side:${ids.join()}:${since}:${recordDay(until)}`,
      statsTtlSeconds,
      references.map((reference) => `portfolio:${reference}`),
      async () => ({ days: await readDays(ids, since), shared: await readShared(ids, from) }),
    ),
  ]);
  const { days: shown, each, all, maxDrawdownHundredths } = courses(days, ids.length);
  const begins = statistics.flatMap(({ window }) => (window ? [window.from] : [])).toSorted();
  return {
    window: begins[0] === undefined ? null : { from: begins[0], until },
    days: shown,
    portfolios: portfolios.flatMap(({ reference, name, owner, demo, picture }, place) => {
      const own = statistics[place];
      return own ? [{ reference, name, owner, demo, picture, statistics: own, course: each[place] ?? [] }] : [];
    }),
    combined: { ...combinedFigures(statistics), maxDrawdownHundredths, course: all },
    selections: ids.map((id) => shared.find(({ a, b }) => a === id && b === id)?.count ?? 0),
    overlaps: ids.flatMap((a, place) =>
      ids.slice(place + 1).map((b, more) => ({
        places: [place, place + 1 + more] as [number, number],
        shared: shared.find((pair) => pair.a === a && pair.b === b)?.count ?? 0,
      })),
    ),
  };
}

async function readDays(ids: readonly number[], since: string | null): Promise<DayOf[]> {
  const { rows } = await sql<DayOf>`
    select array_position(${ids}::int[], portfolio_id) - 1 as place, day::text, (rollup #>> '{totals,advised,profitMicrounits}')::float8 as profit
    from portfolio_day_sport
    where portfolio_id = any(${ids}::int[]) and sport_id = ${everySport} and (${since}::date is null or day >= ${since}::date) order by day, place
  `.execute(database());
  return rows;
}

type Shared = { a: number; b: number; count: number };

/** On how many selections two portfolios have settled tips in the time, and each by itself; what is still open may be hidden. */
async function readShared(ids: readonly number[], from: string | null): Promise<Shared[]> {
  const { rows } = await sql<Shared>`
    with own as materialized (
      select distinct tip.portfolio_id as id, leg.selection_id as selection
      from tip join tip_leg leg on leg.tip_id = tip.id join tip_settlement settled on settled.tip_id = tip.id and settled.version = 1
      where tip.portfolio_id = any(${ids}::int[]) and (${from}::timestamptz is null or settled.settled_at >= ${from}::timestamptz)
    )
    select one.id as a, other.id as b, count(*)::int as count from own one join own other using (selection) group by 1, 2
  `.execute(database());
  return rows;
}
