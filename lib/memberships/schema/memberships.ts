import { z } from 'zod';
import { cardSchema, moneyCurrencyIdSchema, orderStatuses, ownPayoutSchema, receiptSchema } from '@/lib/money/schema';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { couponCodeSchema } from './coupons';
import { planPeriodSchema, promises } from './plans';

/** The body of POST /user/orders: which plan of which portfolio (of Tipledger Pro where none is named), in which currency, with which coupon; and the price that was shown, so that no other is charged, with the mark of all terms beside it (`markOfTerms`), so that no others are ordered. */
export const checkoutInputSchema = z.strictObject({
  portfolio: portfolioReferenceSchema.optional(),
  period: planPeriodSchema,
  currencyId: moneyCurrencyIdSchema.optional(),
  coupon: couponCodeSchema.optional(),
  amountMinor: z.int().min(0),
  seen: z.string().max(200).optional(),
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
  /** The part of `amountMinor` that is tax. */
  taxMinor: z.int().default(0),
  coupon: z.string().nullable(),
  /** Of how many payments, from the first that is charged, the coupon takes something off; null for all of them, and without a coupon. */
  couponPeriods: z.int().nullable().default(null),
  ...promises,
});

/** What is charged now and later, and how to leave. */
export type Terms = z.infer<typeof termsSchema>;

/** Spec §3, product §8: an order of the viewer's. `_expires` is until when it can be paid; `payUrl` is where, null once nothing is to be paid; `charged` is whether a payment was taken, `givenBackMinor` what of it went back, `runs` whether the membership that it opened has not ended, `closed` whether the portfolio was closed and takes nobody any more. Without a portfolio it is Tipledger Pro that is ordered. */
export const orderViewSchema = z.object({
  reference: z.string(),
  status: z.enum(orderStatuses),
  because: z.string().nullable(),
  portfolioReference: z.string().nullable(),
  portfolioName: z.string(),
  terms: termsSchema,
  amountMinor: z.int(),
  taxMinor: z.int(),
  charged: z.boolean(),
  givenBackMinor: z.int(),
  currencyId: moneyCurrencyIdSchema,
  payUrl: z.string().nullable(),
  membership: z.string().nullable(),
  runs: z.boolean(),
  closed: z.boolean(),
  _expires: z.iso.datetime(),
});

/** An order of the viewer's. */
export type OrderView = z.infer<typeof orderViewSchema>;

/** Product §8: the state of a membership. */
export const membershipStates = ['trial', 'active', 'past due', 'cancelled', 'ended'] as const;

/** Product §8: the state of a membership. */
export type MembershipState = (typeof membershipStates)[number];

/** What is charged after the last payment that a coupon takes something off: behind how many payments of all, and how much. */
export const afterCouponSchema = z.object({ payments: z.int(), amountMinor: z.int() });

/** What is charged after the last payment that a coupon takes something off. */
export type AfterCoupon = z.infer<typeof afterCouponSchema>;

/** A membership of the viewer's. One that was given, not bought, has no reference and no price. `afterCoupon` is null where the next renewal is at the price that stays. `refundMinor` is what the member can have back now, null where cooling-off is over. One without a portfolio is Tipledger Pro. `promised` is what the period that runs was sold with, `verdict` how the last one that was judged came out by the record, `card` what renewals are charged to, null where nothing more is charged, and `needsCard` is whether it ends instead of being renewed unless another card is given. */
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
  afterCoupon: afterCouponSchema.nullable(),
  renewsAt: z.iso.datetime().nullable(),
  refundMinor: z.int().nullable(),
  refundUntil: z.iso.datetime().nullable(),
  because: z.string().nullable(),
  card: cardSchema.nullable(),
  needsCard: z.boolean(),
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

/** Product §8: a posting of the books behind a row of the earnings: what it books, of which order, and what each account of it got (below zero: gave), in minor units. */
const earningPostingSchema = z.object({
  at: z.iso.datetime(),
  kind: z.enum(['sale', 'refund', 'chargeback', 'affiliate', 'affiliate-back', 'fee', 'share', 'share-back']),
  order: z.string(),
  lines: z.array(z.object({ account: z.string(), currencyId: moneyCurrencyIdSchema, amountMinor: z.int() })),
});

/** A posting of the books behind a row of the earnings. */
export type EarningPosting = z.infer<typeof earningPostingSchema>;

/** What is owed to the owner of a portfolio in a currency, in minor units: held until cooling-off is over, payable, on the way since its payout was requested, paid. */
const balanceSchema = z.object({
  currencyId: moneyCurrencyIdSchema,
  heldMinor: z.int(),
  payableMinor: z.int(),
  onTheWayMinor: z.int(),
  paidMinor: z.int(),
});

/** What is owed to the owner of a portfolio in a currency. */
export type EarningBalance = z.infer<typeof balanceSchema>;

const postingsOfRow = {
  postings: z.array(earningPostingSchema),
  /** Postings of the row that are not among those, but in the file. */
  morePostings: z.int(),
};

/** Spec §7: what a portfolio earned, in minor units: now, its payouts, by month and plan with what affiliates took of the fee and the newest of the postings behind it, who came and left in 30 days, the shares of Pro by month with the newest of theirs, and how many promised periods were kept and missed. */
export const earningsSchema = z.object({
  balances: z.array(balanceSchema),
  payouts: z.array(ownPayoutSchema),
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
      affiliateMinor: z.int(),
      earnedMinor: z.int(),
      ...postingsOfRow,
    }),
  ),
  members: z.object({
    now: z.int(),
    new: z.int(),
    left: z.int(),
    leaving: z.int(),
    /** Of those who were members 30 days ago, how many per cent have left; null where there were none. */
    churnPercent: z.number().nullable(),
  }),
  shares: z.array(
    z.object({ month: z.string(), currencyId: moneyCurrencyIdSchema, earnedMinor: z.int(), ...postingsOfRow }),
  ),
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
