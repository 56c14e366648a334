import type { StatisticsView } from '@/lib/stats/schema';
import type { BreakdownRow, Figure, FollowerView, SummaryView } from '@/lib/stats/schema/views';

const window = { from: '2026-01-05T00:00:00.000Z', until: '2026-03-01T00:00:00.000Z' };

/** A figure over so many tips. */
export const figure = (value: number, count: number): Figure => ({ ...window, value, count });

/** Profit and turnover in hundredths of a unit, with the yield that they make. */
export function stakes(profitHundredths: number, turnoverHundredths: number, count: number): SummaryView['advised'] {
  return {
    profitHundredths: String(profitHundredths),
    turnoverHundredths: String(turnoverHundredths),
    averageStakeHundredths: count > 0 ? figure(turnoverHundredths / count, count) : null,
    yieldPercent: turnoverHundredths > 0 ? figure((100 * profitHundredths) / turnoverHundredths, count) : null,
  };
}

/** What the sums say of a set of tips at stakes of one unit. */
export function summaryView({
  tips,
  won,
  profitHundredths,
}: {
  tips: number;
  won: number;
  profitHundredths: number;
}): SummaryView {
  return {
    ...{ tips, voids: 0, won, tooFew: tips < 45, clvPercent: null, noVigClvPercent: null },
    strikeRatePercent: tips > 0 ? figure((100 * won) / tips, tips) : null,
    averageOdds: tips > 0 ? figure(2.5, tips) : null,
    advised: stakes(profitHundredths, 100 * tips, tips),
    level: stakes(profitHundredths, 100 * tips, tips),
  };
}

/** What followers had of so many tips at stakes of one unit, beside the tipster's own profit on them. */
export function followerView({
  tips,
  stillThere,
  profitHundredths,
  ownProfitHundredths,
}: {
  tips: number;
  stillThere: number;
  profitHundredths: number;
  ownProfitHundredths: number;
}): FollowerView {
  const share = (of: number, base: number) => (tips > 0 ? (100 * of) / base : null);
  const stakesAt = {
    ...{ turnoverHundredths: 100 * tips, profitHundredths, ownProfitHundredths },
    ...{ yieldPercent: share(profitHundredths, 100 * tips), ownYieldPercent: share(ownProfitHundredths, 100 * tips) },
  };
  return { tips, stillThere, stillTherePercent: share(stillThere, tips), advised: stakesAt, level: stakesAt };
}

const noFollowers = followerView({ tips: 0, stillThere: 0, profitHundredths: 0, ownProfitHundredths: 0 });

/** The statistics of a record of so many tips at stakes of one unit. */
export function statisticsView(
  record: { tips: number; won: number; profitHundredths: number },
  more: Partial<StatisticsView> = {},
): StatisticsView {
  const summary = summaryView(record);
  const course = {
    maxDrawdownHundredths: '350',
    profitableMonths: { profitable: 1, months: 2 },
    luckProbability: null,
  };
  return {
    ...summary,
    ...{ window, firstSettledAt: window.from, lastSettledAt: window.until, longestLosingRun: 4, currentLosingRun: 0 },
    followers: { after5: noFollowers, after15: noFollowers, after60: noFollowers, close: noFollowers },
    advised: { ...summary.advised, ...course },
    level: { ...summary.level, ...course },
    ...more,
  };
}

/** A bucket of a breakdown. */
export const bucket = (
  label: string,
  record: { tips: number; won: number; profitHundredths: number },
): BreakdownRow => ({ ...summaryView(record), key: label.toLowerCase(), label });
