import { z } from 'zod';
import { moneyCurrencyIdSchema } from '@/lib/money/schema';

/** Product §8: the periods that a plan is for. */
export const planPeriods = ['week', 'month', 'quarter', 'year'] as const;

/** Product §8: the period that a plan is for. */
export type PlanPeriod = (typeof planPeriods)[number];

/** The period of a plan in a body. */
export const planPeriodSchema = z.enum(planPeriods);

/** Ours: the bounds of what a tipster sells: prices in minor units, days of a trial, members. */
export const planLimits = { leastMinor: 100, mostMinor: 1_000_000, mostTrialDays: 31, mostMembers: 100_000 } as const;

const amountSchema = z
  .int('a price is a whole number of minor units')
  .min(planLimits.leastMinor, 'a price is 1.00 at least')
  .max(planLimits.mostMinor, 'a price is 10,000.00 at most');

/** A price of a plan. */
export const planPriceSchema = z.strictObject({ currencyId: moneyCurrencyIdSchema, amountMinor: amountSchema });

/** What a plan promises, in a body. */
export const promises = {
  tipsPromised: z
    .int()
    .min(1, 'promise one tip at least')
    .max(500, 'promise 500 tips at most')
    .nullable()
    .default(null),
  profitOrFree: z.boolean().default(false),
};

const planSchema = z.strictObject({
  period: planPeriodSchema,
  onSale: z.boolean(),
  prices: z.array(planPriceSchema),
  ...promises,
});

/** Product §8: what a plan promises for each period that is sold: so many settled tips; that one without profit is followed by one at no charge. */
export type Promises = { tipsPromised: number | null; profitOrFree: boolean };

/** A plan: for which period, at which price in each currency, on sale or not. */
export type Plan = z.infer<typeof planSchema>;

/** True where no value stands twice. */
export const isUnique = (values: readonly unknown[]) => new Set(values).size === values.length;

/** The body of PUT /user/portfolio/{reference}/plans: everything that the portfolio sells. */
export const plansInputSchema = z
  .strictObject({
    mainCurrencyId: moneyCurrencyIdSchema,
    trialDays: z.int().min(0).max(planLimits.mostTrialDays, 'a trial is 31 days at most').default(0),
    memberLimit: z.int().min(1, 'a limit is one member at least').max(planLimits.mostMembers).nullable().default(null),
    plans: z.array(planSchema).max(planPeriods.length),
  })
  .refine(({ plans }) => isUnique(plans.map(({ period }) => period)), {
    path: ['plans'],
    message: 'name each period once',
  })
  .refine(({ plans }) => plans.every(({ prices }) => isUnique(prices.map(({ currencyId }) => currencyId))), {
    path: ['plans'],
    message: 'name each currency once',
  })
  .refine(
    ({ plans, mainCurrencyId }) =>
      plans.every(({ onSale, prices }) => !onSale || prices.some(({ currencyId }) => currencyId === mainCurrencyId)),
    { path: ['plans'], message: 'a plan on sale needs a price in the main currency' },
  );

/** Everything that a portfolio sells. */
export type PlansInput = z.input<typeof plansInputSchema>;

/** What a portfolio sells, as its owner sets it. */
export const ownPlansSchema = z.object({
  mainCurrencyId: moneyCurrencyIdSchema,
  trialDays: z.int(),
  memberLimit: z.int().nullable(),
  members: z.int(),
  plans: z.array(planSchema),
});

/** What a portfolio sells, as its owner sets it. */
export type OwnPlans = z.infer<typeof ownPlansSchema>;

/** What a portfolio sells, as everybody sees it: the plans on sale, the shortest first; `open` is false where nobody can join, `why` says why not. */
export const saleSchema = z.object({
  portfolioReference: z.string().nullable(),
  mainCurrencyId: moneyCurrencyIdSchema,
  trialDays: z.int(),
  open: z.boolean(),
  why: z.string().nullable(),
  plans: z.array(z.object({ period: planPeriodSchema, prices: z.array(planPriceSchema), ...promises })),
});

/** What a portfolio sells, as everybody sees it. */
export type SaleView = z.infer<typeof saleSchema>;
