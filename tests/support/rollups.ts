import { sql } from 'kysely';
import { z } from 'zod';
import { database } from '@/lib/platform/database';
import { TimeRange } from '@/lib/reference/schema';
import type { OwnedSettledTip } from '@/lib/stats/queries';
import { readSettledTips } from '@/lib/stats/queries/settled-tips';
import {
  foldBreakdowns,
  recordDay,
  standingStatistics,
  statisticsOf,
  type StoredSummary,
  windowOf,
} from '@/lib/stats/rules';
import { emptyRollup, mergeRollups, rollupOf } from '@/lib/stats/rules/rollup';
import { everySport, type SettledTip, type StatisticsView } from '@/lib/stats/schema';
import { breakdownSchema, rollupSchema } from '@/lib/stats/schema/rollups';

/** Everything that the database keeps of statistics, or the same from somewhere else, by a key in words. */
export type Rollups = {
  days: Record<string, unknown>;
  daysBySport: Record<string, unknown>;
  standings: Record<string, unknown>;
};

type StandingRow = {
  portfolioId: number;
  sportId: number;
  period: TimeRange;
  asOf: string;
  figures: Record<string, number | null>;
  summary: StatisticsView;
  at: string;
};

const byKey = <T>(items: readonly T[], keyOf: (item: T) => string, valueOf: (item: T) => unknown) =>
  Object.fromEntries(items.map((item) => [keyOf(item), valueOf(item)]));

async function readStandings(): Promise<StandingRow[]> {
  const { rows } = await sql<Omit<StandingRow, 'summary' | 'at'> & { summary: StoredSummary }>`
    select portfolio_id as "portfolioId", sport_id as "sportId", period, as_of::text as "asOf", summary, jsonb_build_object(
      'tips', tips, 'won', won, 'averageOdds', average_odds, 'strikeRate', strike_rate, 'clv', clv,
      'profitAdvised', profit_advised, 'yieldAdvised', yield_advised, 'drawdownAdvised', drawdown_advised,
      'profitLevel', profit_level, 'yieldLevel', yield_level, 'drawdownLevel', drawdown_level) as figures
    from portfolio_standing
  `.execute(database());
  return rows.map(({ summary, ...row }) => ({
    ...row,
    summary: standingStatistics(summary, row.period),
    at: summary.at,
  }));
}

const standingKey = ({ portfolioId, sportId, period }: Pick<StandingRow, 'portfolioId' | 'sportId' | 'period'>) =>
  `${portfolioId}|${sportId}|${period}`;

/** The statistics as the database keeps them. */
export async function storedRollups(): Promise<Rollups> {
  const days = await sql<{
    key: string;
    rollup: unknown;
    breakdowns: unknown;
  }>`select portfolio_id || '|' || day as key, rollup, breakdowns from portfolio_day`.execute(database());
  const bySport = await sql<{
    key: string;
    rollup: unknown;
  }>`select portfolio_id || '|' || sport_id || '|' || day as key, rollup from portfolio_day_sport`.execute(database());
  return {
    days: byKey(
      days.rows,
      ({ key }) => key,
      ({ rollup, breakdowns }) => ({ rollup, breakdowns }),
    ),
    daysBySport: byKey(
      bySport.rows,
      ({ key }) => key,
      ({ rollup }) => rollup,
    ),
    standings: byKey(await readStandings(), standingKey, ({ asOf, figures, summary }) => ({ asOf, figures, summary })),
  };
}

const fold = (tips: readonly SettledTip[]) => tips.reduce((sum, tip) => mergeRollups(sum, rollupOf(tip)), emptyRollup);

function group<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) for (const key of keysOf(item)) groups.set(key, [...(groups.get(key) ?? []), item]);
  return [...groups];
}

const sportsOf = ({ sportId }: OwnedSettledTip) => (sportId === null ? [everySport] : [everySport, sportId]);

function figuresOf({ tips, won, averageOdds, strikeRatePercent, clvPercent, advised, level }: StatisticsView) {
  const units = (hundredths: number | string) => Number(hundredths) / 100;
  return {
    ...{
      tips,
      won,
      averageOdds: averageOdds?.value ?? null,
      strikeRate: strikeRatePercent?.value ?? null,
      clv: clvPercent?.value ?? null,
    },
    ...{
      profitAdvised: units(advised.profitHundredths),
      yieldAdvised: advised.yieldPercent?.value ?? null,
      drawdownAdvised: units(advised.maxDrawdownHundredths),
    },
    ...{
      profitLevel: units(level.profitHundredths),
      yieldLevel: level.yieldPercent?.value ?? null,
      drawdownLevel: units(level.maxDrawdownHundredths),
    },
  };
}

/** The same statistics from the settled tips alone, taken one by one in the order of their settlement; the standings at the moment that each portfolio's were computed. */
export async function foldedRollups(): Promise<Rollups> {
  const tips = await readSettledTips(sql`true`);
  const until = new Map((await readStandings()).map(({ portfolioId, at }) => [portfolioId, at]));
  const standings = group(tips, (tip) => sportsOf(tip).map((sportId) => `${tip.portfolioId}|${sportId}`)).flatMap(
    ([key, own]) => {
      const now = new Date(until.get(own[0]?.portfolioId ?? 0) ?? Number.NaN);
      return Object.values(TimeRange).map((period) => {
        const window = windowOf(period, now);
        const first = window.from === null ? '' : recordDay(window.from);
        const summary = statisticsOf(
          fold(own.filter(({ settledAt }) => recordDay(settledAt) >= first && recordDay(settledAt) <= recordDay(now))),
          window,
          { luck: false },
        );
        return [`${key}|${period}`, { asOf: recordDay(now), figures: figuresOf(summary), summary }];
      });
    },
  );
  const breakdowns = (own: readonly SettledTip[]) =>
    Object.fromEntries(
      Object.entries(foldBreakdowns(own)).map(([kind, breakdown]) => [kind, z.encode(breakdownSchema, breakdown)]),
    );
  return {
    days: byKey(
      group(tips, (tip) => [`${tip.portfolioId}|${recordDay(tip.settledAt)}`]),
      ([key]) => key,
      ([, own]) => ({ rollup: z.encode(rollupSchema, fold(own)), breakdowns: breakdowns(own) }),
    ),
    daysBySport: byKey(
      group(tips, (tip) => sportsOf(tip).map((sportId) => `${tip.portfolioId}|${sportId}|${recordDay(tip.settledAt)}`)),
      ([key]) => key,
      ([, own]) => z.encode(rollupSchema, fold(own)),
    ),
    standings: Object.fromEntries(standings),
  };
}
