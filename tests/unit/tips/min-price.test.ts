import type { Price } from '@/lib/odds/schema';
import { isBelow, minPriceProblem, priceStill } from '@/lib/tips/rules';
import type { TipView } from '@/lib/tips/schema';

const price = (oddsThousandths: number): Price => ({ oddsThousandths, fraction: null });
const tenElevenths: Price = { oddsThousandths: 1910, fraction: { numerator: 10, denominator: 11 } };

it.each([
  [[price(2100)], price(2100), false],
  [[price(2099)], price(2100), true],
  [[price(1909)], tenElevenths, true],
  [[tenElevenths], tenElevenths, false],
  [[price(1500), price(2000)], price(3000), false],
  [[price(1499), price(2000)], price(3000), true],
])('%j against a least price of %j is below: %s', (prices, least, below) => {
  expect(isBelow(prices, least)).toBe(below);
});

it.each([
  [undefined, [price(2000)], null],
  [price(2000), [price(2000)], null],
  [price(2010), [price(2000)], 'Enter 2.00 or less'],
  [price(3010), [price(1505), price(2000)], null],
  [price(3020), [price(1505), price(2003)], 'Enter 3.01 or less'],
])('a least price of %j for %j: %s', (least, taken, words) => {
  const problem = minPriceProblem(
    least,
    taken.map((own) => ({ price: own })),
  );
  if (words === null) expect(problem).toBeNull();
  else expect(problem).toContain(words);
});

it.each([
  ['fraction', 'Enter 24/5 or less'],
  ['moneyline', 'Enter +480 or less'],
] as const)('says in %s odds what can stand', (display, words) => {
  expect(minPriceProblem(price(6000), [{ price: price(5800) }], display)).toContain(words);
});

const leg = (best: number | null) =>
  ({ bestNow: best === null ? null : { price: price(best), bookmakerName: 'Bet One' } }) as TipView['legs'][number];
const open: Parameters<typeof priceStill>[0] = {
  ...{ lock: null, started: false, settlements: [], legs: [] },
  minPrice: price(2100),
};

it.each([
  ['stands', [leg(2100)], { best: price(2100), totalThousandths: 2100, isGone: false }],
  ['has gone', [leg(1950)], { best: price(1950), totalThousandths: 1950, isGone: true }],
  ['has gone, as nobody offers it', [leg(null)], { best: null, totalThousandths: null, isGone: true }],
  ['of two legs stands', [leg(1500), leg(1400)], { best: null, totalThousandths: 2100, isGone: false }],
  ['of two legs has gone with one of them', [leg(1500), leg(null)], { totalThousandths: null, isGone: true }],
])('a price that %s', (_, legs, expected) => {
  expect(priceStill({ ...open, legs })).toMatchObject(expected);
});

it.each([
  [{ started: true }],
  [{ lock: 'hidden' as const }],
  [{ settlements: [{}] as unknown as TipView['settlements'] }],
])('nothing is said of a tip that cannot be taken any more: %j', (more) => {
  expect(priceStill({ ...open, legs: [leg(2100)], ...more })).toBeNull();
});

it('a tip without a least price is never gone', () => {
  expect(priceStill({ ...open, minPrice: null, legs: [leg(null)] })).toMatchObject({ isGone: false, minPrice: null });
});
