import { z } from 'zod';
import { currencies, CurrencyId } from '@/lib/reference/schema';

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
