import fc from 'fast-check';
import {
  formatCount,
  formatDate,
  formatMoney,
  formatMonth,
  formatMove,
  formatOdds,
  formatPercent,
  formatTotalOdds,
  formatUnits,
} from '@/lib/format';
import { totalOddsThousandths } from '@/lib/odds/rules';

const seed = 1910;

test('a price that moved is written exactly where both would read alike', () => {
  const price = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });
  expect(formatMove(price(5_800), price(5_900), 'fraction')).toEqual(['24/5', '49/10']);
  expect(formatMove(price(2_500), price(2_750), 'fraction')).toEqual(['6/4', '7/4']);
  expect(formatMove(price(2_500), price(2_400), 'decimal')).toEqual(['2.50', '2.40']);
});

describe('odds', () => {
  it('follow the display chosen', () => {
    const price = { oddsThousandths: 1910, fraction: null };
    expect(formatOdds(price, 'decimal')).toBe('1.91');
    expect(formatOdds(price, 'fraction')).toBe('10/11');
    expect(formatOdds(price, 'moneyline')).toBe('−110');
  });
});

describe('a price in fractions', () => {
  test.each([
    [1_690, null, '4/6'],
    [1_720, null, '8/11'],
    [1_910, null, '10/11'],
    [2_000, null, 'evens'],
    [3_250, null, '9/4'],
    [5_800, null, '5/1'],
    [34_500, null, '33/1'],
    [990_000, null, '500/1'],
    [1_001, null, '1/100'],
    [5_800, { numerator: 24, denominator: 5 }, '24/5'],
  ])(
    'of %d thousandths, quoted as %o, is %s: a rung of the ladder unless it was quoted otherwise',
    (odds, fraction, text) => {
      expect(formatOdds({ oddsThousandths: odds, fraction }, 'fraction')).toBe(text);
    },
  );
});

describe('total odds', () => {
  test.each([
    [1_001, '1.00', '1.00', '−100,000'],
    [2_015, '2.02', '2.02', '+102'],
    [5_800, '5.80', '5.80', '+480'],
    [12_350, '12.35', '12.35', '+1135'],
    [101_000, '101.00', '101.00', '+10,000'],
    [97_656_250, '97,656.25', '97,656.25', '+9,765,525'],
    [999_999_999_999, '1,000,000,000.00', '1,000,000,000.00', '+99,999,999,900'],
    [1_000_000_000_000, '1,000,000,000+', '1,000,000,000+', '+100,000,000,000+'],
    [1e39, '1,000,000,000+', '1,000,000,000+', '+100,000,000,000+'],
    [Number.POSITIVE_INFINITY, '1,000,000,000+', '1,000,000,000+', '+100,000,000,000+'],
  ])('of %d thousandths are %s, for readers of fractions %s, and %s', (thousandths, ...texts) => {
    expect(
      (['decimal', 'fraction', 'moneyline'] as const).map((display) => formatTotalOdds(thousandths, display)),
    ).toEqual(texts);
  });

  test('are said without exponent, however many prices are multiplied', () => {
    for (let legs = 1; legs <= 100; legs += 1) {
      const total = totalOddsThousandths(
        Array.from({ length: legs }, (_, leg) => ({ oddsThousandths: leg % 2 ? 1_000_000 : 999_999, fraction: null })),
      );
      expect(Number.isSafeInteger(total)).toBe(true);
      for (const display of ['decimal', 'fraction', 'moneyline'] as const)
        expect(formatTotalOdds(total, display)).toMatch(/^\+?[\d,.]+\+?$/);
    }
    expect(
      totalOddsThousandths(
        [2_000, 3_000, 4_000].map((oddsThousandths) => ({
          oddsThousandths: oddsThousandths / 1.5,
          fraction: { numerator: 1, denominator: 3 },
        })),
      ),
    ).toBe(2_370);
  });
});

describe('units', () => {
  it.each([
    [150, '1.50', '+1.50'],
    [-50, '−0.50', '−0.50'],
    [0, '0.00', '0.00'],
    [-0, '0.00', '0.00'],
    [123_450, '1,234.50', '+1,234.50'],
    [5n, '0.05', '+0.05'],
  ])('of %p hundredths are %s, signed %s', (hundredths, plain, signed) => {
    expect(formatUnits(hundredths)).toBe(plain);
    expect(formatUnits(hundredths, { sign: true })).toBe(signed);
  });

  it('keep every hundredth of any amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (hundredths) => {
        const text = formatUnits(hundredths);
        return BigInt(text.replace('−', '-').replace(/[,.]/g, '')) === hundredths;
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('refuse a part of a hundredth', () => {
    expect(() => formatUnits(0.5)).toThrow(RangeError);
  });
});

describe('money', () => {
  it.each([
    [1250, 'GBP', '£12.50'],
    [-300, 'USD', '−US$3.00'],
    [5, 'EUR', '€0.05'],
    [500, 'JPY', 'JP¥500'],
    [1_000_000, 'CNY', 'CN¥10,000.00'],
    [0, 'CAD', 'CA$0.00'],
    [9_007_199_254_740_993n, 'GBP', '£90,071,992,547,409.93'],
    [1000, 'UNITS', '10.00 units'],
  ])('%p of %s is %s', (minor, currency, text) => {
    expect(formatMoney({ minor, currency })).toBe(text);
  });

  it('shows the sign of a gain when asked', () => {
    expect(formatMoney({ minor: 1250, currency: 'GBP' }, { sign: true })).toBe('+£12.50');
    expect(formatMoney({ minor: 0, currency: 'GBP' }, { sign: true })).toBe('£0.00');
  });

  it('refuses what is no currency code', () => {
    expect(() => formatMoney({ minor: 1, currency: 'pounds' })).toThrow(RangeError);
  });
});

describe('percentages', () => {
  it.each([
    [5.26, {}, '5.3%'],
    [-9.245, { places: 2 }, '−9.25%'],
    [5.26, { sign: true }, '+5.3%'],
    [-0.04, { sign: true }, '0.0%'],
    [1234.5, { places: 0 }, '1,235%'],
  ])('%d with %p is %s', (percent, options, text) => {
    expect(formatPercent(percent, options)).toBe(text);
  });
});

describe('counts', () => {
  it.each([
    [0, '0 matches'],
    [1, '1 match'],
    [1045, '1,045 matches'],
  ])('%d has its noun: %s', (count, text) => {
    expect(formatCount(count, 'match', 'matches')).toBe(text);
  });
});

describe('months', () => {
  it.each([
    ['2026-01', 'January 2026'],
    ['2026-11', 'November 2026'],
    ['2027-12', 'December 2027'],
  ])('%s is %s', (month, text) => {
    expect(formatMonth(month)).toBe(text);
  });
});

describe('dates', () => {
  const kickOff = '2025-09-05T18:45:00Z';

  it.each([
    ['day', 'Fri 5 Sep 2025'],
    ['short-day', '5 Sep'],
    ['time', '19:45'],
    ['day-time', 'Fri 5 Sep 2025, 19:45'],
    ['month', 'September 2025'],
  ] as const)('in the style %s are %s, whatever the zone of the machine', (style, text) => {
    expect(formatDate(kickOff, { timeZone: 'Europe/London', style })).toBe(text);
  });

  it.each([
    ['UTC', 'Fri 5 Sep 2025, 18:45'],
    ['Asia/Kathmandu', 'Sat 6 Sep 2025, 00:30'],
    ['America/Los_Angeles', 'Fri 5 Sep 2025, 11:45'],
    ['Pacific/Kiritimati', 'Sat 6 Sep 2025, 08:45'],
  ])('in %s are %s', (timeZone, text) => {
    expect(formatDate(kickOff, { timeZone, style: 'day-time' })).toBe(text);
  });

  it('write midnight as 00:00, and read an offset', () => {
    expect(formatDate('2026-01-01T00:00:00.000Z', { timeZone: 'UTC', style: 'time' })).toBe('00:00');
    expect(formatDate('2026-01-01T01:30+01:00', { timeZone: 'UTC', style: 'day-time' })).toBe('Thu 1 Jan 2026, 00:30');
  });

  it('in UTC agree with the ISO text at every instant', () => {
    const anyInstant = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(anyInstant, (date) => {
        const iso = date.toISOString();
        expect(formatDate(iso, { timeZone: 'UTC', style: 'time' })).toBe(iso.slice(11, 16));
        expect(formatDate(iso, { timeZone: 'UTC', style: 'day' })).toContain(` ${Number(iso.slice(8, 10))} `);
        expect(formatDate(iso, { timeZone: 'UTC', style: 'month' })).toContain(iso.slice(0, 4));
      }),
      { seed, numRuns: 1_000 },
    );
  });

  it.each(['2025-08-15', '2025-08-15T20:00', '2025-13-01T00:00:00Z', 'soon'])(
    'refuse %s, which is no instant',
    (iso) => {
      expect(() => formatDate(iso, { timeZone: 'UTC', style: 'day' })).toThrow(/write one such as/);
    },
  );

  it('refuse an unknown time zone', () => {
    expect(() => formatDate(kickOff, { timeZone: 'Mars/Olympus', style: 'day' })).toThrow(RangeError);
  });
});
