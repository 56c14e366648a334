import { z } from 'zod';
import { optionalUtcMomentSchema, seenMarkSchema, staffOrderSchema, staffOutcomeSchema } from '@/lib/staff/schema';

/** Product §8, §11: the body of POST /admin/tax-rates: a country by its two letters, per cent of the price without tax (kept in thousandths), and from when in UTC, at once where it is empty. */
export const taxRateOrderSchema = staffOrderSchema.extend({
  action: z.literal('tax.rate'),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'Choose a country.'),
  percent: z
    .string()
    .trim()
    .regex(/^\d{1,3}(\.\d)?$/, 'Enter per cent such as 20 or 5.5.')
    .transform((given) => Math.round(Number(given) * 10))
    .pipe(z.int().max(1000, 'Enter 100 at most.')),
  from: optionalUtcMomentSchema,
  seen: seenMarkSchema,
});

/** What setting a rate changed, or would change: a preview gives the mark by which it is done as it was shown. */
export const taxRateOutcomeSchema = staffOutcomeSchema.extend({ mark: z.string().nullable() });

/** What setting a rate changed, or would change. */
export type TaxRateOutcome = z.infer<typeof taxRateOutcomeSchema>;

/** What staff order of a rate of tax. */
export type TaxRateOrder = z.infer<typeof taxRateOrderSchema>;
