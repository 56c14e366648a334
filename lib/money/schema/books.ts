import type { MoneyCurrencyId } from './currencies';
import type { PaymentStatus } from './orders';
import type { ProviderEntry } from './providers';

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
  kind: ProviderEntry['kind'] | 'exchange' | 'bank' | 'balance' | 'books';
  id: string | null;
  reference: string | null;
  order: string | null;
  what: string;
  canMend: boolean;
};

/** The kinds of accounts in the books: those of the house, and those of one owner each. */
export type AccountKind =
  | 'clearing'
  | 'fees'
  | 'exchange'
  | 'bank'
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

/** A line of a posting: what it adds to an account, in minor units; above zero it is owed to the account's owner. In the currency of the posting where it names none. */
export type PostingLine = {
  owner: number | null;
  kind: AccountKind;
  amountMinor: number;
  currencyId?: MoneyCurrencyId;
};
