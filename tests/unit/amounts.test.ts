import { formatAmount } from '@/lib/amounts';
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
