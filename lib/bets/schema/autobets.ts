import { z } from 'zod';
import { currencyIdSchema, sports } from '@/lib/reference/schema';
import { maxStakeMinor } from './bets';

const stakeSchema = z
  .int('must be a whole number of the smallest unit')
  .min(1, 'stake something')
  .max(maxStakeMinor, 'the stake is too large');

const sportReferences = sports.filter(({ enabled }) => enabled).map(({ reference }) => reference) as [
  string,
  ...string[],
];

/**
 * Product §8: what a member wants done with each tip of a portfolio: what one advised unit is to them and the most that a bet stakes, both in
 * minor units of the currency or hundredths of a unit; the shortest total price; the sports, all of them where none is named.
 */
export const autobetRuleInputSchema = z
  .strictObject({
    enabled: z.boolean(),
    unitMinor: stakeSchema,
    mostMinor: stakeSchema,
    currencyId: currencyIdSchema,
    leastOddsThousandths: z
      .int('must be a price in thousandths')
      .min(1_001, 'the shortest price is 1.001')
      .max(1_000_000, 'the longest price is 1000')
      .default(1_001),
    sports: z
      .array(z.enum(sportReferences, 'must be a sport on offer, such as football'))
      .max(sportReferences.length)
      .default([]),
  })
  .refine(({ unitMinor, mostMinor }) => mostMinor >= unitMinor / 10, {
    path: ['mostMinor'],
    message: 'the max stake is less than the smallest tip, a tenth of a unit',
  });

/** What a member wants done with each tip of a portfolio. */
export type AutobetRuleInput = z.input<typeof autobetRuleInputSchema>;

/** A rule as its member sees it, with how many tips became bets and how many were missed. */
export const autobetRuleViewSchema = z.object({
  portfolioReference: z.string(),
  portfolioName: z.string(),
  demo: z.boolean(),
  enabled: z.boolean(),
  unitMinor: z.int(),
  mostMinor: z.int(),
  currencyId: currencyIdSchema,
  leastOddsThousandths: z.int(),
  sports: z.array(z.string()),
  since: z.iso.datetime(),
  recorded: z.int(),
  missed: z.int(),
});

/** A rule as its member sees it. */
export type AutobetRuleView = z.infer<typeof autobetRuleViewSchema>;

/** Why a tip became no bet: its first leg had started; no bookmaker in the member's country had a price on all of it; the best one was shorter than the rule allows; the bet cannot be recorded as it is, or its stake not be parted each-way; the member takes a break from betting. */
export const missedReasons = ['started', 'no price', 'short price', 'refused', 'paused'] as const;

/** Why a tip became no bet. */
export type MissedReason = (typeof missedReasons)[number];

/** What a rule made of a tip: `betReference` null when it was missed, or taken out of the record since. */
export const autobetViewSchema = z.object({
  at: z.iso.datetime(),
  portfolioReference: z.string(),
  portfolioName: z.string(),
  tipReference: z.string(),
  stakeMinor: z.int(),
  currencyId: currencyIdSchema,
  oddsThousandths: z.int().nullable(),
  missed: z.enum(missedReasons).nullable(),
  betReference: z.string().nullable(),
});

/** What a rule made of a tip. */
export type AutobetView = z.infer<typeof autobetViewSchema>;

/** A member's rules, and what they last made of tips, the newest first. */
export const autobetsSchema = z.object({ rules: z.array(autobetRuleViewSchema), latest: z.array(autobetViewSchema) });

/** A member's rules, and what they last made of tips. */
export type Autobets = z.infer<typeof autobetsSchema>;

const countsSchema = z.object({
  recorded: z.int(),
  missed: z.array(z.object({ reason: z.enum(missedReasons), count: z.int() })),
});

/** Spec §7: what a portfolio's owner learns of autobets: how many rules are switched on, and what became of tips in the last seven days and in all. Of nobody in particular. */
export const autobetTotalsSchema = z.object({ rules: z.int(), week: countsSchema, all: countsSchema });

/** What a portfolio's owner learns of autobets. */
export type AutobetTotals = z.infer<typeof autobetTotalsSchema>;
