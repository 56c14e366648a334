import { z } from 'zod';
import { currencies, CurrencyId } from '@/lib/reference/schema';

/** Product §8: the currencies of spec §3 that are money; UNITS is none. */
export const moneyCurrencies = currencies.filter(({ id }) => id !== CurrencyId.UNITS);

/** Product §8: accepts the id of a currency that is money. */
export const moneyCurrencyIdSchema = z.enum(
  {
    GBP: CurrencyId.GBP,
    EUR: CurrencyId.EUR,
    USD: CurrencyId.USD,
    CAD: CurrencyId.CAD,
    JPY: CurrencyId.JPY,
    CNY: CurrencyId.CNY,
  },
  'must be the id of a currency that one can pay in',
);

/** The id of a currency that is money. */
export type MoneyCurrencyId = z.infer<typeof moneyCurrencyIdSchema>;

/** Product §8: the states of an order; it moves forward only. */
export const orderStatuses = ['open', 'processing', 'paid', 'failed', 'cancelled', 'expired'] as const;

/** Product §8: the state of an order. */
export type OrderStatus = (typeof orderStatuses)[number];

/** The states of a payment at its provider; it moves forward only, from success to a dispute at most. */
export type PaymentStatus = 'started' | 'pending' | 'succeeded' | 'failed' | 'cancelled' | 'disputed';

/** A payment as its provider tells it: `failure` says in a sentence why it failed, `method` what was kept to charge again. */
export type ProviderPayment = {
  status: PaymentStatus;
  amountMinor: number;
  currencyId: MoneyCurrencyId;
  method: { id: string; label: string } | null;
  failure: string | null;
};

/** What a provider is asked for: to be paid so much, under a reference that makes asking twice one payment. */
export type AskedPayment = {
  reference: string;
  amountMinor: number;
  currencyId: MoneyCurrencyId;
  description: string;
  /** Who pays, by a name that tells a provider nothing. */
  customer: string;
};

/**
 * Product §8: what every provider of payments does, and no more. Each is asked outside any transaction, and asking again with the same
 * reference gives the same payment, refund or payout.
 */
export type Provider = {
  name: string;
  /** Opens a page where the payer chooses how to pay, and keeps the means of payment; gives its address. */
  startCheckout: (asked: AskedPayment & { expiresAt: Date; returnPath: string }) => Promise<{ url: string }>;
  /** Charges a means of payment that was kept, while the payer is away. */
  charge: (asked: AskedPayment & { method: string }) => Promise<ProviderPayment>;
  /** The payment of a reference as it stands, null where the provider has none. */
  read: (reference: string) => Promise<ProviderPayment | null>;
  /** Closes a page that nobody has paid on; gives the payment as it stands then. */
  close: (reference: string) => Promise<ProviderPayment | null>;
  refund: (asked: {
    reference: string;
    payment: string;
    amountMinor: number;
    currencyId: MoneyCurrencyId;
  }) => Promise<void>;
  payOut: (asked: {
    reference: string;
    owner: string;
    amountMinor: number;
    currencyId: MoneyCurrencyId;
  }) => Promise<void>;
  /** The references of payments that were disputed since a moment. */
  listDisputed: (since: Date) => Promise<string[]>;
  /** The reference of the payment that a notice is about; null for one that is not the provider's. */
  verifyNotice: (headers: Readonly<Record<string, string>>, body: string) => string | null;
};

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
});

/** A receipt. */
export type Receipt = z.infer<typeof receiptSchema>;

/** The kinds of accounts in the books: those of the house, and those of one owner each. */
export type AccountKind =
  | 'clearing'
  | 'fees'
  | 'tax'
  | 'platform'
  | 'refunds'
  | 'chargebacks'
  | 'held'
  | 'payable'
  | 'affiliate-held'
  | 'affiliate-payable'
  | 'payouts';

/** A line of a posting: what it adds to an account, in minor units; above zero it is owed to the account's owner. */
export type PostingLine = { owner: number | null; kind: AccountKind; amountMinor: number };
