import { z } from 'zod';
import { breakdownKinds, exactSchema, momentSchema } from './rollups';

/** A stretch of time, both ends included. */
export const windowSchema = z.object({ from: momentSchema, until: momentSchema });

/** A stretch of time, both ends included. */
export type Window = z.infer<typeof windowSchema>;

/** Product §7: a figure that never stands without the number of tips it rests on and their window. */
export const figureSchema = windowSchema.extend({ value: z.number(), count: z.int().min(1) });

/** A figure with the number of tips it rests on and their window. */
export type Figure = z.infer<typeof figureSchema>;

const stakesViewSchema = z.object({
  profitHundredths: exactSchema,
  turnoverHundredths: exactSchema,
  averageStakeHundredths: figureSchema.nullable(),
  yieldPercent: figureSchema.nullable(),
});

/**
 * Product §7: what the same sums say of any set of tips. `tips` are the bets that stood, `voids` those that did not and count for
 * nothing else. Percentages and decimal odds are rounded once, to four places, units to the hundredth; a figure over no tips is null.
 */
export const summaryViewSchema = z.object({
  tips: z.int().min(0),
  voids: z.int().min(0),
  won: z.int().min(0),
  tooFew: z.boolean(),
  strikeRatePercent: figureSchema.nullable(),
  averageOdds: figureSchema.nullable(),
  advised: stakesViewSchema,
  level: stakesViewSchema,
  clvPercent: figureSchema.nullable(),
  noVigClvPercent: figureSchema.nullable(),
});

/** What the sums say of a set of tips. */
export type SummaryView = z.infer<typeof summaryViewSchema>;

const courseViewSchema = stakesViewSchema.extend({
  maxDrawdownHundredths: exactSchema,
  profitableMonths: z.object({ profitable: z.int().min(0), months: z.int().min(0) }),
  luckProbability: figureSchema.nullable(),
});

const followerStakesViewSchema = z.object({
  turnoverHundredths: exactSchema,
  profitHundredths: exactSchema,
  yieldPercent: z.number().nullable(),
  ownProfitHundredths: exactSchema,
  ownYieldPercent: z.number().nullable(),
});

/**
 * Product §7: what followers had at one moment, over the window of the statistics: `tips` are those that count then, on which every other
 * figure rests; `stillThere` those of them whose prices were all still there; `own…` the tipster's own figures on the same tips. A percentage
 * over no tips is null.
 */
export const followerViewSchema = z.object({
  tips: z.int().min(0),
  stillThere: z.int().min(0),
  stillTherePercent: z.number().nullable(),
  advised: followerStakesViewSchema,
  level: followerStakesViewSchema,
});

/** What followers had at one moment. */
export type FollowerView = z.infer<typeof followerViewSchema>;

/**
 * Product §7: the statistics of a record over a window, which is null for all the time of a record without tips. `luckProbability` (0 to 1)
 * is the p-value that the record is luck, null in the standings of the comparison, which leave it to the record's own page, `profitableMonths` counts among the months in which a bet stood.
 */
export const statisticsViewSchema = summaryViewSchema.extend({
  window: windowSchema.nullable(),
  firstSettledAt: momentSchema.nullable(),
  lastSettledAt: momentSchema.nullable(),
  advised: courseViewSchema,
  level: courseViewSchema,
  longestLosingRun: z.int().min(0),
  currentLosingRun: z.int().min(0),
  followers: z.object({
    after5: followerViewSchema,
    after15: followerViewSchema,
    after60: followerViewSchema,
    close: followerViewSchema,
  }),
});

/** The statistics of a record over a window. */
export type StatisticsView = z.infer<typeof statisticsViewSchema>;

/** A bucket of a breakdown: its key, the words for it, and what its sums say. */
export const breakdownRowSchema = summaryViewSchema.extend({ key: z.string(), label: z.string() });

/** A bucket of a breakdown. */
export type BreakdownRow = z.infer<typeof breakdownRowSchema>;

/** Spec §7: a breakdown of a record over a window, its rows in the order to show them. */
export const breakdownViewSchema = z.object({
  kind: z.enum(breakdownKinds),
  window: windowSchema.nullable(),
  rows: z.array(breakdownRowSchema),
});

/** A breakdown of a record over a window. */
export type BreakdownView = z.infer<typeof breakdownViewSchema>;

/** Spec §7, month-overview: the years of a record, newest first, each with its twelve months (null without tips) and its total. */
export const monthOverviewSchema = z.object({
  window: windowSchema.nullable(),
  years: z.array(
    z.object({ year: z.int(), months: z.array(breakdownRowSchema.nullable()).length(12), total: summaryViewSchema }),
  ),
});

/** The years and months of a record. */
export type MonthOverview = z.infer<typeof monthOverviewSchema>;

/** Spec §7, recent-form: the last tips settled, oldest first, one letter each: W a profit, L a loss, V the stake back. */
export const recentFormSchema = z.object({
  letters: z.string().regex(/^[WLV]*$/),
  summary: summaryViewSchema,
  window: windowSchema.nullable(),
});

/** The last tips settled. */
export type RecentForm = z.infer<typeof recentFormSchema>;

/** A point of the profit curve: after this many bets, at this moment, the cumulative profit in hundredths of a unit. */
export const curvePointSchema = z.object({ tips: z.int().min(0), at: momentSchema, profitHundredths: exactSchema });

/** A point of the profit curve. */
export type CurvePoint = z.infer<typeof curvePointSchema>;
