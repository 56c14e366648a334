import { z } from 'zod';
import { amountFields, amountsOf, moneyCurrencyIdSchema, orderStatuses, receiptSchema } from '@/lib/money/schema';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { staffOrderSchema } from '@/lib/staff/schema';

/** Product §8: how many portfolios a team has at most, and how many days lie between two changes of it. */
export const proTeam = { places: 5, switchDays: 7 } as const;

/** Product §8: the periods that a plan is for. */
export const planPeriods = ['week', 'month', 'quarter', 'year'] as const;

/** Product §8: the period that a plan is for. */
export type PlanPeriod = (typeof planPeriods)[number];

const planPeriodSchema = z.enum(planPeriods);

/** Ours: the bounds of what a tipster sells: prices in minor units, days of a trial, members. */
export const planLimits = { leastMinor: 100, mostMinor: 1_000_000, mostTrialDays: 31, mostMembers: 100_000 } as const;

const amountSchema = z
  .int('a price is a whole number of minor units')
  .min(planLimits.leastMinor, 'a price is 1.00 at least')
  .max(planLimits.mostMinor, 'a price is 10,000.00 at most');

const planPriceSchema = z.strictObject({ currencyId: moneyCurrencyIdSchema, amountMinor: amountSchema });

const promises = {
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

const isUnique = (values: readonly unknown[]) => new Set(values).size === values.length;

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

const couponCodeSchema = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{3,20}$/, 'a coupon is 3 to 20 letters and digits');

/** Ours: the bounds of a coupon: payments that it is for, uses, coupons of a portfolio. */
export const couponLimits = { mostPeriods: 60, mostUses: 1_000_000, mostCoupons: 200 } as const;

/**
 * The body of POST /user/portfolio/{reference}/coupons: percent or an amount in the main currency off, for the first so many payments or, with null, for every
 * one; for which plans, for all where none is named; how often, until when, and whether once each.
 */
export const couponInputSchema = z
  .strictObject({
    code: couponCodeSchema,
    percent: z.int().min(1, 'takes off 1 % at least').max(100, 'takes off 100 % at most').nullable().default(null),
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

const countText = (least: number, most: number) => {
  const why = `Write a whole number from ${least} to ${most}, or nothing.`;
  return z
    .string()
    .trim()
    .regex(/^\d{0,7}$/, why)
    .transform((text) => (text === '' ? null : Number(text)))
    .refine((count) => count === null || (count >= least && count <= most), why);
};

/** Ours (0073): the body of POST /admin/coupons, as its form sends it: percent or an amount in one currency off; an empty field is no bound. The last day counts whole, in UTC. */
export const siteCouponOrderSchema = staffOrderSchema
  .extend({
    action: z.literal('coupon.create'),
    code: couponCodeSchema,
    percent: countText(1, 100),
    ...amountFields('off', { least: 1, most: planLimits.mostMinor }),
    payments: countText(1, couponLimits.mostPeriods),
    plan: z.literal('').or(planPeriodSchema),
    mostUses: countText(1, couponLimits.mostUses),
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

/** The body of POST /user/orders: which plan of which portfolio (of Tipledger Pro where none is named), in which currency, with which coupon; and the price that was shown, so that no other is charged. */
export const checkoutInputSchema = z.strictObject({
  portfolio: portfolioReferenceSchema.optional(),
  period: planPeriodSchema,
  currencyId: moneyCurrencyIdSchema.optional(),
  coupon: couponCodeSchema.optional(),
  amountMinor: z.int().min(0),
});

/** What is bought. */
export type CheckoutInput = z.input<typeof checkoutInputSchema>;

/** The query of GET /user/checkout: what would be bought, to be told its terms. */
export const termsQuerySchema = z.strictObject({
  portfolio: portfolioReferenceSchema.optional(),
  period: planPeriodSchema,
  currencyId: z.coerce.number().pipe(moneyCurrencyIdSchema).optional(),
  coupon: z.string().max(20).optional(),
});

/** What is charged now and later, and how to leave: kept with the order as it was shown. */
export const termsSchema = z.object({
  period: planPeriodSchema,
  currencyId: moneyCurrencyIdSchema,
  fullMinor: z.int(),
  amountMinor: z.int(),
  trialDays: z.int(),
  renewsAt: z.iso.datetime(),
  renewalMinor: z.int(),
  coolingOffDays: z.int(),
  coupon: z.string().nullable(),
  ...promises,
});

/** What is charged now and later, and how to leave. */
export type Terms = z.infer<typeof termsSchema>;

/** Spec §3, product §8: an order of the viewer's. `_expires` is until when it can be paid; `payUrl` is where, null once nothing is to be paid. Without a portfolio it is Tipledger Pro that is ordered. */
export const orderViewSchema = z.object({
  reference: z.string(),
  status: z.enum(orderStatuses),
  because: z.string().nullable(),
  portfolioReference: z.string().nullable(),
  portfolioName: z.string(),
  terms: termsSchema,
  amountMinor: z.int(),
  taxMinor: z.int(),
  currencyId: moneyCurrencyIdSchema,
  payUrl: z.string().nullable(),
  membership: z.string().nullable(),
  _expires: z.iso.datetime(),
});

/** An order of the viewer's. */
export type OrderView = z.infer<typeof orderViewSchema>;

/** Product §8: the state of a membership. */
export const membershipStates = ['trial', 'active', 'past due', 'cancelled', 'ended'] as const;

/** Product §8: the state of a membership. */
export type MembershipState = (typeof membershipStates)[number];

/** A membership of the viewer's. One that was given, not bought, has no reference and no price. `refundMinor` is what the member can have back now, null where cooling-off is over. One without a portfolio is Tipledger Pro. `promised` is what the period that runs was sold with, `verdict` how the last one that was judged came out by the record. */
export const membershipViewSchema = z.object({
  reference: z.string().nullable(),
  portfolioReference: z.string().nullable(),
  name: z.string(),
  demo: z.boolean(),
  state: z.enum(membershipStates),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  period: planPeriodSchema.nullable(),
  currencyId: moneyCurrencyIdSchema.nullable(),
  renewalMinor: z.int().nullable(),
  renewsAt: z.iso.datetime().nullable(),
  refundMinor: z.int().nullable(),
  refundUntil: z.iso.datetime().nullable(),
  because: z.string().nullable(),
  promised: z.object(promises).nullable(),
  verdict: z.object({ kept: z.boolean(), tips: z.int(), profitHundredths: z.int(), at: z.iso.datetime() }).nullable(),
});

/** A membership of the viewer's. */
export type MembershipView = z.infer<typeof membershipViewSchema>;

/** The answer of GET /user/memberships. */
export const membershipsSchema = z.object({
  running: z.array(membershipViewSchema),
  past: z.array(membershipViewSchema),
  receipts: z.array(receiptSchema),
});

/** The memberships of the viewer. */
export type Memberships = z.infer<typeof membershipsSchema>;

const referenceSchema = z.string().regex(/^[a-z0-9]{10}$/, 'is not such a reference');

/** The path of a call about an order. */
export const orderParamsSchema = z.object({ order: referenceSchema });

/** The path of a call about a membership. */
export const membershipParamsSchema = z.object({ membership: referenceSchema });

/** Spec §7: what a portfolio earned, in minor units: now, by month and plan, who came and left in 30 days, the shares of Pro by month, and how many promised periods were kept and missed. */
export const earningsSchema = z.object({
  balances: z.array(
    z.object({ currencyId: moneyCurrencyIdSchema, heldMinor: z.int(), payableMinor: z.int(), paidMinor: z.int() }),
  ),
  months: z.array(
    z.object({
      month: z.string(),
      period: planPeriodSchema,
      currencyId: moneyCurrencyIdSchema,
      sales: z.int(),
      soldMinor: z.int(),
      discountMinor: z.int(),
      refundedMinor: z.int(),
      chargedBackMinor: z.int(),
      feeMinor: z.int(),
      earnedMinor: z.int(),
    }),
  ),
  members: z.object({ now: z.int(), new: z.int(), left: z.int(), leaving: z.int() }),
  shares: z.array(z.object({ month: z.string(), currencyId: moneyCurrencyIdSchema, earnedMinor: z.int() })),
  promises: z.object({ kept: z.int(), missed: z.int() }),
});

/** What a portfolio earned. */
export type Earnings = z.infer<typeof earningsSchema>;

/** Spec §7: GET /user/portfolio/{reference}/membership/{id}: who a member is, as the owner sees it. */
export const memberSchema = z.object({
  reference: z.string(),
  username: z.string(),
  period: planPeriodSchema,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  isRunning: z.boolean(),
});

/** The path of a call about a member of one’s own portfolio. */
export const memberParamsSchema = z.object({ reference: portfolioReferenceSchema, id: referenceSchema });

/** The body of POST /user/portfolio/{reference}/payout. */
export const payoutInputSchema = z.strictObject({ currencyId: moneyCurrencyIdSchema });

/** How much is on its way to the tipster. */
export const payoutSchema = z.object({ amountMinor: z.int() });

/** A portfolio that takes part in Pro. */
export const proPortfolioSchema = z.object({
  reference: z.string(),
  name: z.string(),
  owner: z.string(),
  demo: z.boolean(),
});

/** A portfolio that takes part in Pro. */
export type ProPortfolio = z.infer<typeof proPortfolioSchema>;

/**
 * Product §8: where the viewer stands with Tipledger Pro: whether it runs, the team with since when each is in it, how many places it has, who
 * else can be chosen, and from when the team may be changed again; null where it may be changed now.
 */
export const proStandingSchema = z.object({
  running: z.boolean(),
  places: z.int(),
  team: z.array(proPortfolioSchema.extend({ since: z.iso.datetime() })),
  candidates: z.array(proPortfolioSchema),
  switchFrom: z.iso.datetime().nullable(),
});

/** Where a member stands with Pro. */
export type ProStanding = z.infer<typeof proStandingSchema>;

/** The body of PUT /user/pro/team: the portfolios that take the places which are free. */
export const proTeamInputSchema = z.strictObject({
  portfolios: z
    .array(portfolioReferenceSchema)
    .min(1, 'choose a portfolio at least')
    .max(proTeam.places, `a team has ${proTeam.places} portfolios at most`)
    .refine(isUnique, 'name each portfolio once'),
});

/** The body of POST /user/pro/switch: who leaves the team, and who comes in their place. */
export const proSwitchInputSchema = z.strictObject({ out: portfolioReferenceSchema, in: portfolioReferenceSchema });

/** The body of PUT /user/portfolio/{reference}/pro: whether the portfolio takes part in Pro. */
export const proPartSchema = z.strictObject({ tipledgerPro: z.boolean() });

/** Product §8: the periods that Pro is sold for. */
export const proPeriods = ['month', 'year'] as const;
