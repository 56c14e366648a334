import type { z } from 'zod';
import type {
  Breakdown,
  breakdownSchema,
  FollowerTotals,
  Rollup,
  rollupSchema,
  Totals,
  totalsSchema,
} from '../schema/rollups';
import { atEachMoment, noFollowers } from './follower-totals';

/** A rollup as JSON. */
export type StoredRollup = z.input<typeof rollupSchema>;

/** A breakdown as JSON. */
export type StoredBreakdown = z.input<typeof breakdownSchema>;

type StoredTotals = z.input<typeof totalsSchema>;
type StoredFollowers = NonNullable<StoredRollup['followers']>;

const mapped = <A, B>(record: Readonly<Record<string, A>>, make: (value: A) => B): Record<string, B> => {
  const made: Record<string, B> = {};
  for (const key of Object.keys(record)) made[key] = make(record[key] as A);
  return made;
};

const storedStakes = ({ stakedHundredths, profitMicrounits }: Totals['advised']) => ({
  stakedHundredths: String(stakedHundredths),
  profitMicrounits: String(profitMicrounits),
});
const stakesIn = ({ stakedHundredths, profitMicrounits }: StoredTotals['advised']) => ({
  stakedHundredths: BigInt(stakedHundredths),
  profitMicrounits: BigInt(profitMicrounits),
});
const storedValue = ({ count, sumBillionths }: Totals['clv']) => ({ count, sumBillionths: String(sumBillionths) });
const valueIn = ({ count, sumBillionths }: StoredTotals['clv']) => ({ count, sumBillionths: BigInt(sumBillionths) });

const storedTotals = ({ tips, voids, won, oddsMillionths, advised, level, clv, noVigClv }: Totals): StoredTotals => ({
  ...{ tips, voids, won },
  oddsMillionths: String(oddsMillionths),
  advised: storedStakes(advised),
  level: storedStakes(level),
  clv: storedValue(clv),
  noVigClv: storedValue(noVigClv),
});

const totalsIn = ({ tips, voids, won, oddsMillionths, advised, level, clv, noVigClv }: StoredTotals): Totals => ({
  ...{ tips, voids, won },
  oddsMillionths: BigInt(oddsMillionths),
  advised: stakesIn(advised),
  level: stakesIn(level),
  clv: valueIn(clv),
  noVigClv: valueIn(noVigClv),
});

const storedCourse = ({ peakMicrounits, troughMicrounits, drawdownMicrounits }: Rollup['advised']) => ({
  peakMicrounits: String(peakMicrounits),
  troughMicrounits: String(troughMicrounits),
  drawdownMicrounits: String(drawdownMicrounits),
});

const courseIn = ({ peakMicrounits, troughMicrounits, drawdownMicrounits }: StoredRollup['advised']) => ({
  peakMicrounits: BigInt(peakMicrounits),
  troughMicrounits: BigInt(troughMicrounits),
  drawdownMicrounits: BigInt(drawdownMicrounits),
});

const storedFollowed = ({ tips, stillThere, advised, level }: FollowerTotals): StoredFollowers['close'] => ({
  ...{ tips, stillThere },
  advised: { ...storedStakes(advised), ownProfitMicrounits: String(advised.ownProfitMicrounits) },
  level: { ...storedStakes(level), ownProfitMicrounits: String(level.ownProfitMicrounits) },
});

const followedIn = ({ tips, stillThere, advised, level }: StoredFollowers['close']): FollowerTotals => ({
  ...{ tips, stillThere },
  advised: { ...stakesIn(advised), ownProfitMicrounits: BigInt(advised.ownProfitMicrounits) },
  level: { ...stakesIn(level), ownProfitMicrounits: BigInt(level.ownProfitMicrounits) },
});

/** The JSON of a rollup: the same as `z.encode(rollupSchema, …)`, in a fraction of the time, for what the program itself computed. */
export const storedRollup = ({
  totals,
  span,
  advised,
  level,
  losingRun,
  months,
  bets,
  followers,
}: Rollup): StoredRollup => ({
  totals: storedTotals(totals),
  span,
  advised: storedCourse(advised),
  level: storedCourse(level),
  losingRun,
  months: mapped(months, ({ advisedMicrounits, levelMicrounits }) => ({
    advisedMicrounits: String(advisedMicrounits),
    levelMicrounits: String(levelMicrounits),
  })),
  bets,
  followers: atEachMoment((moment) => storedFollowed(followers[moment])),
});

/** The rollup in its JSON: the same as `rollupSchema.parse`, in a fraction of the time, for what `storedRollup` wrote. Throws for what cannot be one. */
export const rollupIn = ({
  totals,
  span,
  advised,
  level,
  losingRun,
  months,
  bets,
  followers,
}: StoredRollup): Rollup => ({
  totals: totalsIn(totals),
  span,
  advised: courseIn(advised),
  level: courseIn(level),
  losingRun,
  months: mapped(months, ({ advisedMicrounits, levelMicrounits }) => ({
    advisedMicrounits: BigInt(advisedMicrounits),
    levelMicrounits: BigInt(levelMicrounits),
  })),
  bets,
  followers: followers ? atEachMoment((moment) => followedIn(followers[moment])) : noFollowers,
});

/** The JSON of a breakdown: the same as `z.encode(breakdownSchema, …)`. */
export const storedBreakdown = (breakdown: Breakdown): StoredBreakdown => mapped(breakdown, storedTotals);

/** The breakdown in its JSON: the same as `breakdownSchema.parse`. */
export const breakdownIn = (stored: StoredBreakdown): Breakdown => mapped(stored, totalsIn);
