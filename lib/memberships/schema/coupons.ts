import { z } from 'zod';
import { amountFields, amountsOf, moneyCurrencyIdSchema } from '@/lib/money/schema';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { staffOrderSchema } from '@/lib/staff/schema';
import { isUnique, planLimits, planPeriods, planPeriodSchema } from './plans';

/** A code in a body: letters and digits, in capitals. */
export const couponCodeSchema = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{3,20}$/, 'a coupon is 3 to 20 letters and digits');

/** Ours: the bounds of a coupon: payments that it is for, uses, coupons of a portfolio. */
export const couponLimits = { mostPeriods: 60, mostUses: 1_000_000, mostCoupons: 200 } as const;

const percentBounds = 'enter a whole number from 1 to 100';

/**
 * The body of POST /user/portfolio/{reference}/coupons: percent or an amount in the main currency off, for the first so many payments or, with null, for every
 * one; for which plans, for all where none is named; how often, until when, and whether once each.
 */
export const couponInputSchema = z
  .strictObject({
    code: couponCodeSchema,
    percent: z.int(percentBounds).min(1, percentBounds).max(100, percentBounds).nullable().default(null),
    amountMinor: z.int().min(1, 'takes something off').max(planLimits.mostMinor).nullable().default(null),
    periods: z.int().min(1, 'is for one payment at least').max(couponLimits.mostPeriods).nullable().default(1),
    plans: z.array(planPeriodSchema).max(planPeriods.length).default([]),
    mostUses: z.int().min(1, 'can be used once at least').max(couponLimits.mostUses).nullable().default(null),
    onceEach: z.boolean().default(true),
    endsAt: z.iso.datetime().nullable().default(null),
  })
  .refine(({ percent, amountMinor }) => (percent === null) !== (amountMinor === null), {
    path: ['percent'],
    message: 'give either percent or an amount',
  })
  .refine(({ plans }) => isUnique(plans), { path: ['plans'], message: 'name each plan once' });

/** A coupon to be made. */
export type CouponInput = z.input<typeof couponInputSchema>;

/** A coupon of one's own: what it takes off, how often it was used, and since when it is ended, null while it is not. */
export const couponSchema = z.object({
  id: z.int(),
  code: z.string(),
  percent: z.int().nullable(),
  amountMinor: z.int().nullable(),
  currencyId: moneyCurrencyIdSchema.nullable(),
  periods: z.int().nullable(),
  plans: z.array(planPeriodSchema),
  mostUses: z.int().nullable(),
  uses: z.int(),
  onceEach: z.boolean(),
  endsAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
});

/** A coupon of one's own. */
export type Coupon = z.infer<typeof couponSchema>;

/** The path of a call about a coupon of the site. */
export const siteCouponParamsSchema = z.object({ code: couponCodeSchema });

const countText = (most: number) => {
  const why = `Write a whole number from 1 to ${most}, or nothing.`;
  return z
    .string()
    .trim()
    .regex(/^\d{0,7}$/, why)
    .transform((text) => (text === '' ? null : Number(text)))
    .refine((count) => count === null || (count >= 1 && count <= most), why);
};

/** Ours (0073): the body of POST /admin/coupons, as its form sends it: percent or an amount in one currency off; an empty field is no bound. The last day counts whole, in UTC. */
export const siteCouponOrderSchema = staffOrderSchema
  .extend({
    action: z.literal('coupon.create'),
    code: couponCodeSchema,
    percent: countText(100),
    ...amountFields('off', { least: 1, most: planLimits.mostMinor }),
    payments: countText(couponLimits.mostPeriods),
    plan: z.literal('').or(planPeriodSchema),
    mostUses: countText(couponLimits.mostUses),
    onceEach: z.stringbool({ truthy: ['true'], falsy: ['false'] }),
    lastDay: z.literal('').or(z.iso.date('Write a day, or nothing.')),
  })
  .refine((given) => [given.percent !== null, ...amountsOf('off', given)].filter(Boolean).length === 1, {
    path: ['percent'],
    message: 'Give either percent or an amount in one currency.',
  });

/** What staff order a coupon of the site to be. */
export type SiteCouponOrder = z.output<typeof siteCouponOrderSchema>;

/** The path of a call about a coupon of one's own. */
export const couponParamsSchema = z.object({ reference: portfolioReferenceSchema, code: couponCodeSchema });
