import { z } from 'zod';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';

/**
 * Where an owner stands with being paid out to: whether the provider has an account of theirs at all, whether that can take transfers of ours, charges of its own, and be paid on to a bank; and what
 * the provider still needs, by its names of it. `isLost` where the account is there no more for us.
 */
export const payeeSchema = z.object({
  known: z.boolean(),
  transfers: z.boolean(),
  charges: z.boolean(),
  payouts: z.boolean(),
  needed: z.array(z.string()),
  isLost: z.boolean(),
});

/** Where an owner stands with being paid out to. */
export type Payee = z.infer<typeof payeeSchema>;

/** The answer of GET /user/payee: null where the provider needs nothing of the member. */
export const payeeViewSchema = z.object({ payee: payeeSchema.nullable() });

/** The answer of GET /user/payee. */
export type PayeeView = z.infer<typeof payeeViewSchema>;

/** The body of POST /user/payee: the portfolio whose earnings the member comes back to; none for an affiliate. */
export const payeeInputSchema = z.strictObject({ portfolio: portfolioReferenceSchema.optional() });

/** From where the member comes to be paid. */
export type PayeeInput = z.infer<typeof payeeInputSchema>;

/** The answer of POST /user/payee: the address of the provider's pages. */
export const payeePageSchema = z.object({ url: z.string() });
