import { formatMoney, type SignOption, type Whole } from '@/lib/format';
import { currencies } from '@/lib/reference/schema';

/** Money in minor units of one of our currencies, by its id: "£12.50", "10.00 units", with `sign` "+£1.50"; throws a RangeError for an id that is none. */
export function formatAmount(minor: Whole, currencyId: number, options: SignOption = {}): string {
  return formatMoney({ minor, currency: currencies.find(({ id }) => id === currencyId)?.code ?? '' }, options);
}
