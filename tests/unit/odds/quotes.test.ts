import fc from 'fast-check';
import {
  bestPrice,
  compareOdds,
  exactOdds,
  movement,
  orderQuotes,
  orderSelections,
  readOdds,
  visibleQuotes,
} from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';

const seed = 1910;

function price(text: string): Price {
  const reading = readOdds(text, text.includes('/') ? 'fraction' : 'decimal');
  if (!reading.ok) throw new Error(reading.problem);
  return reading.price;
}

const quote = (id: number, odds: string, rating: number | null = null, preference = 0, pulled = false) => ({
  price: price(odds),
  pulled,
  bookmaker: { id, rating, preference },
});
const ids = (quotes: { bookmaker: { id: number } }[]) => quotes.map(({ bookmaker }) => bookmaker.id);

const anyPrice = fc.oneof(
  fc.integer({ min: 1001, max: 20_000 }).map((odds) => price(String(odds / 1000))),
  fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 })).map(([n, d]) => price(`${n}/${d}`)),
);

describe('comparing odds', () => {
  it('is exact: a quoted 13/8 is shorter than the 2.63 it is shown as, and 5/6 longer than 1.83', () => {
    expect(compareOdds(price('13/8'), price('2.63'))).toBeLessThan(0);
    expect(compareOdds(price('5/6'), price('1.83'))).toBeGreaterThan(0);
    expect(compareOdds(price('13/8'), price('2.625'))).toBe(0);
    expect(compareOdds(price('4/6'), price('2/3'))).toBe(0);
  });

  it('agrees with the exact rationals', () => {
    fc.assert(
      fc.property(anyPrice, anyPrice, (a, b) => Math.sign(compareOdds(a, b)) === exactOdds(a).compare(exactOdds(b))),
      { seed, numRuns: 2_000 },
    );
  });

  it('tells which way a price went', () => {
    expect(movement(price('2.1'), price('2.05'))).toBe('shorter');
    expect(movement(price('2.05'), price('2.1'))).toBe('longer');
    expect(movement(price('6/4'), price('2.5'))).toBe('same');
  });
});

describe('the best price', () => {
  it('is every quote at the longest odds, in the order given', () => {
    expect(ids(bestPrice([quote(1, '2.4'), quote(2, '6/4'), quote(3, '2.5'), quote(4, '2.49')]))).toEqual([2, 3]);
  });

  it('leaves pulled prices out', () => {
    expect(ids(bestPrice([quote(1, '3', 9, 0, true), quote(2, '2.5')]))).toEqual([2]);
    expect(bestPrice([quote(1, '3', 9, 0, true)])).toEqual([]);
    expect(bestPrice([])).toEqual([]);
  });
});

describe('the order of quotes', () => {
  it('is best odds, then rating, then the fixed preference, then id, with pulled prices last', () => {
    const ordered = [
      quote(41, '2.6', 1, 9),
      quote(45, '2.5', 9, 9),
      quote(17, '5/2', 8, 9, true),
      quote(16, '2.5', 8, 1),
      quote(6, '6/4', 8, 2),
      quote(11, '2.5', 8, 2),
      quote(1, '2.5', 0, 5),
      quote(48, '2.5', null, 0),
      quote(26, '2.4', 10, 0),
    ];
    const expected = [41, 45, 16, 6, 11, 1, 48, 26, 17];
    expect(ids(orderQuotes(ordered))).toEqual(expected);
    expect(ids(orderQuotes(ordered.toReversed()))).toEqual(expected);
  });

  it('begins with a best price and does not depend on the order given', () => {
    const anyQuote = fc.record({
      price: anyPrice,
      pulled: fc.boolean(),
      bookmaker: fc.record({
        id: fc.integer({ min: 1, max: 99 }),
        rating: fc.option(fc.integer({ min: 0, max: 10 })),
        preference: fc.integer({ min: 0, max: 3 }),
      }),
    });
    const anyQuotes = fc.uniqueArray(anyQuote, { selector: ({ bookmaker }) => bookmaker.id, maxLength: 12 });
    fc.assert(
      fc.property(anyQuotes, (quotes) => {
        const ordered = orderQuotes(quotes);
        expect(orderQuotes(quotes.toReversed())).toEqual(ordered);
        const best = bestPrice(quotes);
        expect(best.length === 0 || best.includes(ordered[0] as (typeof quotes)[number])).toBe(true);
      }),
      { seed, numRuns: 1_000 },
    );
  });
});

describe('the order of selections', () => {
  it('is by selected odds ascending, those without odds last', () => {
    const selections = [
      { key: 'away', selectedOdds: 3.25 },
      { key: 'none', selectedOdds: null },
      { key: 'draw', selectedOdds: 3.25 },
      { key: 'home', selectedOdds: 1.91 },
    ];
    expect(orderSelections(selections).map(({ key }) => key)).toEqual(['home', 'away', 'draw', 'none']);
  });
});

describe('the country blocks', () => {
  const bookmaker = {
    id: 6,
    showOnMarkets: true,
    marketsCountryBlock: [225],
    showOnLiveOdds: true,
    liveOddsCountryBlock: [],
    showOnAddTips: false,
    addTipsCountryBlock: [],
  };

  it.each([
    ['markets', 225, false],
    ['markets', 14, true],
    ['liveOdds', 225, true],
    ['addTips', 14, false],
  ] as const)('for %s in country %d show the quote: %s', (purpose, countryId, isShown) => {
    const quotes = [{ bookmaker }];
    expect(visibleQuotes(quotes, countryId, purpose)).toEqual(isShown ? quotes : []);
  });
});
