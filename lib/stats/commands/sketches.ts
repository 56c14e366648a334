import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { sports, TimeRange } from '@/lib/reference/schema';
import { windowOf } from '../rules/calendar';
import { recordDay } from '../rules/days';
import { type BucketCount, type DayProfit, sketchCurves, specialityOf } from '../rules/sketch';
import { everySport } from '../schema/comparison';
import { keptResults } from '../schema/sketches';

const batchSize = 50;
const mostBatches = 20;

/** Leaves what rows and cards show of these portfolios to `drawDueSketches`. */
export async function deferSketches(portfolioIds: readonly number[]): Promise<void> {
  await sql`
    insert into sketch_due (portfolio_id) select unnest(${[...new Set(portfolioIds)].sort((a, b) => a - b)}::int[])
    on conflict (portfolio_id) do update set changed_at = clock_timestamp()
  `.execute(database());
}

type Due = { id: number; reference: string; standing: string };

/** Ours (0065): draws anew what rows and cards show of the records whose standings have changed, over every time range that ends at `now`; returns of how many portfolios. Safe to run twice or at once. */
export async function drawDueSketches(now: Date): Promise<number> {
  let drawn = 0;
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const { rows } = await sql<Due & { changedAt: string; isOther: boolean }>`
      select portfolio.id, reference, due.changed_at::text as "changedAt", own.standing, own.standing is not null and known.standing is distinct from own.standing as "isOther"
      from sketch_due due join portfolio on portfolio.id = due.portfolio_id
      left join lateral (
        select md5(summary::text) as standing from portfolio_standing where portfolio_id = due.portfolio_id and sport_id = ${everySport} and period = ${TimeRange.allTime}) own on true
      left join portfolio_sketch known on known.portfolio_id = due.portfolio_id and known.sport_id = ${everySport}
      order by due.changed_at, due.portfolio_id limit ${batchSize}
    `.execute(database());
    if (rows.length === 0) break;
    const others = rows.filter(({ isOther }) => isOther);
    if (others.length > 0) await draw(others, now);
    drawn += others.length;
    // What changed meanwhile is due again.
    await transact(() =>
      sql`
        delete from sketch_due using (
          select portfolio_id from sketch_due
          join unnest(${rows.map(({ id }) => id)}::int[], ${rows.map(({ changedAt }) => changedAt)}::timestamptz[]) as looked (id, at) on portfolio_id = id and changed_at = at
          order by 1 for update of sketch_due
        ) seen where sketch_due.portfolio_id = seen.portfolio_id
      `.execute(database()),
    );
    if (others.length > 0) await forget(['standings', ...others.map(({ reference }) => `portfolio:${reference}`)]);
  }
  return drawn;
}

async function draw(due: readonly Due[], now: Date): Promise<void> {
  const ids = due.map(({ id }) => id);
  const [days, results, buckets] = await Promise.all([readDays(ids), readResults(ids), readBuckets(ids, now)]);
  const sketches = due.flatMap(({ id, standing }) =>
    [...(days.get(id) ?? new Map<number, DayProfit[]>())].map(([sportId, own]) => ({
      id,
      sportId,
      standing,
      form: results.get(`${id}|${sportId}`) ?? '',
      curves: sketchCurves(own, now),
      speciality: sportId === everySport ? specialityOf(buckets.get(id) ?? []) : null,
    })),
  );
  const column = <K extends keyof (typeof sketches)[number]>(name: K) => sketches.map((sketch) => sketch[name]);
  await sql`
    insert into portfolio_sketch (portfolio_id, sport_id, standing, form, curves, speciality)
    select id, sport_id, standing, form, curves, nullif(speciality, 'null')
    from rows from (unnest(${column('id')}::int[], ${column('sportId')}::smallint[], ${column('standing')}::text[], ${column('form')}::text[]),
      jsonb_array_elements(${JSON.stringify(column('curves'))}::jsonb), jsonb_array_elements(${JSON.stringify(column('speciality'))}::jsonb))
      as drawn (id, sport_id, standing, form, curves, speciality)
    order by id, sport_id
    on conflict (portfolio_id, sport_id) do update set standing = excluded.standing, form = excluded.form, curves = excluded.curves, speciality = excluded.speciality
  `.execute(database());
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
async function readBuckets(ids: readonly number[], now: Date): Promise<Map<number, BucketCount[]>> {
  const { from } = windowOf(TimeRange.year, now);
  const { rows } = await sql<BucketCount & { id: number }>`
    select portfolio_id as id, kind, key, sum((totals ->> 'tips')::int)::int as tips
    from portfolio_day, (values ('sport'), ('league'), ('bet-type')) wanted (kind), jsonb_each(breakdowns -> kind) bucket (key, totals)
    where portfolio_id = any(${ids}::int[]) and day >= ${recordDay(from ?? now)}::date
    group by 1, 2, 3 order by 1, 2, tips desc, 3
  `.execute(database());
  const buckets = new Map<number, BucketCount[]>();
  for (const { id, ...bucket } of rows) buckets.set(id, [...(buckets.get(id) ?? []), bucket]);
  return buckets;
}
