import { z } from 'zod';
import { TimeRange } from '@/lib/reference/schema/enumerations';
import { type BreakdownKind, breakdownSchema, type Rollup, rollupSchema, type SettledTip } from '../schema';
import { everySport } from '../schema/comparison';
import type { StatisticsView } from '../schema/views';
import { foldBreakdowns } from './breakdown';
import { windowOf } from './calendar';
import { mergeDays } from './days';
import { statisticsOf } from './figures';
import { foldTips } from './rollup';

/** The version of the fold that days are stored by; days of an earlier one are folded anew. */
export const foldVersion = 2;

/** What is stored of a portfolio's day, as JSON: its rollup and breakdowns, and the rollup of each sport, that of all sports first. */
export type StoredDay = { rollup: unknown; breakdowns: Record<BreakdownKind, unknown>; sports: { sportId: number; rollup: unknown }[] };

/** Product §7: what is stored of a day on which these tips were settled, in their order. */
export function storedDay(tips: readonly SettledTip[]): StoredDay {
  const rollup = z.encode(rollupSchema, foldTips(tips));
  const sportIds = [...new Set(tips.flatMap(({ sportId }) => (sportId === null ? [] : [sportId])))];
  const breakdowns = Object.entries(foldBreakdowns(tips)).map(([kind, own]) => [kind, z.encode(breakdownSchema, own)]);
  return {
    rollup,
    breakdowns: Object.fromEntries(breakdowns) as StoredDay['breakdowns'],
    sports: [{ sportId: everySport, rollup }, ...sportIds.map((sportId) => ({ sportId, rollup: z.encode(rollupSchema, foldTips(tips.filter((tip) => tip.sportId === sportId))) }))],
  };
}

/** The statistics of a portfolio's days, in order, over a time range. */
export type Standing = { period: TimeRange; statistics: StatisticsView };

/** Product §7: where a portfolio stands over every time range as of `now`. */
export function standingsOf(days: readonly { day: string; rollup: Rollup }[], now: Date): Standing[] {
  return Object.values(TimeRange).map((period) => {
    const window = windowOf(period, now);
    return { period, statistics: statisticsOf(mergeDays(days, window), window) };
  });
}

const units = (hundredths: number | string) => Number(hundredths) / 100;

/** The figures of a standing by the columns that the comparison filters and orders by; those of followers are 15 minutes after publication. */
export function standingColumns({ tips, won, averageOdds, strikeRatePercent, clvPercent, advised, level, followers: { after15 } }: StatisticsView): Record<string, number | null> {
  const followed = (hundredths: number | string) => (after15.tips === 0 ? null : units(hundredths));
  return {
    tips,
    won,
    average_odds: averageOdds?.value ?? null,
    strike_rate: strikeRatePercent?.value ?? null,
    clv: clvPercent?.value ?? null,
    profit_advised: units(advised.profitHundredths),
    yield_advised: advised.yieldPercent?.value ?? null,
    drawdown_advised: units(advised.maxDrawdownHundredths),
    profit_level: units(level.profitHundredths),
    yield_level: level.yieldPercent?.value ?? null,
    drawdown_level: units(level.maxDrawdownHundredths),
    follower_tips: after15.tips,
    still_there: after15.stillTherePercent,
    follower_profit_advised: followed(after15.advised.profitHundredths),
    follower_yield_advised: after15.advised.yieldPercent,
    follower_profit_level: followed(after15.level.profitHundredths),
    follower_yield_level: after15.level.yieldPercent,
  };
}
