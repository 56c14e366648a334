import { currencies } from '@/lib/reference/schema';
import type { MoneyDifference, OwnEntry, PostingLine } from './schema/books';
import type { MoneyCurrencyId } from './schema/currencies';
import type { OrderStatus, PaymentStatus } from './schema/orders';
import type { Payee } from './schema/payees';
import type { ProviderEntry } from './schema/providers';

/** Product §8: the part of a price without tax that the platform keeps, in hundredths. */
export const platformPercent = 30;

/** Product §8: an order waits so long for its payer, in milliseconds. */
export const orderMilliseconds = 30 * 60_000;

/** Product §8: the first payment may be taken back within so many days. */
export const coolingOffDays = 14;

/** Product §8: from so much on an owner may be paid out, in units of the currency; above the second, staff must agree. */
export const payoutBounds = { least: 25, mostWithoutStaff: 1000 } as const;

/** The bounds of a payout in a currency, in its minor units. */
export function payoutBoundsIn(currencyId: number): { least: number; mostWithoutStaff: number } {
  const unit = 10 ** (currencies.find(({ id }) => id === currencyId)?.minorDigits ?? 2);
  return { least: payoutBounds.least * unit, mostWithoutStaff: payoutBounds.mostWithoutStaff * unit };
}

/** Ours (0112): the days of a month, from its first, on which its payouts are requested: what could not be on one day, as while another payout is under way, is on the next. */
export const monthlyPayoutDays = 7;

/** Ours (0112): the first moment of the month, in UTC, whose payouts are requested at a moment; null behind its first days. */
export function payoutMonth(now: Date): Date | null {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return now.getUTCDate() <= monthlyPayoutDays ? first : null;
}

/** What each gets of a price in minor units; the fee is rounded down, so that no owner gets less than their share. */
export function sharesOf(amountMinor: number, taxMinor: number): { tax: number; platform: number; tipster: number } {
  const platform = Math.floor(((amountMinor - taxMinor) * platformPercent) / 100);
  return { tax: taxMinor, platform, tipster: amountMinor - taxMinor - platform };
}

/** The tax that is in a price, by a rate in thousandths, rounded half up. */
export function taxIn(amountMinor: number, rateThousandths: number): number {
  return Math.round((amountMinor * rateThousandths) / (1000 + rateThousandths));
}

/** A rate of tax in words: '20%', '5.5%'. */
export const ratePercent = (rateThousandths: number): string => `${rateThousandths / 10}%`;

/** The lines of a sale: the provider has the money for us; tax, platform and tipster are owed their shares; without an owner it was Pro that was sold, whose teams share later. */
export function saleLines({
  owner,
  amountMinor,
  taxMinor,
}: {
  owner: number | null;
  amountMinor: number;
  taxMinor: number;
}): PostingLine[] {
  const { tax, platform, tipster } = sharesOf(amountMinor, taxMinor);
  return whole([
    { owner: null, kind: 'clearing', amountMinor: -amountMinor },
    { owner: null, kind: 'tax', amountMinor: tax },
    { owner: null, kind: 'platform', amountMinor: platform },
    { owner, kind: owner === null ? 'pro' : 'held', amountMinor: tipster },
  ]);
}

/** What a sale gives up when so much of it is given back: each what they got, in proportion, so that parts that come to the whole take the whole. */
export function takenBack(
  sale: { amountMinor: number; taxMinor: number },
  { before, amountMinor }: { before: number; amountMinor: number },
): { tax: number; platform: number; tipster: number } {
  const until = (given: number) => {
    const shares = sharesOf(sale.amountMinor, sale.taxMinor);
    const part = (share: number) => (sale.amountMinor === 0 ? 0 : Math.floor((share * given) / sale.amountMinor));
    const [tax, platform] = [part(shares.tax), part(shares.platform)];
    return { tax, platform, tipster: given - tax - platform };
  };
  const [first, last] = [until(before), until(before + amountMinor)];
  return { tax: last.tax - first.tax, platform: last.platform - first.platform, tipster: last.tipster - first.tipster };
}

/** The lines of what is taken back from those who were owed it, and owed to `to` from now on. */
export function takenBackLines(
  shares: { tax: number; platform: number; tipster: number },
  { owner, from, to }: { owner: number | null; from: 'held' | 'payable' | 'pro'; to: 'refunds' | 'chargebacks' },
): PostingLine[] {
  return whole([
    { owner: null, kind: 'tax', amountMinor: -shares.tax },
    { owner: null, kind: 'platform', amountMinor: -shares.platform },
    { owner, kind: from, amountMinor: -shares.tipster },
    { owner: null, kind: to, amountMinor: shares.tax + shares.platform + shares.tipster },
  ]);
}

/** The lines of what a provider kept for itself, which the site bears: it has so much less of ours. Nothing for nothing. */
export const feeLines = (amountMinor: number): PostingLine[] => fromClearing(amountMinor, 'fees');

/** The lines of money that came from the bank of the site to its provider; below zero, of what went there. */
export const bankLines = (amountMinor: number): PostingLine[] => fromClearing(-amountMinor, 'bank');

type Amount = { amountMinor: number; currencyId: MoneyCurrencyId };

/** The lines of what a provider was given in one currency and keeps in another; below zero, of what it gave in one and took from another. Each currency comes to nothing. */
export const exchangeLines = (given: Amount, kept: Amount): PostingLine[] => [
  ...fromClearing(given.amountMinor, 'exchange').map((line) => ({ ...line, currencyId: given.currencyId })),
  ...fromClearing(-kept.amountMinor, 'exchange').map((line) => ({ ...line, currencyId: kept.currencyId })),
];

const fromClearing = (amountMinor: number, kind: 'fees' | 'bank' | 'exchange') =>
  whole([
    { owner: null, kind: 'clearing', amountMinor },
    { owner: null, kind, amountMinor: -amountMinor },
  ]);

const whole = (lines: readonly PostingLine[]) => lines.filter(({ amountMinor }) => amountMinor !== 0);

/** The unused part of what was paid for a period, in minor units, by days that are left of it, a day that has begun being used. */
export function unusedMinor(
  amountMinor: number,
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  now: Date,
): number {
  const days = (milliseconds: number) => milliseconds / 86_400_000;
  const all = Math.max(1, Math.round(days(endsAt.getTime() - startsAt.getTime())));
  const used = Math.min(all, Math.max(0, Math.ceil(days(now.getTime() - startsAt.getTime()))));
  return Math.floor((amountMinor * (all - used)) / all);
}

/** What becomes of an order by the state of its payment; null while nothing does. */
export function orderAfter(payment: PaymentStatus): Exclude<OrderStatus, 'open' | 'expired'> | null {
  const next = {
    started: null,
    pending: 'processing',
    succeeded: 'paid',
    disputed: 'paid',
    failed: 'failed',
    cancelled: 'cancelled',
  } as const;
  return next[payment];
}

const places: Readonly<Record<PaymentStatus, number>> = {
  started: 0,
  pending: 1,
  failed: 2,
  cancelled: 2,
  succeeded: 2,
  disputed: 3,
};

/** True when a payment may come from one state to another: forward, and never from one end to another. */
export function isForward(from: PaymentStatus, to: PaymentStatus): boolean {
  if (from === 'failed' || from === 'cancelled') return false;
  return places[to] > places[from] && !(from === 'succeeded' && to !== 'disputed');
}

/** True once nothing more becomes of an order. */
export function isSettled(status: OrderStatus): boolean {
  return status !== 'open' && status !== 'processing';
}

/** Ours (0073): why Stripe did not take a payment, in a sentence for the payer, by the code of its error and that of the bank. */
export function whyDeclined(code: string | null | undefined, declineCode: string | null | undefined): string {
  const sentence = [declineCode, code].map((each) => declined[each ?? '']).find((found) => found !== undefined);
  return sentence ?? 'The card was declined.';
}

const declined: Readonly<Record<string, string>> = {
  authentication_required: 'Your bank wants you to confirm the payment yourself.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The card details are incorrect.',
  incorrect_number: 'The card details are incorrect.',
  processing_error: 'The bank could not take the payment at the time.',
  issuer_not_available: 'The bank could not take the payment at the time.',
  payment_intent_authentication_failure: 'Your bank did not confirm that it was you.',
  resource_missing: 'The saved card no longer exists.',
};

/** Ours (0073): where a payment at Stripe stands by the status of its intent, of a page that the payer is on or of a card charged while they are away. */
export function statusOfIntent(status: string, kind: 'page' | 'charge'): PaymentStatus {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'processing') return 'pending';
  if (status === 'canceled') return 'cancelled';
  // Nobody is there to confirm what a bank asks at a renewal.
  return kind === 'charge' || status === 'requires_payment_method' ? 'failed' : 'started';
}

/** Ours (0073): true for a dispute by which the money is gone or held back, and not for a bank's mere question or one that was won. */
export function isChargeback(disputeStatus: string): boolean {
  return !disputeStatus.startsWith('warning_') && disputeStatus !== 'won' && disputeStatus !== 'prevented';
}

const refusedPayee = new Set([
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'account_closed',
  'account_invalid',
]);

/** Ours (0080): true where a transfer is refused because of the account that it goes to, which is asked about again in vain; money that is short on our side comes yet. */
export function isRefusedPayee({ code = '', param }: { code?: string; param?: string }): boolean {
  return refusedPayee.has(code) || (code === 'resource_missing' && param === 'destination');
}

const needs: Readonly<Record<string, string>> = {
  external_account: 'a bank account',
  tos_acceptance: 'that you accept its terms',
  business_profile: 'what you do',
  business_type: 'whether you are a person or a company',
  verification: 'a document that shows who you are',
  dob: 'your date of birth',
  address: 'your address',
  first_name: 'your name',
  last_name: 'your name',
  email: 'your e-mail address',
  phone: 'your telephone number',
  id_number: 'your tax or identity number',
  ssn_last_4: 'your tax or identity number',
};

/** Ours (0082): what Stripe still needs of a payout account, each once and in words; its own name of it where we have none. */
export function neededWords(needed: readonly string[]): string[] {
  const words = needed.map((name) => {
    const parts = name.split('.');
    return parts.map((part) => needs[part]).find((found) => found !== undefined) ?? name.replace(/[._]/g, ' ');
  });
  return [...new Set(words)];
}

/** Ours (0082): why an owner cannot be paid out to, in a sentence that says what to do; null where they can. */
export function whyCannotPay(payee: Payee | null): string | null {
  if (payee === null || payee.transfers) return null;
  if (!payee.known)
    return 'We do not know yet where to send your money. Set up payouts beside what you have earned, then ask again.';
  if (payee.isLost)
    return 'We cannot reach your payout account at Stripe any longer. Write to us through the contact page: we will set it up with you again.';
  return payee.needed.length === 0
    ? 'Stripe is still looking at your payout account and cannot take our transfer yet. Ask again when it is ready.'
    : `Stripe cannot take our transfer into your payout account yet. It still needs ${neededWords(payee.needed).join(', ')}. Continue at Stripe, then request the payout again.`;
}

const isTaken = (status: PaymentStatus) => status === 'succeeded' || status === 'disputed';

/**
 * Product §8: what does not agree between what a provider moved and what we have and booked, each in a sentence. Nothing is said of what neither took; what we have and the
 * provider did not list is looked for again by its reference before this is asked.
 */
export function differencesOf(
  provider: string,
  own: readonly OwnEntry[],
  theirs: readonly ProviderEntry[],
): MoneyDifference[] {
  const found: MoneyDifference[] = [];
  const known = new Map(own.map((each) => [`${each.kind} ${each.reference}`, each]));
  const seen = new Set<string>();
  for (const each of theirs) {
    const { kind, id, reference, amountMinor, currencyId, status } = each;
    const ours = known.get(`${kind} ${reference}`);
    const say = (what: string, canMend = false) =>
      found.push({ provider, kind, id, reference, order: ours?.order ?? null, what, canMend });
    const name = `${kind} ${reference}`;
    if (isTaken(status) && seen.has(name)) say('It was made twice under one reference.');
    if (isTaken(status)) seen.add(name);
    if (!ours && kind === 'fee') {
      const order = known.get(`payment ${each.payment}`)?.order ?? null;
      // Of a payment that is none of ours its payment tells.
      if (order !== null || each.payment === undefined)
        found.push({ provider, kind, id, reference, order, what: 'It is not in the books.', canMend: true });
      continue;
    }
    if (!ours) {
      if (isTaken(status) || status === 'pending')
        say(reference === null ? 'It bears no reference of ours.' : 'We know nothing of it.');
      continue;
    }
    if (amountMinor !== ours.amountMinor || currencyId !== ours.currencyId)
      say(
        `The provider has ${amountMinor} in currency ${currencyId}, we have ${ours.amountMinor} in currency ${ours.currencyId}.`,
      );
    const isSame = status === ours.status || (!isTaken(status) && !isTaken(ours.status));
    if (!isSame)
      say(
        `The provider has it as ${status}, we have it as ${ours.status}.`,
        isTaken(status) && ours.status !== 'disputed',
      );
  }
  for (const each of own) {
    const { kind, reference, order, status, amountMinor, bookedMinor, isWithin } = each;
    const say = (what: string) => found.push({ provider, kind, id: null, reference, order, what, canMend: false });
    if (
      isWithin &&
      isTaken(status) &&
      !seen.has(`${kind} ${reference}`) &&
      !theirs.some((other) => other.kind === kind && other.reference === reference)
    )
      say(`We have it as ${status}, the provider does not have it.`);
    if (isTaken(status) && bookedMinor !== amountMinor)
      say(
        bookedMinor === null ? 'It is not in the books.' : `The books have ${bookedMinor} of it, not ${amountMinor}.`,
      );
    if (!isTaken(status) && bookedMinor !== null) say(`It is in the books, although it is ${status}.`);
  }
  return found;
}

/** A mark by which it is seen whether amounts are still those that somebody saw: empty for none. */
export function markOfAmounts(amounts: readonly { currencyId: number; amountMinor: number }[]): string {
  return amounts
    .toSorted((one, other) => one.currencyId - other.currencyId)
    .map(({ currencyId, amountMinor }) => `${currencyId}=${amountMinor}`)
    .join(',');
}
