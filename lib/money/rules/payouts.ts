import { currencies } from '@/lib/reference/schema';
import type { Payee } from '../schema/payees';

/** Product §8: from 25 units of a currency on an owner may be paid out, and above 1,000 staff must agree; both in its minor units. */
export function payoutBoundsIn(currencyId: number): { least: number; mostWithoutStaff: number } {
  const unit = 10 ** (currencies.find(({ id }) => id === currencyId)?.minorDigits ?? 2);
  return { least: 25 * unit, mostWithoutStaff: 1000 * unit };
}

/** Ours (0112): the days of a month, from its first, on which its payouts are requested: what could not be on one day, as while another payout is under way, is on the next. */
export const monthlyPayoutDays = 7;

/** Ours (0112): the first moment of the month, in UTC, whose payouts are requested at a moment; null behind its first days. */
export function payoutMonth(now: Date): Date | null {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return now.getUTCDate() <= monthlyPayoutDays ? first : null;
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
