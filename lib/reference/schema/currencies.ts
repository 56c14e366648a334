import { z } from 'zod';

/** Spec §3: the ids of the currencies. */
export const CurrencyId = { GBP: 1, UNITS: 2, EUR: 3, USD: 4, CAD: 5, JPY: 6, CNY: 7 } as const;

/** Spec §3: accepts the id of a currency. */
export const currencyIdSchema = z.enum(CurrencyId);

/** Spec §3: the id of a currency. */
export type CurrencyId = z.infer<typeof currencyIdSchema>;

/** Spec §3: a currency; `symbol` stands before an amount, `minorDigits` is the number of decimal places of its minor unit. */
export const currencySchema = z.strictObject({
  id: currencyIdSchema,
  code: z.enum(['GBP', 'UNITS', 'EUR', 'USD', 'CAD', 'JPY', 'CNY']),
  symbol: z.string().min(1),
  name: z.string().min(1),
  minorDigits: z.int().min(0).max(2),
});

/** Spec §3: a currency. */
export type Currency = z.infer<typeof currencySchema>;

/** Spec §3: the 7 currencies by id. UNITS are what stakes are counted in, not money; their minor unit is a hundredth (product §1). */
export const currencies: readonly Currency[] = [
  { id: CurrencyId.GBP, code: 'GBP', symbol: '£', name: 'Pound sterling', minorDigits: 2 },
  { id: CurrencyId.UNITS, code: 'UNITS', symbol: 'u', name: 'Units', minorDigits: 2 },
  { id: CurrencyId.EUR, code: 'EUR', symbol: '€', name: 'Euro', minorDigits: 2 },
  { id: CurrencyId.USD, code: 'USD', symbol: '$', name: 'US dollar', minorDigits: 2 },
  { id: CurrencyId.CAD, code: 'CAD', symbol: 'CA$', name: 'Canadian dollar', minorDigits: 2 },
  { id: CurrencyId.JPY, code: 'JPY', symbol: '¥', name: 'Japanese yen', minorDigits: 0 },
  { id: CurrencyId.CNY, code: 'CNY', symbol: 'CN¥', name: 'Chinese yuan', minorDigits: 2 },
];

/** Spec §9: the currency in which members buy until they choose another. */
export const defaultBuyCurrencyId: CurrencyId = CurrencyId.GBP;
