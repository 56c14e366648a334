import { z } from 'zod';
import { moneyCurrencyIdSchema } from './currencies';

/** Product §8: the states of a payout: it waits for staff, was handed on to be paid, was paid, or came to nothing. */
export const payoutStatuses = ['asked', 'approved', 'paid', 'failed'] as const;

/** Product §8: a payout as its owner sees it, in minor units: when it was requested, since when it is as it is, and why it failed where somebody said why. */
export const ownPayoutSchema = z.object({
  at: z.iso.datetime(),
  changedAt: z.iso.datetime(),
  currencyId: moneyCurrencyIdSchema,
  amountMinor: z.int(),
  status: z.enum(payoutStatuses),
  because: z.string().nullable(),
});

/** A payout as its owner sees it. */
export type OwnPayout = z.infer<typeof ownPayoutSchema>;

/** Product §8: the answer of a request of a payout, in minor units: it waits for staff, is on its way, or was found at the provider, which had sent it before (0115). */
export const requestedPayoutSchema = z.object({
  amountMinor: z.int(),
  status: z.enum(['asked', 'approved', 'found']),
});

/** How much of what was payable was requested, and where it stands. */
export type RequestedPayout = z.infer<typeof requestedPayoutSchema>;

/** Product §8: the body and the answer of PUT /user/payouts, and the answer of GET: whether what is payable to the member is requested by itself each month. */
export const payoutChoiceSchema = z.strictObject({ monthly: z.boolean() });

/** Whether what is payable to a member is requested by itself each month. */
export type PayoutChoice = z.infer<typeof payoutChoiceSchema>;
