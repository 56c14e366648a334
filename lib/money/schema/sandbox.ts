import { z } from 'zod';
import { moneyCurrencyIdSchema } from './currencies';

/** Product §8: what the payer may choose on the page of the sandbox. */
export const sandboxOutcomes = [
  'success',
  'pending',
  'cancelled',
  'declined',
  'authentication-needed',
  'declined-later',
  'chargeback-later',
  'confirm',
  'refuse',
] as const;

/** What the payer chose on the page of the sandbox. */
export type SandboxOutcome = (typeof sandboxOutcomes)[number];

/** The body of POST /sandbox/payments/{payment}. */
export const sandboxChoiceSchema = z.strictObject({ outcome: z.enum(sandboxOutcomes) });

/** The path of a call about a payment of the sandbox. */
export const sandboxParamsSchema = z.object({
  payment: z.string().regex(/^[a-z0-9]{20}$/, 'is not the reference of a payment'),
});

/** A payment as the page of the sandbox shows it. */
export const sandboxPaymentSchema = z.object({
  reference: z.string(),
  status: z.enum(['started', 'pending', 'succeeded', 'failed', 'cancelled', 'disputed']),
  step: z.enum(['choose', 'authenticate', 'done']),
  amountMinor: z.int(),
  currencyId: moneyCurrencyIdSchema,
  description: z.string(),
  returnPath: z.string().nullable(),
});

/** A payment as the page of the sandbox shows it. */
export type SandboxPayment = z.infer<typeof sandboxPaymentSchema>;
