import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { resettleForPrices } from '@/lib/settlement/commands/late-prices';
import { deferLuck } from './commands/luck';
import { readDaysBySport } from './queries/days';
import { type OwnedSettledTip, readSettledTips, settledOn } from './queries/settled-tips';
import { recordDay } from './rules/days';
import { comesAfter, foldDay, foldVersion, mergedDay, standingColumns, standingsOf, type StoredDay, storedDay, storedFold } from './rules/stored-day';

type Day = { portfolioId: number; day: string };
type Fold = Day & { tips: OwnedSettledTip[] };

const dayKey = ({ portfolioId, day }: Day) => `${portfolioId}|${day}`;

async function foldDays(days: readonly Day[]): Promise<Fold[]> {
  if (days.length === 0) return [];
  const folds = new Map(days.map((day): [string, Fold] => [dayKey(day), { ...day, tips: [] }]));
  for (const tip of await readSettledTips(settledOn(days))) folds.get(dayKey({ portfolioId: tip.portfolioId, day: recordDay(tip.settledAt) }))?.tips.push(tip);
  return [...folds.values()];
}

async function holdPortfolios(ids: readonly number[]): Promise<void> {
  await sql`select 1 from portfolio where id = any(${[...ids]}::int[]) order by id for update`.execute(database());
}

/**
 * Product §7: counts settled tips in their portfolios' statistics: a day on which one of them was settled goes on from what is stored of it,
 * or is folded anew where that does not end before them; the standings are computed from the days, unless the caller leaves them for later
 * (`deferStandings`). The caller's transaction has settled the tips; doing it twice changes nothing.
 */
export async function foldSettledTips(tipIds: readonly number[], now: Date, { standings = true } = {}): Promise<void> {
  const touched = new Map<string, Fold>();
  for (const tip of await readSettledTips(sql`tip.id = any(${[...tipIds]}::int[])`)) {
    const { portfolioId } = tip;
    const day = recordDay(tip.settledAt);
    const fold = touched.get(dayKey({ portfolioId, day })) ?? { portfolioId, day, tips: [] };
    touched.set(dayKey(fold), fold);
    fold.tips.push(tip);
  }
  if (touched.size === 0) return;
  const portfolios = [...new Set([...touched.values()].map(({ portfolioId }) => portfolioId))];
  await holdPortfolios(portfolios);
  const stored = await readStoredDays([...touched.values()]);
  const later = [...touched].flatMap(([key, fold]) => {
    const before = stored.get(key);
    if (before && !(before.fold === foldVersion && comesAfter(fold.tips, before))) return [];
    return [{ ...fold, ...storedFold(before ? mergedDay(before, foldDay(fold.tips)) : foldDay(fold.tips)) }];
  });
  const goneOn = new Set(later.map(dayKey));
  const anew = await foldDays([...touched.values()].filter((fold) => !goneOn.has(dayKey(fold))));
  await storeDays([...later, ...anew.map((fold) => ({ ...fold, ...storedDay(fold.tips) }))]);
  if (standings) await reckonStandings(portfolios, now);
}

async function readStoredDays(days: readonly Day[]): Promise<Map<string, StoredDay & { fold: number }>> {
  const { rows } = await sql<Day & StoredDay & { fold: number }>`
    select own.portfolio_id as "portfolioId", own.day::text, own.fold, own.rollup, own.breakdowns,
      (select jsonb_agg(jsonb_build_object('sportId', sport_id, 'rollup', of_sport.rollup)) from portfolio_day_sport of_sport where of_sport.portfolio_id = own.portfolio_id and of_sport.day = own.day) as sports
    from portfolio_day own join unnest(${days.map(({ portfolioId }) => portfolioId)}::int[], ${days.map(({ day }) => day)}::date[]) as wanted (portfolio_id, day) using (portfolio_id, day)
  `.execute(database());
  return new Map(rows.map((row) => [dayKey(row), row]));
}

async function storeDays(days: readonly (Day & StoredDay)[]): Promise<void> {
  if (days.length === 0) return;
  await sql`
    insert into portfolio_day (portfolio_id, day, rollup, breakdowns, fold)
    select *, ${foldVersion}::smallint from unnest(${days.map(({ portfolioId }) => portfolioId)}::int[], ${days.map(({ day }) => day)}::date[],
      ${days.map(({ rollup }) => JSON.stringify(rollup))}::jsonb[], ${days.map(({ breakdowns }) => JSON.stringify(breakdowns))}::jsonb[])
    on conflict (portfolio_id, day) do update set rollup = excluded.rollup, breakdowns = excluded.breakdowns, fold = excluded.fold
  `.execute(database());
  const bySport = days.flatMap(({ portfolioId, day, sports }) => sports.map((own) => ({ portfolioId, day, ...own })));
  await sql`
    insert into portfolio_day_sport (portfolio_id, sport_id, day, rollup)
    select * from unnest(${bySport.map(({ portfolioId }) => portfolioId)}::int[], ${bySport.map(({ sportId }) => sportId)}::smallint[],
      ${bySport.map(({ day }) => day)}::date[], ${bySport.map(({ rollup }) => JSON.stringify(rollup))}::jsonb[])
    on conflict (portfolio_id, sport_id, day) do update set rollup = excluded.rollup
  `.execute(database());
}

/** Computes the standings of portfolios over every time range as of `now`, from their days. */
export async function reckonStandings(portfolioIds: readonly number[], now: Date): Promise<void> {
  const days = await readDaysBySport(portfolioIds);
  const standings = days.flatMap(({ portfolioId, sportId, days: own }) => standingsOf(own, now).map((standing) => ({ portfolioId, sportId, ...standing })));
  const rows = standings.map(({ portfolioId, sportId, period, statistics }) => ({ portfolio_id: portfolioId, sport_id: sportId, period, as_of: recordDay(now), ...standingColumns(statistics), summary: statistics }));
  await sql`delete from portfolio_standing where portfolio_id = any(${[...portfolioIds]}::int[])`.execute(database());
  await sql`insert into portfolio_standing select * from jsonb_populate_recordset(null::portfolio_standing, ${JSON.stringify(rows)}::jsonb)`.execute(database());
  await deferLuck(portfolioIds);
}

const daysInBatch = 100;

/**
 * Ours (0044): folds anew the days of one portfolio that an earlier version of the fold stored, so many at a time, and its standings once none
 * is left; returns how many. Safe to run twice or at once.
 */
export async function foldOldDays(now: Date): Promise<number> {
  return transact(async () => {
    const { rows: found } = await sql<{ portfolioId: number }>`select portfolio_id as "portfolioId" from portfolio_day where fold < ${foldVersion} order by portfolio_id, day limit 1`.execute(database());
    const [first] = found;
    if (!first) return 0;
    await holdPortfolios([first.portfolioId]);
    const { rows } = await sql<Day>`
      select portfolio_id as "portfolioId", day::text from portfolio_day where portfolio_id = ${first.portfolioId} and fold < ${foldVersion} order by day limit ${daysInBatch + 1}
    `.execute(database());
    const days = rows.slice(0, daysInBatch);
    if (days.length > 0) await storeDays((await foldDays(days)).map((fold) => ({ ...fold, ...storedDay(fold.tips) })));
    if (rows.length <= daysInBatch) {
      await reckonStandings([first.portfolioId], now);
      const portfolio = await sql<{ reference: string }>`select reference from portfolio where id = ${first.portfolioId}`.execute(database());
      await forget(['standings', ...portfolio.rows.map(({ reference }) => `portfolio:${reference}`)]);
    }
    return days.length;
  });
}

const batchSize = 200;
const lateBatchSize = 50;

/** Moves standings that were computed on an earlier day on to today's windows; returns how many portfolios. */
export async function rollStandings(now: Date): Promise<number> {
  return transact(async () => {
    const { rows } = await sql<{ portfolioId: number }>`
      select distinct portfolio_id as "portfolioId" from portfolio_standing where as_of < ${recordDay(now)}::date order by 1 limit ${batchSize}
    `.execute(database());
    const ids = rows.map(({ portfolioId }) => portfolioId);
    if (ids.length > 0) {
      await holdPortfolios(ids);
      await reckonStandings(ids, now);
    }
    return ids.length;
  });
}

/** Product §7: settles anew, and counts anew, the settled tips on fixtures whose closing prices became known late; returns how many. Safe to run twice or at once. */
export async function countLateClosings(now: Date): Promise<number> {
  return transact(async () => {
    const { rows } = await sql<{ fixtureId: number }>`
      delete from closing_update where fixture_id in (select fixture_id from closing_update order by fixture_id limit ${lateBatchSize} for update skip locked)
      returning fixture_id as "fixtureId"
    `.execute(database());
    const tips = await sql<{ id: number; portfolioReference: string }>`
      select tip.id, portfolio.reference as "portfolioReference" from tip join portfolio on portfolio.id = portfolio_id
      where tip.id in (select tip_id from tip_leg where fixture_id = any(${rows.map(({ fixtureId }) => fixtureId)}::int[])) and exists (select 1 from tip_settlement where tip_id = tip.id)
    `.execute(database());
    if (tips.rows.length === 0) return 0;
    await resettleForPrices(tips.rows.map(({ id }) => id));
    await foldSettledTips(tips.rows.map(({ id }) => id), now);
    await forget(['tips', 'standings', ...new Set(tips.rows.map(({ portfolioReference }) => `portfolio:${portfolioReference}`))]);
    return tips.rows.length;
  });
}

const dueBatchSize = 100;

/** Leaves the standings of portfolios whose days the caller's transaction changes to `computeDueStandings`. */
export async function deferStandings(portfolioIds: readonly number[]): Promise<void> {
  await sql`insert into standing_due (portfolio_id) select unnest(${[...new Set(portfolioIds)].sort((a, b) => a - b)}::int[]) on conflict do nothing`.execute(database());
}

/**
 * Product §7: computes the standings of portfolios whose days settlement has changed, as of `now` or of the end of the record where another
 * program's clock has carried it further; returns of how many. Safe to run twice or at once.
 */
export async function computeDueStandings(now: Date): Promise<number> {
  let computed = 0;
  for (;;) {
    const portfolios = await transact(async () => {
      const due = await sql<{ id: number; reference: string }>`
        select id, reference from portfolio where id in (select portfolio_id from standing_due order by portfolio_id limit ${dueBatchSize}) order by id for update skip locked
      `.execute(database());
      const ids = due.rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await sql`delete from standing_due where portfolio_id = any(${ids}::int[])`.execute(database());
      const { rows } = await sql<{ at: Date }>`select greatest(at, ${now}::timestamptz) as at from ledger_head`.execute(database());
      await reckonStandings(ids, rows[0]?.at ?? now);
      await forget(['standings', ...due.rows.map(({ reference }) => `portfolio:${reference}`)]);
      return ids.length;
    });
    if (portfolios === 0) return computed;
    computed += portfolios;
  }
}
