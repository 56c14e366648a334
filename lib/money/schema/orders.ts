import { z } from 'zod';
import { moneyCurrencyIdSchema } from './currencies';

/** Product §8: the states of an order; it moves forward only. */
export const orderStatuses = ['open', 'processing', 'paid', 'failed', 'cancelled', 'expired'] as const;

/** Product §8: the state of an order. */
export type OrderStatus = (typeof orderStatuses)[number];

/** The states of a payment at its provider; it moves forward only, from success to a dispute at most. */
export type PaymentStatus = 'started' | 'pending' | 'succeeded' | 'failed' | 'cancelled' | 'disputed';

/** Product §8: a receipt; a refund has one of its own, with amounts below zero. */
export const receiptSchema = z.object({
  number: z.int(),
  issuedAt: z.iso.datetime(),
  currencyId: moneyCurrencyIdSchema,
  amountMinor: z.int(),
  taxMinor: z.int(),
  order: z.string(),
  isRefund: z.boolean(),
  description: z.string(),
  periodStartsAt: z.iso.datetime().nullable(),
  periodEndsAt: z.iso.datetime().nullable(),
  coupon: z.string().nullable(),
  discountMinor: z.int(),
});

/** A receipt. */
export type Receipt = z.infer<typeof receiptSchema>;
