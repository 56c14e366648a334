import fc from 'fast-check';
import Fraction from 'fraction.js';
import { exactOdds, fairPrices, overround } from '@/lib/odds/rules';
import { maxOddsThousandths, minOddsThousandths, type Price } from '@/lib/odds/schema';

const seed = 1910;
const at = (odds: number): Price => ({ oddsThousandths: Math.round(odds * 1000), fraction: null });
const quotedAt = (numerator: number, denominator: number, odds: number): Price => ({
  ...at(odds),
  fraction: { numerator, denominator },
});
const texts = (odds: Fraction[] | null) => odds?.map((each) => each.toFraction());
const anyPrice = fc.integer({ min: minOddsThousandths, max: maxOddsThousandths }).map((odds) => at(odds / 1000));
const anyBook = fc.array(anyPrice, { minLength: 2, maxLength: 40 });

describe('exact odds', () => {
  it('are the thousandths of a decimal price and the quoted fraction of a fractional one', () => {
    expect(exactOdds(at(1.91)).toFraction()).toBe('191/100');
    expect(exactOdds(quotedAt(10, 11, 1.91)).toFraction()).toBe('21/11');
    expect(exactOdds(quotedAt(5, 6, 1.83)).toFraction()).toBe('11/6');
  });
});

describe('the overround', () => {
  it('is the excess of the inverse odds over one, in per cent', () => {
    expect(overround([at(1.9), at(1.9)])).toBe(5.26);
  });

  it('uses the quoted fractions and not their rounded decimals', () => {
    expect(overround([quotedAt(10, 11, 1.91), quotedAt(10, 11, 1.91)])).toBe(4.76);
  });

  it('is nothing for a fair book and negative for one that can be beaten', () => {
    expect(overround([at(2), at(4), at(4)])).toBe(0);
    expect(overround([at(2.1), at(2.1)])).toBe(-4.76);
  });

  it('counts how many selections win', () => {
    expect(overround([at(1.25), at(1.25), at(2)], 2)).toBe(5);
  });

  it('is undefined when a selection has no price, or there is none', () => {
    expect(overround([at(2), null, at(4)])).toBeNull();
    expect(overround([null, at(2)])).toBeNull();
    expect(overround([])).toBeNull();
  });
});

describe('fair prices', () => {
  it('are the odds times the booksum', () => {
    expect(texts(fairPrices([at(1.5), at(2.5)]))).toEqual(['8/5', '8/3']);
  });

  it('make a book of exactly one hundred per cent, with every selection lengthened alike', () => {
    fc.assert(
      fc.property(anyBook, (prices) => {
        const fair = fairPrices(prices) as Fraction[];
        const sumOf = (book: readonly Fraction[]) =>
          book.reduce((total, odds) => total.add(odds.inverse()), new Fraction(0));
        const exact = prices.map((price) => exactOdds(price));
        const factors = fair.map((odds, index) => odds.div(exact[index] as Fraction));
        return sumOf(fair).equals(1) && factors.every((factor) => factor.equals(sumOf(exact)));
      }),
      { seed },
    );
  });

  it('are undefined when a selection has no price or would win nothing', () => {
    expect(fairPrices([at(2), null])).toBeNull();
    expect(fairPrices([])).toBeNull();
    expect(fairPrices([at(1.5)])).toBeNull();
    expect(fairPrices([at(1.001), at(5), at(5)], 2)).toBeNull();
  });
});
