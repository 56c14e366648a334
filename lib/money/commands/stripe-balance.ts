import 'server-only';
import type Stripe from 'stripe';
import { currencies } from '@/lib/reference/schema';
import type { MoneyCurrencyId } from '../schema/currencies';
import type { Provider, ProviderFee, ProviderMove } from '../schema/providers';
import { askStripe, idOf, pagesOf, periodOf, refusalOf } from './stripe-client';
import { referencesOf } from './stripe-rows';

/** Stripe's name of a currency. */
export const currencyName = (id: MoneyCurrencyId) =>
  (currencies.find((currency) => currency.id === id)?.code ?? '').toLowerCase();

/** The currency that Stripe calls so; null for one that we take no money in. */
export const currencyNamed = (name: string) =>
  (currencies.find(({ code }) => code.toLowerCase() === name)?.id ?? null) as MoneyCurrencyId | null;

type Moved = Pick<Stripe.BalanceTransaction, 'id' | 'type' | 'reporting_category' | 'amount' | 'fee' | 'currency'>;

// By type or category: of adjustments only the category says which are fees.
const feeNames = new Set(['stripe_fee', 'stripe_fx_fee', 'tax_fee', 'fee', 'tax']);
const bankNames = new Set(['payout', 'payout_cancel', 'payout_failure', 'topup', 'topup_reversal']);
const isFee = (moved: Moved) => feeNames.has(moved.type) || feeNames.has(moved.reporting_category);
const keptOf = (moved: Moved) => (isFee(moved) ? moved.fee - moved.amount : moved.fee);

/** What Stripe kept for itself by a transaction; null for nothing, and for a currency that we take no money in. */
export function feeOf(moved: Moved): ProviderFee | null {
  const [amountMinor, currencyId] = [keptOf(moved), currencyNamed(moved.currency)];
  return amountMinor === 0 || currencyId === null ? null : { id: moved.id, amountMinor, currencyId };
}

/** What Stripe kept for itself by the transaction of a name; null where there is none. */
export const readFee: Provider['readFee'] = async (id) => {
  try {
    return feeOf(await askStripe((stripe) => stripe.balanceTransactions.retrieve(id)));
  } catch (error) {
    if (refusalOf(error).statusCode === 404) return null;
    throw error;
  }
};

type Source = {
  id: string;
  object: string;
  amount: number;
  currency: string;
  metadata?: Stripe.Metadata | null;
  payment_intent?: string | { id: string } | null;
};

// What each type that we bring about is the transaction of.
const sources: Readonly<Record<string, string>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  transfer: 'transfer',
  adjustment: 'dispute',
};

function kindOf(moved: Moved, source: Source | null): ProviderMove['kind'] {
  if (isFee(moved)) return 'fee';
  if (bankNames.has(moved.type)) return 'bank';
  // What comes back of a dispute is for a person, as the dispute that was won is.
  const isBack = moved.type === 'adjustment' && moved.amount > 0;
  return source !== null && sources[moved.type] === source.object && !isBack ? 'asked' : 'other';
}

function askedBy(source: Source, payment: string | null): ProviderMove['of'] {
  const { id, object, metadata } = source;
  if (object === 'charge') return { kind: 'payment', id: idOf(source.payment_intent) ?? id, reference: payment };
  if (object === 'dispute') return { kind: 'payment', id, reference: payment };
  return { kind: object === 'transfer' ? 'payout' : 'refund', id, reference: metadata?.reference ?? null };
}

function moveOf(moved: Stripe.BalanceTransaction, payments: ReadonlyMap<string, string>): ProviderMove {
  const source = moved.source as Source | null;
  const kind = kindOf(moved, source);
  const payment = payments.get(idOf(source?.payment_intent) ?? '') ?? null;
  const asked = kind === 'asked' ? source : null;
  const { id, type, reporting_category: category, amount, currency } = moved;
  return {
    id,
    what: category === type ? type : `${type} (${category})`,
    kind,
    amountMinor: kind === 'fee' ? 0 : amount,
    feeMinor: keptOf(moved),
    currency: currency.toUpperCase(),
    currencyId: currencyNamed(currency),
    of: asked && askedBy(asked, payment),
    payment,
    exchanged:
      asked && asked.currency !== currency
        ? { amountMinor: Math.sign(amount) * asked.amount, currencyId: currencyNamed(asked.currency) }
        : null,
  };
}

/** Every transaction of our balance at Stripe, page after page, the newest first. */
export const listMoves: NonNullable<Provider['listMoves']> = async function* (period) {
  const asked = { ...periodOf(period), expand: ['data.source'] };
  for await (const page of pagesOf((stripe, after) => stripe.balanceTransactions.list({ ...asked, ...after }))) {
    const intents = page.flatMap(({ source }) => idOf((source as Source | null)?.payment_intent) ?? []);
    const payments = await referencesOf(intents);
    yield page.map((moved) => moveOf(moved, payments));
  }
};
