import { currencies, CurrencyId } from '@/lib/reference/schema';
import { currencySchema, defaultBuyCurrencyId } from '@/lib/reference/schema/currencies';

test('the currencies have the ids of the specification', () => {
  expect(currencies.map(({ id, code }) => [id, code])).toEqual([
    [1, 'GBP'],
    [2, 'UNITS'],
    [3, 'EUR'],
    [4, 'USD'],
    [5, 'CAD'],
    [6, 'JPY'],
    [7, 'CNY'],
  ]);
  expect(CurrencyId).toEqual(Object.fromEntries(currencies.map(({ id, code }) => [code, id])));
});

test('every currency satisfies its schema, and another is refused', () => {
  for (const currency of currencies) expect(currencySchema.parse(currency)).toEqual(currency);
  expect(currencySchema.safeParse({ ...currencies[0], id: 8 }).success).toBe(false);
});

test.each(currencies.filter(({ code }) => code !== 'UNITS'))(
  '$code has the symbol, name and minor digits that Intl gives',
  (currency) => {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.code });
    expect(format.formatToParts(1).find(({ type }) => type === 'currency')?.value).toBe(currency.symbol);
    expect(format.resolvedOptions().minimumFractionDigits).toBe(currency.minorDigits);
    const name = new Intl.DisplayNames('en-GB', { type: 'currency' }).of(currency.code) ?? '';
    expect(name.toLowerCase()).toContain(currency.name.toLowerCase().replace('pound sterling', 'british pound'));
  },
);

test('units are counted in hundredths', () => {
  expect(currencies.find(({ code }) => code === 'UNITS')).toEqual({
    id: 2,
    code: 'UNITS',
    symbol: 'u',
    name: 'Units',
    minorDigits: 2,
  });
});

test('members buy in pounds until they choose', () => {
  expect(defaultBuyCurrencyId).toBe(1);
});
