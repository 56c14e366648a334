import { type Currency, CurrencyId } from '@/lib/reference/schema';

/** What amounts in a currency are said to be in: "£", "units". */
export function unitOf({ id, name, symbol }: Currency): string {
  return id === CurrencyId.UNITS ? name.toLowerCase() : symbol;
}
