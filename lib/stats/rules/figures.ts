import { type Exact, type FollowerTotals, minTipsToJudge, type Rollup, type StakePlan, type Totals } from '../schema';
import type { Figure, FollowerView, StatisticsView, SummaryView, Window } from '../schema/views';
import { type RangeWindow, windowSince } from './calendar';
import { exactOf, roundedDivision } from './exact';
import { atEachMoment } from './follower-totals';
import { type Luck, luckOf } from './luck';

const decimals = 10_000;
const microunitsInHundredth = 10_000n;

/** Microunits as hundredths of a unit, rounded once, halves away from zero. */
export function hundredthsOf(microunits: bigint): Exact {
  return exactOf(roundedDivision(microunits, microunitsInHundredth));
}

function figure(count: number, window: Window | null, value: () => number): Figure | null {
  return count === 0 || !window ? null : { ...window, value: value(), count };
}

/** An exact ratio to four decimals, rounded once, halves away from zero. */
const ratio = (numerator: bigint, denominator: bigint): number => Number(roundedDivision(numerator * BigInt(decimals), denominator)) / decimals;

const percent = (numerator: bigint, denominator: bigint): number => ratio(100n * numerator, denominator);

function stakesView({ stakedHundredths, profitMicrounits }: Totals[StakePlan], tips: number, window: Window | null): SummaryView[StakePlan] {
  return {
    profitHundredths: hundredthsOf(profitMicrounits),
    turnoverHundredths: exactOf(stakedHundredths),
    averageStakeHundredths: figure(tips, window, () => ratio(stakedHundredths, BigInt(tips))),
    yieldPercent: figure(tips, window, () => percent(profitMicrounits, stakedHundredths * microunitsInHundredth)),
  };
}

const meanPercent = ({ sumBillionths, count }: Totals['clv']): number => percent(sumBillionths, 1_000_000_000n * BigInt(count));

/**
 * Product §7: what totals say over a window, null only where there are no tips. Ours: the mean closing line value weighs every tip alike,
 * and too few is told by the bets that stood.
 */
export function summaryOf(totals: Totals, window: Window | null): SummaryView {
  const { tips, voids, won, oddsMillionths, clv, noVigClv } = totals;
  return {
    tips,
    voids,
    won,
    tooFew: tips < minTipsToJudge,
    strikeRatePercent: figure(tips, window, () => percent(BigInt(won), BigInt(tips))),
    averageOdds: figure(tips, window, () => ratio(oddsMillionths, 1_000_000n * BigInt(tips))),
    advised: stakesView(totals.advised, tips, window),
    level: stakesView(totals.level, tips, window),
    clvPercent: figure(clv.count, window, () => meanPercent(clv)),
    noVigClvPercent: figure(noVigClv.count, window, () => meanPercent(noVigClv)),
  };
}

function followerView({ tips, stillThere, ...totals }: FollowerTotals): FollowerView {
  const stakes = (plan: StakePlan): FollowerView[StakePlan] => {
    const { stakedHundredths, profitMicrounits, ownProfitMicrounits } = totals[plan];
    const yieldOf = (profit: bigint) => (tips === 0 ? null : percent(profit, stakedHundredths * microunitsInHundredth));
    return {
      turnoverHundredths: exactOf(stakedHundredths),
      profitHundredths: hundredthsOf(profitMicrounits),
      yieldPercent: yieldOf(profitMicrounits),
      ownProfitHundredths: hundredthsOf(ownProfitMicrounits),
      ownYieldPercent: yieldOf(ownProfitMicrounits),
    };
  };
  return { tips, stillThere, stillTherePercent: tips === 0 ? null : percent(BigInt(stillThere), BigInt(tips)), advised: stakes('advised'), level: stakes('level') };
}

/** Product §7: what totals at followers' prices say, at each moment. */
export const followersView = (followers: Rollup['followers']): StatisticsView['followers'] => atEachMoment((moment) => followerView(followers[moment]));

/** Product §7: the statistics of a record, from its rollup over the window. The chance that it is luck takes far longer than all else together: it may be given, or left out by false. */
export function statisticsOf(rollup: Rollup, range: RangeWindow, { luck = luckOf(rollup) }: { luck?: Luck | false } = {}): StatisticsView {
  const firstSettledAt = rollup.span?.firstSettledAt ?? null;
  const window = windowSince(range, firstSettledAt);
  const summary = summaryOf(rollup.totals, window);
  const course = (plan: StakePlan): StatisticsView[StakePlan] => {
    const profits = Object.values(rollup.months).map((month) => month[`${plan}Microunits`]);
    return {
      ...summary[plan],
      maxDrawdownHundredths: hundredthsOf(rollup[plan].drawdownMicrounits),
      profitableMonths: { profitable: profits.filter((profit) => profit > 0n).length, months: profits.length },
      luckProbability: luck ? figure(rollup.totals.tips, window, () => luck[plan]) : null,
    };
  };
  return {
    ...summary,
    window,
    firstSettledAt,
    lastSettledAt: rollup.span?.lastSettledAt ?? null,
    advised: course('advised'),
    level: course('level'),
    longestLosingRun: rollup.losingRun.longest,
    currentLosingRun: rollup.losingRun.trailing,
    followers: followersView(rollup.followers),
  };
}

/** Statistics that were computed earlier on the same day of the record, with the chance that it is luck, over the window until now: nothing was settled since. */
export function completeStatistics(earlier: StatisticsView, luck: Luck, range: RangeWindow): StatisticsView {
  const window = windowSince(range, earlier.firstSettledAt);
  const until = (view: unknown): unknown => {
    if (typeof view !== 'object' || view === null || Array.isArray(view)) return view;
    const moved = Object.fromEntries(Object.entries(view).map(([name, value]) => [name, until(value)]));
    return 'until' in view ? { ...moved, ...window } : moved;
  };
  const moved = until(earlier) as StatisticsView;
  const withLuck = (plan: StakePlan): StatisticsView[StakePlan] => ({ ...moved[plan], luckProbability: figure(moved.tips, window, () => luck[plan]) });
  return { ...moved, advised: withLuck('advised'), level: withLuck('level') };
}
