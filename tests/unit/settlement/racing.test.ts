import Fraction from 'fraction.js';
import { golfTerms, placeOdds, placeTermsFor, standardTerms } from '@/lib/odds/rules';
import { deadHeatFactor } from '@/lib/settlement/rules/dead-heat';
import { deductionPence, maxDeductionPence, totalDeductionPence } from '@/lib/settlement/rules/rule-4';
import type { Raced, Runner } from '@/lib/settlement/schema/outcomes';
import {
  at,
  bet,
  factor,
  hoursAfterStart,
  onRunner,
  own,
  placedAt,
  quotedAt,
  raced,
  ran,
  result,
  settle,
  terms,
  withdrawn,
} from './bets';

describe('the standard place terms', () => {
  const handicaps: [number, number, (string | null)[]][] = [
    [1, 4, [null, null]],
    [5, 7, ['2 at 1/4', '2 at 1/4']],
    [8, 11, ['3 at 1/5', '3 at 1/5']],
    [12, 15, ['3 at 1/4', '3 at 1/5']],
    [16, 40, ['4 at 1/4', '3 at 1/5']],
  ];

  test.each(handicaps)('of %d to %d runners are %j in a handicap and another race', (from, to, expected) => {
    for (let numberRan = from; numberRan <= to; numberRan += 1) {
      const given = [true, false].map((handicap) => standardTerms(numberRan, handicap));
      expect(
        given.map((each) => each && `${each.places} at ${each.fraction.numerator}/${each.fraction.denominator}`),
      ).toEqual(expected);
    }
  });

  test('give way to fixed ones, are golf’s in golf, and stand as stored in other sports', () => {
    const stored = terms(6, 5, 'fixed');
    const race = { numberRan: 3, handicap: false };
    expect(placeTermsFor(stored, 'horse-racing', race)).toEqual({
      places: 6,
      fraction: { numerator: 1, denominator: 5 },
    });
    expect(placeTermsFor(stored, 'golf', race)).toEqual({ places: 6, fraction: { numerator: 1, denominator: 5 } });
    expect(placeTermsFor({ ...stored, basis: 'standard' }, 'horse-racing', race)).toBeNull();
    expect(placeTermsFor({ ...stored, basis: 'standard' }, 'greyhounds', { numberRan: 6, handicap: false })).toEqual({
      places: 2,
      fraction: { numerator: 1, denominator: 4 },
    });
    expect(placeTermsFor({ ...stored, basis: 'standard' }, 'golf', race)).toEqual(golfTerms);
    expect(placeTermsFor({ ...stored, basis: 'standard' }, 'motor-racing', race)).toEqual({
      places: 6,
      fraction: { numerator: 1, denominator: 5 },
    });
  });

  test('pay a place at 1 + (o − 1) · f', () => {
    expect(placeOdds(new Fraction(15), { numerator: 1, denominator: 5 }).toFraction()).toBe('19/5');
    expect(placeOdds(new Fraction(21, 11), { numerator: 1, denominator: 4 }).toFraction()).toBe('27/22');
  });
});

describe('the dead-heat factor', () => {
  test.each([
    [1, 1, 1, '1'],
    [1, 1, 2, '1/2'],
    [1, 1, 3, '1/3'],
    [1, 2, 1, '0'],
    [3, 2, 2, '1'],
    [3, 3, 2, '1/2'],
    [3, 2, 3, '2/3'],
    [3, 1, 4, '3/4'],
    [10, 8, 6, '1/2'],
    [10, 11, 2, '0'],
    [5, 4, 4, '1/2'],
  ])('with %d places of position %d shared by %d is %s', (places, position, tied, expected) => {
    expect(deadHeatFactor(places, position, tied).toFraction()).toBe(expected);
  });
});

describe('Rule 4', () => {
  const bands: [pence: number, from: [number, number], to: [number, number]][] = [
    [90, [1, 100], [1, 9]],
    [85, [2, 17], [2, 11]],
    [80, [1, 5], [1, 4]],
    [75, [2, 7], [3, 10]],
    [70, [1, 3], [2, 5]],
    [65, [4, 9], [8, 15]],
    [60, [4, 7], [8, 13]],
    [55, [4, 6], [4, 5]],
    [50, [5, 6], [20, 21]],
    [45, [1, 1], [6, 5]],
    [40, [5, 4], [6, 4]],
    [35, [13, 8], [7, 4]],
    [30, [15, 8], [9, 4]],
    [25, [5, 2], [3, 1]],
    [20, [10, 3], [4, 1]],
    [15, [9, 2], [11, 2]],
    [10, [6, 1], [9, 1]],
    [5, [10, 1], [14, 1]],
    [0, [15, 1], [500, 1]],
  ];
  const pence = ([numerator, denominator]: [number, number]) => deductionPence({ numerator, denominator });

  test.each(bands)('takes %dp for prices from %j to %j', (expected, from, to) => {
    expect([pence(from), pence(to)]).toEqual([expected, expected]);
  });

  test('puts a price between two bands into the one whose lower bound it has passed', () => {
    expect([pence([1, 8]), pence([11, 10]), pence([19, 2]), pence([29, 2])]).toEqual([85, 45, 10, 0]);
  });

  test('compares exact fractions, where two decimals would fall into another band', () => {
    expect([pence([5, 6]), pence([83, 100]), pence([4, 7]), pence([57, 100]), pence([2, 3]), pence([66, 100])]).toEqual(
      [50, 55, 60, 65, 55, 60],
    );
  });

  test('adds withdrawals up to 90p, of those after the bet alone', () => {
    const before = withdrawn(20, 1, 10, placedAt);
    expect(totalDeductionPence([before, withdrawn(21, 5, 2), withdrawn(22, 4, 1), ran(own, 1)], placedAt)).toBe(45);
    expect(totalDeductionPence([withdrawn(21, 1, 2), withdrawn(22, 1, 2)], placedAt)).toBe(maxDeductionPence);
    expect(totalDeductionPence([before], placedAt)).toBe(0);
  });

  const race = (position: number | null, others: Runner[], parts = {}) => raced(position, { others, ...parts });

  test('comes off the winnings of both parts of an each-way bet', () => {
    const settlement = settle(
      onRunner({ price: quotedAt(10, 1), eachWay: terms(3, 5) }),
      race(1, [withdrawn(50, 3, 1)]),
    );
    expect(settlement).toMatchObject({
      outcome: 'won',
      rule4Pence: 25,
      winFactor: { numerator: '17', denominator: '2' },
      placeFactor: { numerator: '5', denominator: '2' },
      rule: 'Each-way, 8 ran, 3 places at 1/5: 1st, won, Rule 4 took 25p in the pound of the winnings.',
    });
  });

  test('of 5p is waived where the bookmaker does so, and only alone', () => {
    const odds = onRunner({ price: at(3) });
    const waives = { settings: { rule4MinimumPence: 10 as const } };
    expect(factor(settle(odds, race(1, [withdrawn(50, 12, 1)])))).toBe('29/10');
    expect(settle(odds, race(1, [withdrawn(50, 12, 1)]), waives)).toMatchObject({
      winFactor: { numerator: '3' },
      rule4Pence: 0,
      rule: 'Winner: 1st, won, Rule 4 of 5p in the pound was waived.',
    });
    expect(factor(settle(odds, race(1, [withdrawn(50, 12, 1), withdrawn(51, 12, 1)]), waives))).toBe('14/5');
  });

  test('leaves golf, where nobody deducts, alone', () => {
    expect(factor(settle(onRunner({ price: at(3), sportReference: 'golf' }), race(1, [withdrawn(50, 3, 1)])))).toBe(
      '3',
    );
  });

  test('waits for the price of a withdrawn runner when a deduction would matter', () => {
    const unpriced: Runner = {
      participantId: 50,
      position: null,
      withdrawn: { price: null, withdrawnAt: hoursAfterStart(-1) },
    };
    expect(settle(onRunner(), race(1, [unpriced]))).toMatchObject({
      reason: 'awaiting-detail',
      rule: 'The result does not say the price of a withdrawn runner yet.',
    });
    expect(result(settle(onRunner(), race(4, [unpriced])))).toBe('lost');
    const early: Runner = {
      participantId: 50,
      position: null,
      withdrawn: { price: null, withdrawnAt: hoursAfterStart(-100) },
    };
    expect(result(settle(onRunner(), race(1, [early])))).toBe('won');
  });
});

describe('a race', () => {
  test('returns the stake of one’s own non-runner, both parts each-way', () => {
    const field: Raced = { ...raced(null), runners: [withdrawn(own, 1, 2), ran(8, 1)] };
    expect(settle(onRunner(), field)).toMatchObject({
      outcome: 'void',
      rule: 'Winner: a non-runner, the stake was returned.',
    });
    expect(settle(onRunner({ eachWay: terms(3, 5) }), field)).toMatchObject({
      outcome: 'void',
      winFactor: { numerator: '1' },
      placeFactor: { numerator: '1' },
      rule4Pence: 0,
    });
  });

  test.each([
    [1, 'won', '3', '7/5'],
    [2, 'placed', '0', '7/5'],
    [3, 'placed', '0', '7/5'],
    [4, 'lost', '0', '0'],
    [null, 'lost', '0', '0'],
  ])('at 2/1 each-way with 3 places at 1/5, finished %s: %s', (position, outcome, win, place) => {
    const settlement = settle(onRunner({ price: at(3), eachWay: terms(3, 5) }), raced(position));
    expect([result(settlement), factor(settlement)]).toEqual([outcome, win]);
    const [numerator, denominator = '1'] = place.split('/');
    expect(settlement).toMatchObject({ placeFactor: { numerator, denominator } });
  });

  test('with four runners puts the place stake on the win', () => {
    const leg = onRunner({ price: at(3), eachWay: terms(2, 4) });
    const small = (position: number, tied = 1) => settle(leg, raced(position, { numberRan: 4, tied }));
    expect(small(1)).toMatchObject({
      outcome: 'won',
      terms: null,
      winFactor: { numerator: '3' },
      placeFactor: { numerator: '3' },
      rule: 'Each-way, 4 ran, so the place stake went on the win: 1st, won.',
    });
    expect(small(2)).toMatchObject({ outcome: 'lost', placeFactor: { numerator: '0' } });
    expect(small(1, 2)).toMatchObject({ placeFactor: { numerator: '3', denominator: '2' } });
  });

  test('with few runners keeps fixed terms', () => {
    expect(settle(onRunner({ price: at(3), eachWay: terms(2, 4, 'fixed') }), raced(2, { numberRan: 4 }))).toMatchObject(
      {
        outcome: 'placed',
        rule: 'Each-way, fixed at 2 places at 1/4: 2nd, placed.',
      },
    );
  });

  test('divides win and place by those who tie for them', () => {
    const leg = onRunner({ price: at(9), eachWay: terms(3, 5) });
    expect(settle(leg, raced(1, { tied: 2 }))).toMatchObject({
      winFactor: { numerator: '9', denominator: '2' },
      placeFactor: { numerator: '13', denominator: '5' },
      rule: 'Each-way, 8 ran, 3 places at 1/5: tied 1st with 1 more, won, the win part paid on 1/2 of the stake for the dead heat.',
    });
    expect(settle(leg, raced(3, { tied: 2 }))).toMatchObject({
      placeFactor: { numerator: '13', denominator: '10' },
      rule: 'Each-way, 8 ran, 3 places at 1/5: tied 3rd with 1 more, placed, the place part paid on 1/2 of the stake for the dead heat.',
    });
    expect(settle(onRunner({ price: at(9) }), raced(1, { tied: 3 }))).toMatchObject({
      rule: 'Winner: tied 1st with 2 more, won, paid on 1/3 of the stake for the dead heat.',
    });
  });

  test('pays a finish in the first ten by its line', () => {
    const topTen = onRunner({ price: at(3), sportReference: 'golf', lineHundredths: 1000 });
    expect(
      [raced(10, { numberRan: 90 }), raced(11, { numberRan: 90 }), raced(8, { tied: 6, numberRan: 90 })].map((race) =>
        factor(settle(topTen, race)),
      ),
    ).toEqual(['3', '0', '3/2']);
    expect(settle(topTen, raced(12, { numberRan: 90 }))).toMatchObject({ rule: 'Top 10: 12th, lost.' });
  });

  test('waits when the result does not tell enough places', () => {
    const winnerOnly = (position: number | null): Raced => ({ ...raced(position), placesKnown: 1 });
    const eachWay = onRunner({ eachWay: terms(3, 5) });
    expect([result(settle(onRunner(), winnerOnly(1))), result(settle(onRunner(), winnerOnly(null)))]).toEqual([
      'won',
      'lost',
    ]);
    expect(result(settle(eachWay, winnerOnly(1)))).toBe('won');
    expect(settle(eachWay, winnerOnly(null))).toMatchObject({
      reason: 'awaiting-detail',
      rule: 'The result does not say who finished in the first 3 yet.',
    });
    expect(result(settle(eachWay, winnerOnly(3)))).toBe('awaiting-detail');
    expect(result(settle(eachWay, winnerOnly(4)))).toBe('lost');
  });

  test('waits when it does not tell of the selection, or the market wants a score', () => {
    expect(settle(onRunner(), { ...raced(1), runners: [ran(8, 1)] })).toMatchObject({
      rule: 'The result does not say how the selection finished yet.',
    });
    expect(result(settle(bet('moneyline', 'home', { sportReference: 'golf' }), raced(1)))).toBe('awaiting-detail');
  });

  test('names positions in words', () => {
    const rule = (position: number) =>
      settle(onRunner({ sportReference: 'golf', lineHundredths: 5000 }), raced(position, { numberRan: 90 })).rule;
    expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 23].map(rule)).toEqual(
      ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '23rd'].map(
        (place) => `Top 50: ${place}, won.`,
      ),
    );
  });
});
