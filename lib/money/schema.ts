import { z } from 'zod';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { currencies, CurrencyId } from '@/lib/reference/schema';
import { staffOrderSchema } from '@/lib/staff/schema';

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

type Currency = (typeof currencies)[number];

/** The code of a currency that is money. */
export type MoneyCode = keyof typeof moneyCurrencyIdSchema.enum;

const amountTextSchema = ({ code, minorDigits }: Currency, { least, most }: { least: number; most: number }) => {
  const words = (minor: number) => amountText(minor, minorDigits);
  const why = `Write an amount in ${code} from ${words(least)} to ${words(most)}${minorDigits > 0 ? `, with ${minorDigits} decimals at most` : ', in whole numbers'}, or nothing.`;
  return z
    .string(why)
    .trim()
    .regex(minorDigits > 0 ? new RegExp(`^(\\d{1,9}(\\.\\d{1,${minorDigits}})?)?$`) : /^\d{0,9}$/, why)
    .transform((text) => (text === '' ? null : Math.round(Number(text) * 10 ** minorDigits)))
    .refine((minor) => minor === null || (minor >= least && minor <= most), why);
};

/** An amount as a form takes it, in major units with the decimals of its currency: "49.00". */
export function amountText(minor: number, minorDigits: number): string {
  return (minor / 10 ** minorDigits).toFixed(minorDigits);
}

/** Ours: fields that take an amount each, in major units, for every currency that is money, named by a word and its code; read as minor units, null where it is empty. Bounds in minor units. */
export function amountFields<P extends string>(
  word: P,
  bounds: { least: number; most: number },
): Record<`${P}${MoneyCode}`, ReturnType<typeof amountTextSchema>> {
  return Object.fromEntries(
    moneyCurrencies.map((currency) => [`${word}${currency.code}`, amountTextSchema(currency, bounds)]),
  ) as Record<`${P}${MoneyCode}`, ReturnType<typeof amountTextSchema>>;
}

/** What stands in the fields that `amountFields` named by a word: an amount in minor units for each currency that has one. */
export function amountsOf<P extends string>(
  word: P,
  fields: Readonly<Record<`${P}${MoneyCode}`, number | null>>,
): { currencyId: MoneyCurrencyId; amountMinor: number }[] {
  return (Object.entries(moneyCurrencyIdSchema.enum) as [MoneyCode, MoneyCurrencyId][]).flatMap(
    ([code, currencyId]) => {
      const amountMinor = fields[`${word}${code}`];
      return amountMinor === null ? [] : [{ currencyId, amountMinor }];
    },
  );
}

/** Product §8: the states of an order; it moves forward only. */
export const orderStatuses = ['open', 'processing', 'paid', 'failed', 'cancelled', 'expired'] as const;

/** Product §8: the state of an order. */
export type OrderStatus = (typeof orderStatuses)[number];

/** The states of a payment at its provider; it moves forward only, from success to a dispute at most. */
export type PaymentStatus = 'started' | 'pending' | 'succeeded' | 'failed' | 'cancelled' | 'disputed';

/** A means of payment that a provider keeps, as people know it: its brand and last digits, and the month until which it is good, such as "2030-08", as far as the provider tells. */
export const cardSchema = z.object({ label: z.string(), expires: z.string().nullable() });

/** A means of payment that a provider keeps, as people know it. */
export type KeptCard = z.infer<typeof cardSchema>;

/** A payment as its provider tells it: `failure` says in a sentence why it failed, `method` what was kept to charge again. */
export type ProviderPayment = {
  status: PaymentStatus;
  amountMinor: number;
  currencyId: MoneyCurrencyId;
  method: ({ id: string } & KeptCard) | null;
  failure: string | null;
  /** What the provider kept for itself of it, of what was given back of it and of its disputes, as far as it is known by now. */
  fees?: readonly ProviderFee[];
};

/** What a provider kept for itself, by its own name of the transaction; below zero where it gives back what it had kept. In the currency that it keeps our money in. */
export type ProviderFee = { id: string; amountMinor: number; currencyId: MoneyCurrencyId };

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
  /** Opens a page where the payer chooses how to pay, and keeps the means of payment, which is all it does where nothing is to be paid; gives its address. */
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
  /** Pays an owner; `refused` says in a sentence to the owner why this will never be paid, and is null once it is. Whatever may yet be paid throws, and is asked again. */
  payOut: (asked: {
    reference: string;
    owner: string;
    amountMinor: number;
    currencyId: MoneyCurrencyId;
  }) => Promise<{ refused: string | null }>;
  /** Where an owner stands with being paid out to, as the provider has it now; null for a provider that pays without asking anything of them. */
  readPayee: ((owner: string) => Promise<Payee>) | null;
  /** Opens the pages on which an owner in a country (two letters) gives what the provider needs to pay them; gives their address. They come back to `returnPath`, and to `refreshPath` where the address is used up. */
  openPayee:
    | ((asked: { owner: string; country: string; returnPath: string; refreshPath: string }) => Promise<{ url: string }>)
    | null;
  /** The references of payments that were disputed since a moment. */
  listDisputed: (since: Date) => Promise<string[]>;
  /** What a notice is about: a payment by its reference, null where it is of none of ours; null for a notice that is not the provider's. */
  verifyNotice: (headers: Readonly<Record<string, string>>, body: string) => Promise<{ payment: string | null } | null>;
  /** What the provider kept for itself by a transaction of its own; null where it has none of this name, and for a provider that keeps nothing. */
  readFee: (id: string) => Promise<ProviderFee | null>;
  /** Everything that the provider moved in a period, and what it kept of it, from its beginning and before its end, to be held against the books. */
  list: (period: { from: Date; to: Date }) => AsyncIterable<ProviderEntry>;
};

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

/** Money that a provider moved: for us by our reference, which is null where it bears none; `id` is the provider's own name of it. A fee is known by the provider's name alone, which is its reference, and tells of which payment it is. */
export type ProviderEntry = {
  kind: 'payment' | 'refund' | 'payout' | 'fee';
  payment?: string;
  id: string;
  reference: string | null;
  amountMinor: number;
  /** Null for a currency that is none of ours. */
  currencyId: MoneyCurrencyId | null;
  status: PaymentStatus;
};

/** A payment, refund, payout or fee as we have it: of which order, and what its posting took from the provider's account, null where it has none. */
export type OwnEntry = {
  kind: ProviderEntry['kind'];
  reference: string;
  order: string | null;
  amountMinor: number;
  currencyId: MoneyCurrencyId;
  status: PaymentStatus;
  bookedMinor: number | null;
  /** False where it lies outside the period and is known by its reference only. */
  isWithin: boolean;
};

/** What does not agree between a provider and us, in a sentence; `canMend` where reading it again may put it right. */
export type MoneyDifference = {
  provider: string;
  kind: ProviderEntry['kind'] | 'books';
  id: string | null;
  reference: string | null;
  order: string | null;
  what: string;
  canMend: boolean;
};

/** The path of POST /notices/{provider}. */
export const noticeParamsSchema = z.object({ provider: z.literal('stripe', 'names no provider that sends notices') });

/** The answer to a notice. */
export const noticeTakenSchema = z.object({ received: z.literal(true) });

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
  coupon: z.string().nullable(),
  discountMinor: z.int(),
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
  | 'payouts'
  | 'pro';

/** A line of a posting: what it adds to an account, in minor units; above zero it is owed to the account's owner. */
export type PostingLine = { owner: number | null; kind: AccountKind; amountMinor: number };

const utcMoment = z
  .literal('')
  .transform(() => null)
  .or(
    z
      .string()
      .trim()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'Enter a day and a time in UTC, such as 2026-03-14T15:00.')
      .transform((given) => new Date(`${given}Z`))
      .refine((at) => !Number.isNaN(at.getTime()), 'This day or time does not exist.'),
  )
  .default(null);

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
  from: utcMoment,
});

/** What staff order of a rate of tax. */
export type TaxRateOrder = z.infer<typeof taxRateOrderSchema>;
