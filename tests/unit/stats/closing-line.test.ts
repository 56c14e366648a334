import fc from 'fast-check';
import Fraction from 'fraction.js';
import { closingLineValue } from '@/lib/stats/rules/closing-line';
import { exactOf, roundedDivision } from '@/lib/stats/rules/exact';

const leg = (taken: string, closing: string | null) => ({
  takenOdds: new Fraction(taken),
  closingOdds: closing === null ? null : new Fraction(closing),
});
const anyOdds = fc.integer({ min: 1001, max: 1_000_000 }).map((thousandths) => new Fraction(thousandths, 1000));

describe('the closing line value', () => {
  it.each([
    ['a single that beat the close', [leg('2.2', '2')], 100_000_000],
    ['a single that the close beat', [leg('1.9', '2')], -50_000_000],
    ['odds quoted as a fraction, not their rounded decimals', [leg('21/11', '2')], -45_454_545],
    ['odds that did not move', [leg('3.4', '3.4')], 0],
    ['an accumulator, whose legs multiply', [leg('2.2', '2'), leg('3', '4')], -175_000_000],
  ])('is that of %s, in billionths', (_, legs, billionths) => {
    expect(closingLineValue(legs)).toBe(billionths);
  });

  it('is unknown without legs, and when the close of one leg is', () => {
    expect(closingLineValue([])).toBeNull();
    expect(closingLineValue([leg('2', '2'), leg('2', null)])).toBeNull();
  });

  it('stays exact beyond the safe integers', () => {
    expect(closingLineValue(Array.from({ length: 6 }, () => leg('1000', '1.25')))).toBe(
      String(800n ** 6n * 1_000_000_000n - 1_000_000_000n),
    );
  });

  it('of two bets the other way round makes up for itself', () => {
    fc.assert(
      fc.property(anyOdds, anyOdds, (takenOdds, closingOdds) => {
        const value = new Fraction(closingLineValue([{ takenOdds, closingOdds }]) ?? NaN).div(1e9);
        const error = value.sub(takenOdds.div(closingOdds).sub(1)).abs();
        expect(error.compare(new Fraction(1, 2_000_000_000))).toBeLessThanOrEqual(0);
        expect(
          closingLineValue([
            { takenOdds, closingOdds },
            { takenOdds: closingOdds, closingOdds: takenOdds },
          ]),
        ).toBe(0);
      }),
      { seed: 31 },
    );
  });
});

describe('rounding', () => {
  it.each([
    [5n, 10n, 1n],
    [-5n, 10n, -1n],
    [4n, 10n, 0n],
    [-4n, 10n, 0n],
    [14n, 10n, 1n],
    [-15n, 10n, -2n],
    [7n, 1n, 7n],
  ])('of %s / %s gives %s, halves away from zero', (numerator, denominator, rounded) => {
    expect(roundedDivision(numerator, denominator)).toBe(rounded);
  });

  it('gives a number up to the largest safe integer and digits beyond', () => {
    expect([exactOf(9007199254740991n), exactOf(9007199254740992n), exactOf(-9007199254740993n)]).toEqual([
      9007199254740991,
      '9007199254740992',
      '-9007199254740993',
    ]);
  });
});
