import type { TimeRange } from '@/lib/reference/schema';
import {
  type Exact,
  followerMoments,
  type FollowerTotals,
  noFollowerTotals,
  type Rollup,
  type Totals,
} from '../schema/rollups';
import type { StatisticsView } from '../schema/views';
import { windowOf } from './calendar';
import { exactOf } from './exact';
import { type ShownSums, shownStatistics } from './figures';
import { atEachMoment } from './follower-totals';
import { emptyRollup } from './rollup';

/** What the standings of a day go on from, by time range: the sums of its days before that day, without the bets, which no standing shows. */
export type StandingBase = ReadonlyMap<number, Rollup>;

type PackedMonths = Record<string, [advised: Exact, level: Exact]>;

type PackedSums = {
  span: Rollup['span'];
  totals: Exact[];
  advised: Exact[];
  level: Exact[];
  run: number[];
  months: PackedMonths;
  followers: Exact[][];
};

/** A base as JSON: by time range its sums as rows of numbers, without those over no tips. */
export type StoredBase = Record<string, PackedSums>;

const packTotals = ({ tips, voids, won, oddsMillionths, advised, level, clv, noVigClv }: Totals): Exact[] => [
  ...[tips, voids, won, exactOf(oddsMillionths)],
  ...[advised.stakedHundredths, advised.profitMicrounits, level.stakedHundredths, level.profitMicrounits].map(exactOf),
  ...[clv.count, exactOf(clv.sumBillionths), noVigClv.count, exactOf(noVigClv.sumBillionths)],
];

const whole = (numbers: readonly Exact[], place: number) => BigInt(numbers[place] ?? NaN);
const count = (numbers: readonly Exact[], place: number) => Number(numbers[place] ?? NaN);

const unpackTotals = (from: readonly Exact[]): Totals => ({
  tips: count(from, 0),
  voids: count(from, 1),
  won: count(from, 2),
  oddsMillionths: whole(from, 3),
  advised: { stakedHundredths: whole(from, 4), profitMicrounits: whole(from, 5) },
  level: { stakedHundredths: whole(from, 6), profitMicrounits: whole(from, 7) },
  clv: { count: count(from, 8), sumBillionths: whole(from, 9) },
  noVigClv: { count: count(from, 10), sumBillionths: whole(from, 11) },
});

const packCourse = ({ peakMicrounits, troughMicrounits, drawdownMicrounits }: Rollup['advised']) =>
  [peakMicrounits, troughMicrounits, drawdownMicrounits].map(exactOf);
const unpackCourse = (from: readonly Exact[]): Rollup['advised'] => ({
  peakMicrounits: whole(from, 0),
  troughMicrounits: whole(from, 1),
  drawdownMicrounits: whole(from, 2),
});

const packFollowed = ({ tips, stillThere, advised, level }: FollowerTotals): Exact[] =>
  tips === 0
    ? []
    : [
        tips,
        stillThere,
        ...[advised, level].flatMap((stakes) =>
          [stakes.stakedHundredths, stakes.profitMicrounits, stakes.ownProfitMicrounits].map(exactOf),
        ),
      ];

const unpackFollowed = (from: readonly Exact[]): FollowerTotals =>
  from.length === 0
    ? noFollowerTotals
    : {
        tips: count(from, 0),
        stillThere: count(from, 1),
        advised: {
          stakedHundredths: whole(from, 2),
          profitMicrounits: whole(from, 3),
          ownProfitMicrounits: whole(from, 4),
        },
        level: {
          stakedHundredths: whole(from, 5),
          profitMicrounits: whole(from, 6),
          ownProfitMicrounits: whole(from, 7),
        },
      };

const packFollowers = (followers: Rollup['followers']) =>
  followerMoments.map((moment) => packFollowed(followers[moment]));
const unpackFollowers = (from: readonly (readonly Exact[])[]) =>
  atEachMoment((moment) => unpackFollowed(from[followerMoments.indexOf(moment)] ?? []));

const packSums = ({ span, totals, advised, level, losingRun, months, followers }: Rollup): PackedSums => ({
  span,
  totals: packTotals(totals),
  advised: packCourse(advised),
  level: packCourse(level),
  run: [losingRun.longest, losingRun.leading, losingRun.trailing],
  months: Object.fromEntries(
    Object.entries(months).map(([month, { advisedMicrounits, levelMicrounits }]) => [
      month,
      [exactOf(advisedMicrounits), exactOf(levelMicrounits)],
    ]),
  ),
  followers: packFollowers(followers),
});

const unpackSums = ({ span, totals, advised, level, run, months, followers }: PackedSums): Rollup => ({
  span,
  totals: unpackTotals(totals),
  advised: unpackCourse(advised),
  level: unpackCourse(level),
  losingRun: { longest: count(run, 0), leading: count(run, 1), trailing: count(run, 2) },
  months: Object.fromEntries(
    Object.entries(months).map(([month, profits]) => [
      month,
      { advisedMicrounits: whole(profits, 0), levelMicrounits: whole(profits, 1) },
    ]),
  ),
  bets: {},
  followers: unpackFollowers(followers),
});

/** The JSON of a base. */
export const storedBase = (base: StandingBase): StoredBase =>
  Object.fromEntries([...base].flatMap(([period, sums]) => (sums.span ? [[period, packSums(sums)]] : [])));

/** The base in its JSON, with nothing where it has no tips. Throws for what cannot be one. All time ranges end with the same day: those that begin with the same tip hold the same sums, and share them. */
export function baseIn(stored: StoredBase): StandingBase {
  const beginning = new Map<number | undefined, Rollup>();
  return new Map(
    Object.entries(stored).map(([period, packed]) => {
      const first = packed.span?.firstSequence;
      const sums = beginning.get(first) ?? unpackSums(packed);
      beginning.set(first, sums);
      return [Number(period), sums];
    }),
  );
}

/** The sums of a time range in a base. */
export const sumsOf = (base: StandingBase | undefined, period: number): Rollup => base?.get(period) ?? emptyRollup;

/** The sums that a standing shows as JSON, with the moment that it was computed at. */
export type StoredSummary = {
  at: string;
  settled: [firstAt: string, lastAt: string] | null;
  totals: Exact[];
  drawdowns: [advised: Exact, level: Exact];
  months: [count: number, advised: number, level: number];
  run: [longest: number, trailing: number];
  followers: Exact[][];
};

/** The JSON of what a standing shows, computed at a moment. */
export const storedSummary = (
  { totals, settled, drawdowns, months, losingRun, followers }: ShownSums,
  at: Date,
): StoredSummary => ({
  at: at.toISOString(),
  settled: settled && [settled.firstAt, settled.lastAt],
  totals: packTotals(totals),
  drawdowns: [exactOf(drawdowns.advised), exactOf(drawdowns.level)],
  months: [months.count, months.profitable.advised, months.profitable.level],
  run: [losingRun.longest, losingRun.trailing],
  followers: packFollowers(followers),
});

/** The statistics of a standing over its time range, from its JSON; one that an earlier version of the program stored holds them as they are. */
export function standingStatistics(stored: StoredSummary | StatisticsView, period: TimeRange): StatisticsView {
  if (!('totals' in stored)) return stored;
  const { at, settled, totals, drawdowns, months, run, followers } = stored;
  const shown: ShownSums = {
    settled: settled && { firstAt: settled[0], lastAt: settled[1] },
    totals: unpackTotals(totals),
    drawdowns: { advised: BigInt(drawdowns[0]), level: BigInt(drawdowns[1]) },
    months: { count: months[0], profitable: { advised: months[1], level: months[2] } },
    losingRun: { longest: run[0], trailing: run[1] },
    followers: unpackFollowers(followers),
  };
  return shownStatistics(shown, windowOf(period, new Date(at)));
}
