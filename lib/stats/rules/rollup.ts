import type { Rollup, SettledTip, StakePlan } from '../schema/rollups';
import { addFollowers, copyOfFollowers, followerTotalsOf, mergeFollowers, noFollowers } from './follower-totals';
import { betKey } from './luck';
import { monthAndHour } from './calendar';
import { addTotals, copyOfTotals, mergeTotals, noTotals, tipResult, totalsOf } from './totals';

const noCourse: Rollup[StakePlan] = { peakMicrounits: 0n, troughMicrounits: 0n, drawdownMicrounits: 0n };

/** The rollup of no tips: merged with another it changes nothing. */
export const emptyRollup: Rollup = {
  totals: noTotals,
  span: null,
  advised: noCourse,
  level: noCourse,
  losingRun: { longest: 0, leading: 0, trailing: 0 },
  months: {},
  bets: {},
  followers: noFollowers,
};

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function courseOf(profit: bigint): Rollup[StakePlan] {
  const trough = least(0n, profit);
  return { peakMicrounits: most(0n, profit), troughMicrounits: trough, drawdownMicrounits: -trough };
}

/** The rollup of one tip. */
export function rollupOf(tip: SettledTip): Rollup {
  const { settledSequence, settledAt } = tip;
  const span = {
    firstSequence: settledSequence,
    lastSequence: settledSequence,
    firstSettledAt: settledAt,
    lastSettledAt: settledAt,
  };
  const totals = totalsOf(tip);
  if (totals.tips === 0) return { ...emptyRollup, totals, span };
  const [advised, level] = [totals.advised.profitMicrounits, totals.level.profitMicrounits];
  const losses = tipResult(tip) === 'lost' ? 1 : 0;
  return {
    totals,
    span,
    advised: courseOf(advised),
    level: courseOf(level),
    losingRun: { longest: losses, leading: losses, trailing: losses },
    months: { [monthAndHour(tip.firstStartsAt).month]: { advisedMicrounits: advised, levelMicrounits: level } },
    bets: { [betKey(tip)]: 1 },
    followers: followerTotalsOf(tip),
  };
}

function mergeSpans(a: Rollup['span'], b: Rollup['span']): Rollup['span'] {
  if (!a || !b) return a ?? b;
  if (a.lastSequence >= b.firstSequence) {
    throw new RangeError(
      `Settlement ${b.firstSequence} does not come after ${a.lastSequence}. Fold the tips again, in the order of their settlement.`,
    );
  }
  return {
    firstSequence: a.firstSequence,
    lastSequence: b.lastSequence,
    firstSettledAt: a.firstSettledAt,
    lastSettledAt: b.lastSettledAt,
  };
}

function mergeCourses(a: Rollup, b: Rollup, plan: StakePlan): Rollup[StakePlan] {
  const before = a.totals[plan].profitMicrounits;
  const trough = before + b[plan].troughMicrounits;
  return {
    peakMicrounits: most(a[plan].peakMicrounits, before + b[plan].peakMicrounits),
    troughMicrounits: least(a[plan].troughMicrounits, trough),
    drawdownMicrounits: most(
      most(a[plan].drawdownMicrounits, b[plan].drawdownMicrounits),
      a[plan].peakMicrounits - trough,
    ),
  };
}

function mergeLosingRuns(a: Rollup, b: Rollup): Rollup['losingRun'] {
  const lostAll = ({ totals, losingRun }: Rollup) => losingRun.leading === totals.tips;
  return {
    longest: Math.max(a.losingRun.longest, b.losingRun.longest, a.losingRun.trailing + b.losingRun.leading),
    leading: lostAll(a) ? a.losingRun.leading + b.losingRun.leading : a.losingRun.leading,
    trailing: lostAll(b) ? a.losingRun.trailing + b.losingRun.trailing : b.losingRun.trailing,
  };
}

function mergeRecords<V>(
  a: Readonly<Record<string, V>>,
  b: Readonly<Record<string, V>>,
  add: (a: V, b: V) => V,
): Record<string, V> {
  const merged = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const known = merged[key];
    merged[key] = known === undefined ? value : add(known, value);
  }
  return merged;
}

/**
 * The rollup of consecutive settlements, those of `a` all before those of `b`: associative, with `emptyRollup` for its identity, so that
 * rollups of days give those of any longer time. Throws a RangeError for another order: after a correction the tips from it on are
 * folded again.
 */
export function mergeRollups(a: Rollup, b: Rollup): Rollup {
  return {
    totals: mergeTotals(a.totals, b.totals),
    span: mergeSpans(a.span, b.span),
    advised: mergeCourses(a, b, 'advised'),
    level: mergeCourses(a, b, 'level'),
    losingRun: mergeLosingRuns(a, b),
    months: mergeRecords(a.months, b.months, (one, other) => ({
      advisedMicrounits: one.advisedMicrounits + other.advisedMicrounits,
      levelMicrounits: one.levelMicrounits + other.levelMicrounits,
    })),
    bets: mergeRecords(a.bets, b.bets, (one, other) => one + other),
    followers: mergeFollowers(a.followers, b.followers),
  };
}

function addMonths(to: Rollup['months'], from: Rollup['months']): void {
  for (const name in from) {
    const [known, more] = [to[name], from[name]];
    if (!more) continue;
    if (known) {
      known.advisedMicrounits += more.advisedMicrounits;
      known.levelMicrounits += more.levelMicrounits;
    } else to[name] = { ...more };
  }
}

function addBets(to: Rollup['bets'], from: Rollup['bets']): void {
  for (const name in from) to[name] = (to[name] ?? 0) + (from[name] ?? 0);
}

/** The rollup of rollups in the order of settlement; equal to merging them one after the other, without a copy of the sum for each. */
export function mergeAllRollups(rollups: readonly Rollup[]): Rollup {
  const [first] = rollups;
  if (!first || rollups.length === 1) return first ?? emptyRollup;
  const sum = {
    ...first,
    totals: copyOfTotals(first.totals),
    months: {},
    bets: { ...first.bets },
    followers: copyOfFollowers(first.followers),
  };
  addMonths(sum.months, first.months);
  for (const next of rollups.slice(1)) {
    const [advised, level] = [mergeCourses(sum, next, 'advised'), mergeCourses(sum, next, 'level')];
    const [span, losingRun] = [mergeSpans(sum.span, next.span), mergeLosingRuns(sum, next)];
    Object.assign(sum, { advised, level, span, losingRun });
    addTotals(sum.totals, next.totals);
    addFollowers(sum.followers, next.followers);
    addMonths(sum.months, next.months);
    addBets(sum.bets, next.bets);
  }
  return sum;
}

/** The rollup of tips in the order of settlement; equal to adding them one by one. */
export function foldTips(tips: readonly SettledTip[]): Rollup {
  return mergeAllRollups(tips.map(rollupOf));
}
