import { z } from 'zod';
import type { MoneyCurrencyId } from './currencies';
import type { PaymentStatus } from './orders';
import type { Payee } from './payees';

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
  /** Forgets a means of payment that was kept, so that nobody can charge it again; asking again does no harm. Null for a provider that can forget none. */
  detach: ((method: string) => Promise<void>) | null;
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
  /** How much it has paid out under a reference, in minor units of the payout's currency, null for nothing; null for a provider that keeps this in the database of the site. */
  readPayout: ((reference: string) => Promise<number | null>) | null;
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
  /** Everything that the provider was asked to move in a period, from its beginning and before its end, to be held against the books. */
  list: (period: { from: Date; to: Date }) => AsyncIterable<ProviderEntry>;
  /** Every change of what the provider holds for us in a period, page after page; null for a provider that changes nothing of its own. */
  listMoves: ((period: { from: Date; to: Date }) => AsyncIterable<ProviderMove[]>) | null;
};

/** A change of what a provider holds for us, under the provider's own name of it: `amountMinor` came, or left where it is below zero, and of it the provider kept `feeMinor`; in the currency that it keeps it in. */
export type ProviderMove = {
  id: string;
  /** In the provider's words, for people. */
  what: string;
  /** Asked for by somebody, a fee and nothing else, from or to the bank of the site, or whatever else there is. */
  kind: 'asked' | 'fee' | 'bank' | 'other';
  amountMinor: number;
  feeMinor: number;
  /** Its code, such as GBP; the id is null for a currency that is none of ours. */
  currency: string;
  currencyId: MoneyCurrencyId | null;
  /** What was asked for: as `list` names it, and by our reference, null where it bears none. */
  of: (Pick<ProviderEntry, 'id' | 'reference'> & { kind: 'payment' | 'refund' | 'payout' }) | null;
  /** The reference of the payment of ours that the fee is of, by itself, its refunds or its disputes. */
  payment: string | null;
  /** What was asked for, in another currency than it is kept in. */
  exchanged: { amountMinor: number; currencyId: MoneyCurrencyId | null } | null;
};

/** Money that a provider moved: for us by our reference, which is null where it bears none; `id` is the provider's own name of it. A fee is known by the provider's name alone, which is its reference, and tells of which payment it is, where it is of one. */
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

/** The path of POST /notices/{provider}. */
export const noticeParamsSchema = z.object({ provider: z.literal('stripe', 'names no provider that sends notices') });

/** The answer to a notice. */
export const noticeTakenSchema = z.object({ received: z.literal(true) });
