import { amountsInWords, formatAmount } from '@/lib/amounts';
import { CurrencyId } from '@/lib/reference/schema';

test('money is told by the id of its currency', () => {
  expect(formatAmount(1250, CurrencyId.GBP)).toBe('£12.50');
  expect(formatAmount(500, CurrencyId.JPY)).toBe('JP¥500');
  expect(formatAmount('1000', CurrencyId.UNITS)).toBe('10.00 units');
  expect(formatAmount(150, CurrencyId.EUR, { sign: true })).toBe('+€1.50');
});

test('a currency that there is not is never told as another', () => {
  expect(() => formatAmount(100, 99)).toThrow(RangeError);
});

test('amounts of several currencies stand in one sentence', () => {
  const [pounds, euros, dollars] = [CurrencyId.GBP, CurrencyId.EUR, CurrencyId.USD].map((currencyId) => ({
    currencyId,
    amountMinor: 1250,
  }));
  if (!pounds || !euros || !dollars) throw new Error('Three amounts are there.');
  expect(amountsInWords([])).toBe('');
  expect(amountsInWords([pounds])).toBe('£12.50');
  expect(amountsInWords([pounds, euros])).toBe('£12.50 and €12.50');
  expect(amountsInWords([pounds, euros, dollars])).toMatch(/^£12\.50, €12\.50 and .*12\.50$/);
});
