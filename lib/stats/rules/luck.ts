import type { Rollup, SettledTip, StakePlan } from '../schema/rollups';

/** Ours: up to this many bets the distribution of what they return is computed; beyond it is the skewed normal one that it tends to. */
export const maxConvolvedBets = 2000;

/** The most cells of a grid of exactly the possible returns; of one used where that is too fine, the cells in a standard deviation and in all. */
const maxExactCells = 65_536;
const cellsPerDeviation = 1024;
const maxCells = 262_144;

const negligible = 1e-18;
const certainDeviations = 8;

/** Payouts are counted in this part of a microunit, in which half of any stake times any odds is a whole number. */
const partsOfMicrounit = 200n;

/**
 * What a tip was as a bet, as the rollup counts it: the odds to win, a slash and the odds of the place part if any, at the stake as
 * advised and at level stakes: 2500000@150:100, 15000000/3800000@200:200.
 */
export function betKey(tip: SettledTip): string {
  const place = tip.placeOddsMillionths === null ? '' : `/${tip.placeOddsMillionths}`;
  return `${tip.oddsMillionths}${place}@${tip.stakedHundredths}:${tip.levelStakedHundredths}`;
}

/** What a bet pays, stake included, and the chance that it pays just that; with the rest of the chance it pays nothing. */
type Payout = { parts: bigint; chance: number };
type FairBets = { count: number; payouts: Payout[] };

function payoutsOf(key: string, plan: StakePlan): Payout[] {
  const [odds = '', stakes = ''] = key.split('@');
  const [win = '', place] = odds.split('/');
  const staked = BigInt(stakes.split(':')[plan === 'advised' ? 0 : 1] ?? '');
  const chance = 1e6 / Number(win);
  if (place === undefined) return [{ parts: 2n * staked * BigInt(win), chance }];
  return [
    { parts: staked * (BigInt(win) + BigInt(place)), chance },
    { parts: staked * BigInt(place), chance: 1e6 / Number(place) - chance },
  ];
}

/** A payout that reaches the target alone is as good as one that just reaches it. */
function fairBets(bets: Rollup['bets'], plan: StakePlan, target: bigint): FairBets[] {
  const capped = (payout: Payout) => (payout.parts > target ? { ...payout, parts: target } : payout);
  const inOrder = Object.entries(bets).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([key, count]) => ({ count, payouts: payoutsOf(key, plan).map(capped) }));
}

type Moments = { mean: number; variance: number; third: number };

function momentsOf(bets: readonly FairBets[]): Moments {
  const sum: Moments = { mean: 0, variance: 0, third: 0 };
  for (const { count, payouts } of bets) {
    const raw = (power: number) =>
      payouts.reduce((total, { parts, chance }) => total + chance * Number(parts) ** power, 0);
    const [first, second, third] = [raw(1), raw(2), raw(3)];
    sum.mean += count * first;
    sum.variance += count * (second - first ** 2);
    sum.third += count * (third - 3 * first * second + 2 * first ** 3);
  }
  return sum;
}

const commonDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : commonDivisor(b, a % b));

type Step = { cells: number; chance: number };

/** The returns below the target, one cell for each, and how far a payout leads up them: `size` cells or more reach the target. */
type Grid = { size: number; stepsOf: (payout: Payout) => Step[] };

function gridFor(bets: readonly FairBets[], target: bigint): Grid {
  const short = bets.flatMap(({ payouts }) => payouts.flatMap(({ parts }) => (parts < target ? [parts] : [])));
  const common = short.reduce(commonDivisor, 0n) || target;
  const exactSize = (target + common - 1n) / common;
  if (exactSize <= maxExactCells) {
    const size = Number(exactSize);
    return {
      size,
      stepsOf: ({ parts, chance }) => [{ cells: parts < target ? Number(parts / common) : size, chance }],
    };
  }
  const cell = Math.max(Math.sqrt(momentsOf(bets).variance) / cellsPerDeviation, Number(target) / maxCells);
  const size = Math.max(1, Math.ceil(Number(target) / cell) - 1);
  return {
    size,
    stepsOf: (payout) => (payout.parts < target ? split(payout, cell) : [{ cells: size, chance: payout.chance }]),
  };
}

/** A payout between two cells leads to both, in the shares that keep its mean. */
function split({ parts, chance }: Payout, cell: number): Step[] {
  const cells = Math.floor(Number(parts) / cell);
  const share = Number(parts) / cell - cells;
  return [
    { cells, chance: chance * (1 - share) },
    { cells: cells + 1, chance: chance * share },
  ];
}

/** The chance that the bets return the target or more: what their distribution, convolved bet by bet, leaves below it is not. */
function convolvedTail(bets: readonly FairBets[], target: bigint): number {
  const { size, stepsOf } = gridFor(bets, target);
  let below: Distribution = { chances: new Float64Array(size).fill(1, 0, 1), from: 0, to: 0 };
  let spare: Float64Array = new Float64Array(size);
  for (const { count, payouts } of bets) {
    const steps = payouts.flatMap(stepsOf).filter(({ cells }) => cells > 0);
    for (let bet = 0; bet < count; bet += 1) {
      const next = convolved(below, steps, spare);
      spare = below.chances;
      below = next;
    }
  }
  return 1 - below.chances.subarray(below.from, below.to + 1).reduce((sum, chance) => sum + chance, 0);
}

/** The chances of the returns below the target; the cells outside `from` to `to` are not held and may contain anything. */
type Distribution = { chances: Float64Array; from: number; to: number };

function convolved({ chances, from, to }: Distribution, steps: readonly Step[], next: Float64Array): Distribution {
  const nothing = 1 - steps.reduce((sum, { chance }) => sum + chance, 0);
  const inside = steps.filter(({ cells }) => cells < next.length);
  const last = Math.min(next.length - 1, to + Math.max(0, ...inside.map(({ cells }) => cells)));
  for (let cell = from; cell <= to; cell += 1) next[cell] = (chances[cell] as number) * nothing;
  next.fill(0, to + 1, last + 1);
  for (const { cells, chance } of inside) {
    const end = Math.min(to, last - cells);
    for (let cell = from; cell <= end; cell += 1)
      next[cell + cells] = (next[cell + cells] as number) + (chances[cell] as number) * chance;
  }
  const kept = { chances: next, from, to: last };
  while (kept.to > kept.from && (next[kept.to] as number) < negligible) kept.to -= 1;
  while (kept.from < kept.to && (next[kept.from] as number) < negligible) kept.from += 1;
  return kept;
}

/** The chance that a standard normal variable exceeds z, and its density there, by Marsaglia's series. */
function normalTail(z: number): { tail: number; density: number } {
  const density = Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI);
  if (Math.abs(z) > certainDeviations) return { tail: z > 0 ? 0 : 1, density };
  let sum = z;
  for (let [term, odd] = [z, 3]; Math.abs(term) > Number.EPSILON * Math.abs(sum); odd += 2) {
    term *= z ** 2 / odd;
    sum += term;
  }
  return { tail: 0.5 - sum * density, density };
}

function skewedNormalTail(bets: readonly FairBets[], target: bigint): number {
  const { mean, variance, third } = momentsOf(bets);
  const z = (Number(target) - mean) / Math.sqrt(variance);
  const { tail, density } = normalTail(z);
  return tail + (density * third * (z ** 2 - 1)) / (6 * variance ** 1.5);
}

/**
 * Product §7: the one-sided p-value that the record is luck: the chance, to six decimals, that a bettor without skill does at least as
 * well with the same bets. Ours: without skill a bet breaks even at the odds taken, so that it wins with chance 1/odds, and the place
 * part of an each-way bet with 1/place odds and whenever the win part does; since real odds hold a margin, this errs against the
 * record. Bets count as independent of each other. 1 without bets. Throws a RangeError where the bets are not those of the totals.
 */
export function luckProbability({ bets, totals }: LuckBets, plan: StakePlan): number {
  const counted = Object.values(bets).reduce((sum, count) => sum + count, 0);
  if (counted !== totals.tips)
    throw new RangeError(`The totals count ${totals.tips} tips, the bets of the same record are ${counted}.`);
  const { profitMicrounits, stakedHundredths } = totals[plan];
  const rounding = 200n * BigInt(totals.tips) + 2n * stakedHundredths;
  const target = partsOfMicrounit * (profitMicrounits + stakedHundredths * 10_000n) - rounding;
  if (target <= 0n) return 1;
  const fair = fairBets(bets, plan, target);
  const tail = totals.tips > maxConvolvedBets ? skewedNormalTail(fair, target) : convolvedTail(fair, target);
  return Math.round(Math.min(1, Math.max(0, tail)) * 1e6) / 1e6;
}

/** The chance that a record is luck, by the plan of its stakes. */
export type Luck = Record<StakePlan, number>;

/** What the chance is computed from. */
export type LuckBets = Pick<Rollup, 'bets' | 'totals'>;

/** The chance that a record is luck, at the stakes as advised and at level stakes. */
export function luckOf(rollup: LuckBets): Luck {
  return { advised: luckProbability(rollup, 'advised'), level: luckProbability(rollup, 'level') };
}
