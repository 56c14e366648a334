import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { getPortfolio } from '@/lib/portfolios/queries';
import { listBookmakers } from '@/lib/reference/queries';
import { sports, TimeRange } from '@/lib/reference/schema';
import { type Breakdowns, readBreakdowns } from './breakdowns';
import { readLuck } from './luck';
import { readSettledTips } from './settled-tips';
import { breakdownView, monthOverview } from '../rules/breakdown-view';
import { type RangeWindow, windowOf, windowSince } from '../rules/calendar';
import { curveOf, thinCurve } from '../rules/curve';
import { readProfits } from './profits';
import { completeStatistics, statisticsOf } from '../rules/figures';
import { recentForm, recentFormTips } from '../rules/form';
import { mergeDays, recordDay } from '../rules/days';
import { standingStatistics, type StoredSummary } from '../rules/stored-standing';
import { rollupIn, type StoredRollup } from '../rules/stored-rollup';
import { type BreakdownKind, type Rollup, type StakePlan } from '../schema/rollups';
import { everySport } from '../schema/comparison';
import type { BreakdownView, CurvePoint, MonthOverview, RecentForm, StatisticsView } from '../schema/views';

/** Spec §9: statistics are kept for the standard ten minutes; settlement drops them at once. */
export const statsTtlSeconds = 600;

type Day = { day: string; rollup: Rollup };

async function readDays(portfolioId: number, reference: string, sportId: number): Promise<Day[]> {
  return cached(`stats-days:${portfolioId}:${sportId}`, statsTtlSeconds, [`portfolio:${reference}`], async () => {
    const { rows } = await sql<{ day: string; rollup: StoredRollup }>`
      select day::text, rollup from portfolio_day_sport where portfolio_id = ${portfolioId} and sport_id = ${sportId} order by day
    `.execute(database());
    return rows.map(({ day, rollup }) => ({ day, rollup: rollupIn(rollup) }));
  });
}

type Prepared = { summary: StoredSummary | StatisticsView; advised: number; level: number };

/** The statistics as the jobs after a settlement have prepared them for today; null where one of them is still to come. */
async function readStanding(
  portfolioId: number,
  reference: string,
  { range, sportId }: { range: TimeRange; sportId: number },
  now: Date,
): Promise<StatisticsView | null> {
  const today = recordDay(now);
  const prepared = await cached(
    `stats-standing:${portfolioId}:${sportId}:${range}:${today}`,
    statsTtlSeconds,
    [`portfolio:${reference}`, `luck:${reference}`],
    async () => {
      const { rows } = await sql<Prepared>`
      select summary, luck.advised, luck.level from portfolio_standing standing join portfolio_luck luck using (portfolio_id, sport_id, period)
      where portfolio_id = ${portfolioId} and sport_id = ${sportId} and period = ${range} and as_of = ${today}::date
        and not exists (select 1 from standing_due due where due.portfolio_id = standing.portfolio_id)
        and not exists (select 1 from luck_due due where due.portfolio_id = standing.portfolio_id)
    `.execute(database());
      return rows[0] ?? null;
    },
  );
  return prepared && completeStatistics(standingStatistics(prepared.summary, range), prepared, windowOf(range, now));
}

/** The statistics of a portfolio over a time range, of one sport or all. Failure 'missing' for a portfolio the viewer may not see. */
export async function getStatistics(
  viewer: Viewer,
  reference: string,
  { range, sportId = everySport }: { range: TimeRange; sportId?: number | undefined },
  now: Date,
): Promise<StatisticsView> {
  const portfolio = await getPortfolio(viewer, reference);
  const standing = await readStanding(portfolio.id, reference, { range, sportId }, now);
  if (standing) return standing;
  const window = windowOf(range, now);
  const rollup = mergeDays(await readDays(portfolio.id, reference, sportId), window);
  return statisticsOf(rollup, window, { luck: await readLuck(portfolio.id, { range, sportId }, rollup) });
}

async function breakdownsOf(portfolioId: number, reference: string, window: RangeWindow): Promise<Breakdowns> {
  const first = window.from === null ? null : recordDay(window.from);
  const last = recordDay(window.until);
  return cached(
    `stats-breakdowns:${portfolioId}:${first}:${last}`,
    statsTtlSeconds,
    [`portfolio:${reference}`],
    async () => readBreakdowns(portfolioId, { first, last }),
  );
}

/** When the first tip of a portfolio was settled; null when none was yet. */
async function firstSettledAt(portfolioId: number, reference: string): Promise<string | null> {
  return cached(`stats-first:${portfolioId}`, statsTtlSeconds, [`portfolio:${reference}`], async () => {
    const { rows } = await sql<{ at: string | null }>`
      select rollup -> 'span' ->> 'firstSettledAt' as at from portfolio_day_sport
      where portfolio_id = ${portfolioId} and sport_id = ${everySport} order by day limit 1
    `.execute(database());
    return rows[0]?.at ?? null;
  });
}

async function bucketNames(kind: BreakdownKind): Promise<Map<string, string>> {
  if (kind === 'sport') return new Map(sports.map(({ id, name }) => [String(id), name]));
  if (kind === 'bookmaker') return new Map((await listBookmakers()).map(({ id, name }) => [String(id), name]));
  if (kind !== 'league') return new Map();
  const { rows } = await sql<{ id: number; name: string }>`select id, name from league`.execute(database());
  return new Map(rows.map(({ id, name }) => [String(id), name]));
}

/** One of the nine breakdowns of a portfolio over a time range. Failure 'missing' for a portfolio the viewer may not see. */
export async function getBreakdown(
  viewer: Viewer,
  reference: string,
  { kind, range }: { kind: BreakdownKind; range: TimeRange },
  now: Date,
): Promise<BreakdownView> {
  const portfolio = await getPortfolio(viewer, reference);
  const window = windowOf(range, now);
  const [breakdowns, first, names] = await Promise.all([
    breakdownsOf(portfolio.id, reference, window),
    firstSettledAt(portfolio.id, reference),
    bucketNames(kind),
  ]);
  return breakdownView(kind, breakdowns[kind], { window: windowSince(window, first), names });
}

/** The years and months of a portfolio's whole record. Failure 'missing' for a portfolio the viewer may not see. */
export async function getMonthOverview(viewer: Viewer, reference: string, now: Date): Promise<MonthOverview> {
  const portfolio = await getPortfolio(viewer, reference);
  const window = windowOf(TimeRange.allTime, now);
  const [{ month }, first] = await Promise.all([
    breakdownsOf(portfolio.id, reference, window),
    firstSettledAt(portfolio.id, reference),
  ]);
  return monthOverview(month, windowSince(window, first));
}

/** The last settled tips of a portfolio in letters. Failure 'missing' for a portfolio the viewer may not see. */
export async function getRecentForm(viewer: Viewer, reference: string): Promise<RecentForm> {
  const portfolio = await getPortfolio(viewer, reference);
  return cached(`stats-form:${portfolio.id}`, statsTtlSeconds, [`portfolio:${reference}`], async () =>
    recentForm(
      await readSettledTips(sql`tip.id in (
      select recent.tip_id from tip_settlement recent join tip mine on mine.id = recent.tip_id
      where mine.portfolio_id = ${portfolio.id} and recent.version = 1 order by recent.ordinal desc limit ${recentFormTips})`),
    ),
  );
}

/** The profit curve of a portfolio's whole record, thinned to what a chart can show. Failure 'missing' for a portfolio the viewer may not see. */
export async function getProfitCurve(viewer: Viewer, reference: string, plan: StakePlan): Promise<CurvePoint[]> {
  const portfolio = await getPortfolio(viewer, reference);
  return cached(`stats-curve:${portfolio.id}:${plan}`, statsTtlSeconds, [`portfolio:${reference}`], async () =>
    thinCurve(curveOf(await readProfits(portfolio.id, plan))),
  );
}
