import { z } from 'zod';
import { marketKinds } from '@/lib/fixtures/schema';
import { defaultTimeZone } from '@/lib/reference/schema';

/** Product §7: a record with fewer settled tips is marked "too few to judge". */
export const minTipsToJudge = 45;

/** Ours: the IANA zone whose days, months and hours every record is kept in, so that all visitors see the same figures. */
export const recordTimeZone = defaultTimeZone.tz;

/** Product §7: the stakes a record is computed at: as advised, or one unit on every bet. */
export const stakePlans = ['advised', 'level'] as const;

/** The stakes a record is computed at. */
export type StakePlan = (typeof stakePlans)[number];

const wholeText = /^(0|-?[1-9]\d{0,99})$/;

/** A whole number: a number within the safe integers, its decimal digits as text beyond. */
export const exactSchema = z.union([z.int(), z.string().regex(wholeText, 'must be a whole number in decimal digits')]);

/** A whole number: a number within the safe integers, its decimal digits as text beyond. */
export type Exact = z.infer<typeof exactSchema>;

/** A moment in UTC with milliseconds, as `Date.toISOString` writes it, so that text order is the order of time. */
export const momentSchema = z.iso.datetime({ precision: 3 });

/** Ours: what a tip is a bet on: the market kind of a single, or 'accumulator' for several legs, or 'each-way' for a win and a place bet on one leg. */
export const betTypes = [...marketKinds, 'accumulator', 'each-way'] as const;

/** What a tip is a bet on. */
export type BetType = (typeof betTypes)[number];

/** Product §7: the moments of followers' prices: 5, 15 and 60 minutes after publication, and the close. */
export const followerMoments = ['after5', 'after15', 'after60', 'close'] as const;

/** A moment of followers' prices. */
export type FollowerMoment = (typeof followerMoments)[number];

/** How many minutes after publication the moments before the close are. */
export const followerMinutes = { after5: 5, after15: 15, after60: 60 } as const;

const atEachMoment = <S extends z.ZodType>(schema: S) =>
  z.strictObject({ after5: schema, after15: schema, after60: schema, close: schema });

const followedSchema = z.strictObject({
  stillThere: z.boolean(),
  profitMicrounits: exactSchema,
  levelProfitMicrounits: exactSchema,
});

/** Product §7: what a tip came to at the best prices that a follower had at a moment, and whether each was then at least the price taken. */
export type Followed = z.infer<typeof followedSchema>;

const oddsSchema = exactSchema.refine((odds) => BigInt(odds) > 1_000_000n, 'odds must be over 1000000 millionths');

/**
 * One settled tip as statistics read it. `settledSequence` gives the order of settlement and is never shared by two tips.
 * `stakeHundredths` is the advised stake (of each part); `stakedHundredths` what stood at risk: void parts left out, both
 * parts of an each-way bet counted, 0 for a void tip; `level…` the same at one unit for each part. Odds are the total
 * decimal odds of the legs that stood, to the millionth, `placeOddsMillionths` those of the place part where a leg
 * had places to be paid, one that had none at its odds to win.
 * Sport, league and bookmaker are null where the legs differ. `clvBillionths` and `noVigClvBillionths` come from
 * `closingLineValue`, null where a closing price is unknown. `followers` is null at a moment at which a leg that stood had no price, and of
 * a void tip.
 */
export const settledTipSchema = z
  .strictObject({
    tipId: z.int().positive(),
    settledSequence: z.int().positive(),
    settledAt: momentSchema,
    publishedAt: momentSchema,
    firstStartsAt: momentSchema,
    stakeHundredths: z.int().positive(),
    stakedHundredths: z.int().min(0),
    profitMicrounits: exactSchema,
    levelStakedHundredths: z.int().min(0),
    levelProfitMicrounits: exactSchema,
    oddsMillionths: oddsSchema,
    placeOddsMillionths: oddsSchema.nullable(),
    sportId: z.int().positive().nullable(),
    leagueId: z.int().positive().nullable(),
    bookmakerId: z.int().positive().nullable(),
    betType: z.enum(betTypes),
    clvBillionths: exactSchema.nullable(),
    noVigClvBillionths: exactSchema.nullable(),
    followers: atEachMoment(followedSchema.nullable()),
  })
  .refine((tip) => (tip.stakedHundredths === 0) === (tip.levelStakedHundredths === 0), {
    path: ['levelStakedHundredths'],
    error: 'must be 0 exactly when the tip is void at the advised stake too',
  })
  .refine(
    (tip) =>
      tip.stakedHundredths > 0 || (BigInt(tip.profitMicrounits) === 0n && BigInt(tip.levelProfitMicrounits) === 0n),
    {
      path: ['profitMicrounits'],
      error: 'must be 0 for a void tip',
    },
  )
  .refine((tip) => tip.stakedHundredths > 0 || Object.values(tip.followers).every((followed) => followed === null), {
    path: ['followers'],
    error: 'must be null for a void tip',
  })
  .refine(
    ({ oddsMillionths, placeOddsMillionths: place }) => place === null || BigInt(place) <= BigInt(oddsMillionths),
    {
      path: ['placeOddsMillionths'],
      error: 'must not be longer than the odds to win',
    },
  );

/** One settled tip as statistics read it. */
export type SettledTip = z.infer<typeof settledTipSchema>;

/** A bigint that is stored as its decimal digits. */
const bigintSchema = z.codec(z.string().regex(wholeText), z.bigint(), {
  decode: (digits) => BigInt(digits),
  encode: String,
});

const countSchema = z.int().min(0);
const stakesSchema = z.strictObject({ stakedHundredths: bigintSchema, profitMicrounits: bigintSchema });
const valueSumSchema = z.strictObject({ count: countSchema, sumBillionths: bigintSchema });

/**
 * The sums over a set of tips, in any order. `tips` counts the bets that stood and `voids` those that did not; all other sums are
 * over the former. `won` counts tips with a profit; `oddsMillionths` is the sum of the total odds.
 */
export const totalsSchema = z.strictObject({
  tips: countSchema,
  voids: countSchema,
  won: countSchema,
  oddsMillionths: bigintSchema,
  advised: stakesSchema,
  level: stakesSchema,
  clv: valueSumSchema,
  noVigClv: valueSumSchema,
});

/** The sums over a set of tips, in any order; `z.encode(totalsSchema, …)` gives its JSON. */
export type Totals = z.output<typeof totalsSchema>;

const followerStakesSchema = stakesSchema.extend({ ownProfitMicrounits: bigintSchema });
const followerTotalsSchema = z.strictObject({
  tips: countSchema,
  stillThere: countSchema,
  advised: followerStakesSchema,
  level: followerStakesSchema,
});

/**
 * Product §7: the sums at followers' prices of one moment over the tips that count there: those whose prices were all still there, what was
 * staked, the profit at followers' prices and the tipster's own on the same tips.
 */
export type FollowerTotals = z.output<typeof followerTotalsSchema>;

const noFollowerStakes = { stakedHundredths: 0n, profitMicrounits: 0n, ownProfitMicrounits: 0n };

/** The sums at followers' prices of no tips. */
export const noFollowerTotals: FollowerTotals = {
  tips: 0,
  stillThere: 0,
  advised: noFollowerStakes,
  level: noFollowerStakes,
};

const courseSchema = z.strictObject({
  peakMicrounits: bigintSchema,
  troughMicrounits: bigintSchema,
  drawdownMicrounits: bigintSchema,
});

/**
 * All that statistics keep of consecutive settlements. `span` is the first and the last of them, null when there are none. Of the
 * cumulative profit, which starts at 0, `peak` and `trough` are the extremes and `drawdown` the deepest fall. `losingRun.leading`
 * and `.trailing` are the losses before the first and after the last tip that did not lose. `months` holds the profit of each
 * month in which a bet stood; `bets` counts the bets that stood by `betKey`. Rollups from before followers' prices have no `followers`.
 */
export const rollupSchema = z.strictObject({
  totals: totalsSchema,
  span: z
    .strictObject({
      firstSequence: z.int(),
      lastSequence: z.int(),
      firstSettledAt: momentSchema,
      lastSettledAt: momentSchema,
    })
    .nullable(),
  advised: courseSchema,
  level: courseSchema,
  losingRun: z.strictObject({ longest: countSchema, leading: countSchema, trailing: countSchema }),
  months: z.record(
    z.string().regex(/^\d{4}-\d\d$/),
    z.strictObject({ advisedMicrounits: bigintSchema, levelMicrounits: bigintSchema }),
  ),
  bets: z.record(z.string().regex(/^\d+(\/\d+)?@\d+:\d+$/), z.int().positive()),
  followers: atEachMoment(followerTotalsSchema).default({
    after5: noFollowerTotals,
    after15: noFollowerTotals,
    after60: noFollowerTotals,
    close: noFollowerTotals,
  }),
});

/** All that statistics keep of consecutive settlements; `z.encode(rollupSchema, …)` gives its JSON, `rollupSchema.parse` reads it back. */
export type Rollup = z.output<typeof rollupSchema>;

/** Spec §7: the breakdowns, by the words of their calls. */
export const breakdownKinds = [
  'bookmaker',
  'bet-type',
  'hour',
  'month',
  'odds-total',
  'sport',
  'league',
  'time-before',
  'stake',
] as const;

/** Spec §7: one of the nine breakdowns. */
export type BreakdownKind = (typeof breakdownKinds)[number];

/** The totals of each bucket that has tips, by its key. */
export const breakdownSchema = z.record(z.string(), totalsSchema);

/** The totals of each bucket that has tips, by its key; `z.encode(breakdownSchema, …)` gives its JSON. */
export type Breakdown = z.output<typeof breakdownSchema>;
