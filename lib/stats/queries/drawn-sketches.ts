import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { sports, TimeRange } from '@/lib/reference/schema';
import { windowOf } from '../rules/calendar';
import { recordDay } from '../rules/days';
import {
  type BucketCount,
  type Curves,
  type DayProfit,
  sketchCurves,
  type SpecialityKey,
  specialityOf,
} from '../rules/sketch';
import { everySport } from '../schema/comparison';
import { keptResults } from '../schema/sketches';

/** What a record is drawn by: its standing over all time, by its digest, and the moment of that. */
export type DrawnStanding = { id: number; standing: string; at: Date };

/** What rows and cards draw of a record in a sport, or in all (0). */
export type Sketch = {
  id: number;
  sportId: number;
  standing: string;
  form: string;
  curves: Curves;
  speciality: SpecialityKey | null;
};

/** SQL for the standing that the sketches of a portfolio are drawn by, as columns `standing` and `at`. */
export const drawnStanding = (portfolioId: ReturnType<typeof sql.ref>) => sql`(
  select md5(summary::text) as standing, (summary ->> 'at')::timestamptz as at
  from portfolio_standing where portfolio_id = ${portfolioId} and sport_id = ${everySport} and period = ${TimeRange.allTime})`;

/** Ours (0065): what rows and cards draw of these records, over every time range that ends at the moment of the standing. */
export async function readSketches(records: readonly DrawnStanding[]): Promise<Sketch[]> {
  const ids = records.map(({ id }) => id);
  const days = await readDays(ids);
  const results = await readResults(ids);
  const buckets = await readBuckets(records);
  return records.flatMap(({ id, standing, at }) =>
    [...(days.get(id) ?? new Map<number, DayProfit[]>())].map(([sportId, own]) => ({
      id,
      sportId,
      standing,
      form: results.get(`${id}|${sportId}`) ?? '',
      curves: sketchCurves(own, at),
      speciality: sportId === everySport ? specialityOf(buckets.get(id) ?? []) : null,
    })),
  );
}

type Stored = { standing: string | null; at: Date | null; sketches: Omit<Sketch, 'id'>[] };

/** Which sketches of a portfolio, whose standings are as they should be, are not what its settled tips come to; none while it is to be drawn. */
export async function changedSketches(portfolioId: number): Promise<string[]> {
  const { rows } = await sql<Stored>`
    select own.standing, own.at, coalesce((
      select jsonb_agg(jsonb_build_object('sportId', sport_id, 'standing', sketch.standing, 'form', form, 'curves', curves, 'speciality', speciality))
      from portfolio_sketch sketch where sketch.portfolio_id = portfolio.id), '[]') as sketches
    from portfolio left join lateral ${drawnStanding(sql.ref('portfolio.id'))} own on true
    where portfolio.id = ${portfolioId} and not exists (select from sketch_due where sketch_due.portfolio_id = portfolio.id)
  `.execute(database());
  const [row] = rows;
  if (!row) return [];
  const { standing, at } = row;
  const drawn = standing !== null && at ? await readSketches([{ id: portfolioId, standing, at }]) : [];
  // As the database gives them back.
  const expected = new Map(
    drawn.map(({ id: _, ...sketch }) => [sketch.sportId, JSON.parse(JSON.stringify(sketch)) as unknown]),
  );
  const stored = new Map(row.sketches.map((sketch) => [sketch.sportId, sketch]));
  return [...new Set([...expected.keys(), ...stored.keys()])]
    .filter((sportId) => !isDeepStrictEqual(stored.get(sportId), expected.get(sportId)))
    .map((sportId) => `what is drawn of it in sport ${sportId}`);
}

async function readDays(ids: readonly number[]): Promise<Map<number, Map<number, DayProfit[]>>> {
  const { rows } = await sql<DayProfit & { id: number; sportId: number }>`
    select portfolio_id as id, sport_id as "sportId", day::text, (rollup #>> '{totals,tips}')::int as tips,
      (rollup #>> '{totals,advised,profitMicrounits}')::float8 as advised, (rollup #>> '{totals,level,profitMicrounits}')::float8 as level
    from portfolio_day_sport where portfolio_id = any(${ids}::int[]) order by portfolio_id, sport_id, day
  `.execute(database());
  const days = new Map<number, Map<number, DayProfit[]>>();
  for (const { id, sportId, ...day } of rows) {
    const own = days.get(id) ?? new Map<number, DayProfit[]>();
    days.set(id, own);
    const ofSport = own.get(sportId);
    if (ofSport) ofSport.push(day);
    else own.set(sportId, [day]);
  }
  return days;
}

/** The last results of portfolios in all sports and in each, oldest first, by `id|sport`; a tip on several sports counts in none alone. */
async function readResults(ids: readonly number[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: number; sport: string; form: string }>`
    with settled as materialized (
      select tip.portfolio_id as id, first.ordinal, latest.letter,
        (select min(leg -> 'details' ->> 'sport') from jsonb_array_elements(tip.publication -> 'legs') leg having count(distinct leg -> 'details' ->> 'sport') = 1) as sport
      from tip join tip_settlement first on first.tip_id = tip.id and first.version = 1
      cross join lateral (
        select case when staked_hundredths = 0 or profit_microunits = 0 then 'V' when profit_microunits > 0 then 'W' else 'L' end as letter
        from tip_settlement where tip_id = tip.id order by version desc limit 1) latest
      where tip.portfolio_id = any(${ids}::int[])
    ), ranked as (
      select id, ordinal, letter, '' as sport, row_number() over (partition by id order by ordinal desc) as place from settled
      union all
      select id, ordinal, letter, sport, row_number() over (partition by id, sport order by ordinal desc) from settled where sport is not null
    )
    select id, sport, string_agg(letter, '' order by ordinal) as form from ranked where place <= ${keptResults} group by id, sport
  `.execute(database());
  const idOf = new Map([['', everySport], ...sports.map(({ reference, id }) => [reference, id] as const)]);
  return new Map(rows.map(({ id, sport, form }) => [`${id}|${idOf.get(sport)}`, form]));
}

/** How many bets of each sport, league and bet type stood in the past year. */
async function readBuckets(records: readonly DrawnStanding[]): Promise<Map<number, BucketCount[]>> {
  const since = records.map(({ at }) => recordDay(windowOf(TimeRange.year, at).from ?? at));
  const { rows } = await sql<BucketCount & { id: number }>`
    select record.id, kind, key, sum((totals ->> 'tips')::int)::int as tips
    from unnest(${records.map(({ id }) => id)}::int[], ${since}::date[]) record (id, since)
    join portfolio_day on portfolio_id = record.id and day >= since,
      (values ('sport'), ('league'), ('bet-type')) wanted (kind), jsonb_each(breakdowns -> kind) bucket (key, totals)
    group by 1, 2, 3 order by 1, 2, tips desc, 3
  `.execute(database());
  const buckets = new Map<number, BucketCount[]>();
  for (const { id, ...bucket } of rows) buckets.set(id, [...(buckets.get(id) ?? []), bucket]);
  return buckets;
}
