import {
  type Exact,
  type FollowerTotals,
  minTipsToJudge,
  type Rollup,
  type StakePlan,
  type Totals,
} from '../schema/rollups';
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
const ratio = (numerator: bigint, denominator: bigint): number =>
  Number(roundedDivision(numerator * BigInt(decimals), denominator)) / decimals;

const percent = (numerator: bigint, denominator: bigint): number => ratio(100n * numerator, denominator);

function stakesView(
  { stakedHundredths, profitMicrounits }: Totals[StakePlan],
  tips: number,
  window: Window | null,
): SummaryView[StakePlan] {
  return {
    profitHundredths: hundredthsOf(profitMicrounits),
    turnoverHundredths: exactOf(stakedHundredths),
    averageStakeHundredths: figure(tips, window, () => ratio(stakedHundredths, BigInt(tips))),
    yieldPercent: figure(tips, window, () => percent(profitMicrounits, stakedHundredths * microunitsInHundredth)),
  };
}

const meanPercent = ({ sumBillionths, count }: Totals['clv']): number =>
  percent(sumBillionths, 1_000_000_000n * BigInt(count));

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
  return {
    tips,
    stillThere,
    stillTherePercent: tips === 0 ? null : percent(BigInt(stillThere), BigInt(tips)),
    advised: stakes('advised'),
    level: stakes('level'),
  };
}

/** Product §7: what totals at followers' prices say, at each moment. */
export const followersView = (followers: Rollup['followers']): StatisticsView['followers'] =>
  atEachMoment((moment) => followerView(followers[moment]));

/** The sums of a rollup that its statistics say: all but the chance that it is luck follows from these and from the window. */
export type ShownSums = Pick<Rollup, 'totals' | 'followers'> & {
  settled: { firstAt: string; lastAt: string } | null;
  drawdowns: Record<StakePlan, bigint>;
  months: { count: number; profitable: Record<StakePlan, number> };
  losingRun: { longest: number; trailing: number };
};

/** What statistics say of a rollup. */
export function shownSums({ totals, followers, span, advised, level, losingRun, months }: Rollup): ShownSums {
  const profits = Object.values(months);
  const profitable = (plan: StakePlan) =>
    profits.reduce((count, month) => (month[`${plan}Microunits`] > 0n ? count + 1 : count), 0);
  return {
    totals,
    followers,
    settled: span && { firstAt: span.firstSettledAt, lastAt: span.lastSettledAt },
    drawdowns: { advised: advised.drawdownMicrounits, level: level.drawdownMicrounits },
    months: { count: profits.length, profitable: { advised: profitable('advised'), level: profitable('level') } },
    losingRun: { longest: losingRun.longest, trailing: losingRun.trailing },
  };
}

/** Product §7: the statistics that sums over a window say, with the chance that the record is luck where it is given. */
export function shownStatistics(
  { totals, followers, settled, drawdowns, months, losingRun }: ShownSums,
  range: RangeWindow,
  luck: Luck | false = false,
): StatisticsView {
  const window = windowSince(range, settled?.firstAt ?? null);
  const summary = summaryOf(totals, window);
  const course = (plan: StakePlan): StatisticsView[StakePlan] => ({
    ...summary[plan],
    maxDrawdownHundredths: hundredthsOf(drawdowns[plan]),
    profitableMonths: { profitable: months.profitable[plan], months: months.count },
    luckProbability: luck ? figure(totals.tips, window, () => luck[plan]) : null,
  });
  return {
    ...summary,
    window,
    firstSettledAt: settled?.firstAt ?? null,
    lastSettledAt: settled?.lastAt ?? null,
    advised: course('advised'),
    level: course('level'),
    longestLosingRun: losingRun.longest,
    currentLosingRun: losingRun.trailing,
    followers: followersView(followers),
  };
}

/** Product §7: the statistics of a record, from its rollup over the window. The chance that it is luck takes far longer than all else together: it may be given, or left out by false. */
export function statisticsOf(
  rollup: Rollup,
  range: RangeWindow,
  { luck = luckOf(rollup) }: { luck?: Luck | false } = {},
): StatisticsView {
  return shownStatistics(shownSums(rollup), range, luck);
}

const units = (microunits: bigint) => Number(hundredthsOf(microunits)) / 100;

/** The figures of a standing by the columns that the comparison filters and orders by, as `shownStatistics` says them; those of followers are 15 minutes after publication. */
export function standingColumns({
  totals: { tips, won, oddsMillionths, clv, advised, level },
  drawdowns,
  followers: { after15 },
}: ShownSums): Record<string, number | null> {
  const some = (value: () => number) => (tips === 0 ? null : value());
  const followed = (value: () => number) => (after15.tips === 0 ? null : value());
  const yieldOf = ({ profitMicrounits, stakedHundredths }: Totals[StakePlan]) =>
    percent(profitMicrounits, stakedHundredths * microunitsInHundredth);
  return {
    tips,
    won,
    average_odds: some(() => ratio(oddsMillionths, 1_000_000n * BigInt(tips))),
    strike_rate: some(() => percent(BigInt(won), BigInt(tips))),
    clv: clv.count === 0 ? null : meanPercent(clv),
    profit_advised: units(advised.profitMicrounits),
    yield_advised: some(() => yieldOf(advised)),
    drawdown_advised: units(drawdowns.advised),
    profit_level: units(level.profitMicrounits),
    yield_level: some(() => yieldOf(level)),
    drawdown_level: units(drawdowns.level),
    follower_tips: after15.tips,
    still_there: followed(() => percent(BigInt(after15.stillThere), BigInt(after15.tips))),
    follower_profit_advised: followed(() => units(after15.advised.profitMicrounits)),
    follower_yield_advised: followed(() => yieldOf(after15.advised)),
    follower_profit_level: followed(() => units(after15.level.profitMicrounits)),
    follower_yield_level: followed(() => yieldOf(after15.level)),
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
  const withLuck = (plan: StakePlan): StatisticsView[StakePlan] => ({
    ...moved[plan],
    luckProbability: figure(moved.tips, window, () => luck[plan]),
  });
  return { ...moved, advised: withLuck('advised'), level: withLuck('level') };
}
