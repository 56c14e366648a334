import { formatMoney, type SignOption, type Whole } from '@/lib/format';
import { currencies } from '@/lib/reference/schema';

/** Money in minor units of one of our currencies, by its id: "£12.50", "10.00 units", with `sign` "+£1.50"; throws a RangeError for an id that is none. */
export function formatAmount(minor: Whole, currencyId: number, options: SignOption = {}): string {
  return formatMoney({ minor, currency: currencies.find(({ id }) => id === currencyId)?.code ?? '' }, options);
}

/** Amounts of several currencies as a sentence has them: "£12.50, €3.00 and $1.00"; empty for none. */
export function amountsInWords(amounts: readonly { amountMinor: number; currencyId: number }[]): string {
  const words = amounts.map(({ amountMinor, currencyId }) => formatAmount(amountMinor, currencyId));
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
