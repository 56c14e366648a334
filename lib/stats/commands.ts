import 'server-only';
import { sql } from 'kysely';
import { z } from 'zod';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { resettleForPrices } from '@/lib/settlement/commands/late-prices';
import { TimeRange } from '@/lib/reference/schema/enumerations';
import { readSettledTips, type OwnedSettledTip } from './queries/settled-tips';
import { foldBreakdowns } from './rules/breakdown';
import { windowOf } from './rules/calendar';
import { mergeDays, recordDay } from './rules/days';
import { statisticsOf } from './rules/figures';
import { foldTips } from './rules/rollup';
import { breakdownSchema, recordTimeZone, type Rollup, rollupSchema } from './schema';
import { everySport } from './schema/comparison';

type Fold = { portfolioId: number; day: string; tips: OwnedSettledTip[] };

/**
 * Product §7: counts settled tips in their portfolios' statistics: every day on which one of them was settled is folded anew from its
 * tips, and the standings are computed from the days now, or 'later' by `computeDueStandings`. The caller's transaction has settled the tips; doing it twice changes nothing.
 */
export async function foldSettledTips(tipIds: readonly number[], now: Date, { standings = true } = {}): Promise<void> {
  const touched = await readSettledTips(sql`tip.id = any(${[...tipIds]}::int[])`);
  const days = [...new Map(touched.map((tip) => [`${tip.portfolioId}|${recordDay(tip.settledAt)}`, { portfolioId: tip.portfolioId, day: recordDay(tip.settledAt) }])).values()];
  if (days.length === 0) return;
  const portfolios = [...new Set(days.map(({ portfolioId }) => portfolioId))].sort((a, b) => a - b);
  await sql`select 1 from portfolio where id = any(${portfolios}::int[]) order by id for update`.execute(database());
  const tips = await readSettledTips(sql`
    (tip.portfolio_id, (first.settled_at at time zone ${recordTimeZone})::date) in (
      select * from unnest(${days.map(({ portfolioId }) => portfolioId)}::int[], ${days.map(({ day }) => day)}::date[]))`);
  await storeDays(days.map(({ portfolioId, day }) => ({ portfolioId, day, tips: tips.filter((tip) => tip.portfolioId === portfolioId && recordDay(tip.settledAt) === day) })));
  if (standings) await reckonStandings(portfolios, now);
}

const encode = (rollup: Rollup) => JSON.stringify(z.encode(rollupSchema, rollup));

async function storeDays(folds: readonly Fold[]): Promise<void> {
  await sql`
    insert into portfolio_day (portfolio_id, day, rollup, breakdowns)
    select * from unnest(${folds.map((fold) => fold.portfolioId)}::int[], ${folds.map((fold) => fold.day)}::date[],
      ${folds.map((fold) => encode(foldTips(fold.tips)))}::jsonb[],
      ${folds.map((fold) => JSON.stringify(Object.fromEntries(Object.entries(foldBreakdowns(fold.tips)).map(([kind, own]) => [kind, z.encode(breakdownSchema, own)]))))}::jsonb[])
    on conflict (portfolio_id, day) do update set rollup = excluded.rollup, breakdowns = excluded.breakdowns
  `.execute(database());
  const bySport = folds.flatMap((fold) => {
    const sportIds = [...new Set(fold.tips.flatMap(({ sportId }) => (sportId === null ? [] : [sportId])))];
    return [{ ...fold, sportId: everySport }, ...sportIds.map((sportId) => ({ ...fold, sportId, tips: fold.tips.filter((tip) => tip.sportId === sportId) }))];
  });
  await sql`
    insert into portfolio_day_sport (portfolio_id, sport_id, day, rollup)
    select * from unnest(${bySport.map((fold) => fold.portfolioId)}::int[], ${bySport.map((fold) => fold.sportId)}::smallint[],
      ${bySport.map((fold) => fold.day)}::date[], ${bySport.map((fold) => encode(foldTips(fold.tips)))}::jsonb[])
    on conflict (portfolio_id, sport_id, day) do update set rollup = excluded.rollup
  `.execute(database());
}

type DayRow = { portfolioId: number; sportId: number; day: string; rollup: unknown };
type Standing = { portfolioId: number; sportId: number; period: number; statistics: ReturnType<typeof statisticsOf> };

/** Reckons the standings of portfolios over every time range as of `now`, from their days. */
export async function reckonStandings(portfolioIds: readonly number[], now: Date): Promise<void> {
  const { rows } = await sql<DayRow>`
    select portfolio_id as "portfolioId", sport_id as "sportId", day::text, rollup from portfolio_day_sport
    where portfolio_id = any(${[...portfolioIds]}::int[]) order by portfolio_id, sport_id, day
  `.execute(database());
  const groups = new Map<string, { day: string; rollup: Rollup }[]>();
  for (const row of rows) {
    const key = `${row.portfolioId}|${row.sportId}`;
    groups.set(key, [...(groups.get(key) ?? []), { day: row.day, rollup: rollupSchema.parse(row.rollup) }]);
  }
  const ranges = Object.values(TimeRange).map((period) => ({ period, window: windowOf(period, now) }));
  const standings = [...groups].flatMap(([key, days]) => {
    const [portfolioId = 0, sportId = 0] = key.split('|').map(Number);
    return ranges.map(({ period, window }): Standing => ({ portfolioId, sportId, period, statistics: statisticsOf(mergeDays(days, window), window) }));
  });
  await storeStandings(portfolioIds, standings, now);
}

const units = (hundredths: number | string) => Number(hundredths) / 100;

async function storeStandings(portfolioIds: readonly number[], standings: readonly Standing[], now: Date): Promise<void> {
  const figures = standings.map(({ statistics }) => statistics);
  await sql`delete from portfolio_standing where portfolio_id = any(${[...portfolioIds]}::int[])`.execute(database());
  await sql`
    insert into portfolio_standing (portfolio_id, sport_id, period, as_of, tips, won, average_odds, strike_rate, clv, profit_advised, yield_advised,
      drawdown_advised, profit_level, yield_level, drawdown_level, summary)
    select portfolio_id, sport_id, period, ${recordDay(now)}::date, tips, won, average_odds, strike_rate, clv, profit_advised, yield_advised, drawdown_advised,
      profit_level, yield_level, drawdown_level, summary
    from unnest(
      ${standings.map(({ portfolioId }) => portfolioId)}::int[], ${standings.map(({ sportId }) => sportId)}::smallint[], ${standings.map(({ period }) => period)}::smallint[],
      ${figures.map(({ tips }) => tips)}::int[], ${figures.map(({ won }) => won)}::int[], ${figures.map(({ averageOdds }) => averageOdds?.value ?? null)}::float8[],
      ${figures.map(({ strikeRatePercent }) => strikeRatePercent?.value ?? null)}::float8[], ${figures.map(({ clvPercent }) => clvPercent?.value ?? null)}::float8[],
      ${figures.map(({ advised }) => units(advised.profitHundredths))}::float8[], ${figures.map(({ advised }) => advised.yieldPercent?.value ?? null)}::float8[],
      ${figures.map(({ advised }) => units(advised.maxDrawdownHundredths))}::float8[],
      ${figures.map(({ level }) => units(level.profitHundredths))}::float8[], ${figures.map(({ level }) => level.yieldPercent?.value ?? null)}::float8[],
      ${figures.map(({ level }) => units(level.maxDrawdownHundredths))}::float8[], ${figures.map((own) => JSON.stringify(own))}::jsonb[])
      as t (portfolio_id, sport_id, period, tips, won, average_odds, strike_rate, clv, profit_advised, yield_advised, drawdown_advised, profit_level, yield_level, drawdown_level, summary)
  `.execute(database());
}

const batchSize = 200;
const lateBatchSize = 50;

/** Moves standings that were reckoned on an earlier day on to today's windows; returns how many portfolios. */
export async function rollStandings(now: Date): Promise<number> {
  return transact(async () => {
    const { rows } = await sql<{ portfolioId: number }>`
      select distinct portfolio_id as "portfolioId" from portfolio_standing where as_of < ${recordDay(now)}::date order by 1 limit ${batchSize}
    `.execute(database());
    const ids = rows.map(({ portfolioId }) => portfolioId);
    if (ids.length > 0) {
      await sql`select 1 from portfolio where id = any(${ids}::int[]) order by id for update`.execute(database());
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

/** Product §7: computes the standings of portfolios whose days settlement has changed; returns of how many. Safe to run twice or at once. */
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
      await reckonStandings(ids, now);
      await forget(['standings', ...due.rows.map(({ reference }) => `portfolio:${reference}`)]);
      return ids.length;
    });
    if (portfolios === 0) return computed;
    computed += portfolios;
  }
}
