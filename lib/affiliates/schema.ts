import { z } from 'zod';
import { amountFields, moneyCurrencyIdSchema, ownPayoutSchema } from '@/lib/money/schema';
import { staffOrderSchema } from '@/lib/staff/schema';

const feeSchema = z.object({ currencyId: moneyCurrencyIdSchema, amountMinor: z.int() });

/**
 * Product §8: where the viewer stands as an affiliate: the code, null for who is none; what a new buyer's first paid membership earns by currency; and what
 * came of the link so far. Amounts in minor units; `held` until cooling-off is over, on the way from the request of a payout until it was paid or came to nothing.
 */
export const affiliateSchema = z.object({
  code: z.string().nullable(),
  fees: z.array(feeSchema),
  visits: z.int(),
  signUps: z.int(),
  sales: z.int(),
  returned: z.int(),
  balances: z.array(
    z.object({
      currencyId: moneyCurrencyIdSchema,
      heldMinor: z.int(),
      payableMinor: z.int(),
      onTheWayMinor: z.int(),
      paidMinor: z.int(),
    }),
  ),
  payouts: z.array(ownPayoutSchema),
  months: z.array(z.object({ month: z.string(), visits: z.int(), signUps: z.int(), sales: z.int() })),
});

/** Where somebody stands as an affiliate. */
export type Affiliate = z.infer<typeof affiliateSchema>;

/** The body of POST /affiliates/visits: the code that the visitor came with. */
export const visitSchema = z.strictObject({
  code: z.string().regex(/^[a-zA-Z0-9]{1,64}$/, 'a code is letters and digits'),
});

/**
 * Ours (0074): the body of POST /admin/affiliates, as its form sends it: what is paid for a new buyer's first paid membership in every currency, empty
 * for nothing. `seen` is what `markOfAmounts` gave for the fees that staff saw.
 */
export const feesOrderSchema = staffOrderSchema.extend({
  action: z.literal('affiliates.fees'),
  seen: z.string().max(200),
  ...amountFields('fee', { least: 1, most: 100_000 }),
});

/** What staff order affiliates to earn. */
export type FeesOrder = z.output<typeof feesOrderSchema>;

/** What affiliates earn, by currency, in minor units. */
export type Fees = { fees: z.infer<typeof feeSchema>[] };
