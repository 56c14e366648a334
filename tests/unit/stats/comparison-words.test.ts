import fc from 'fast-check';
import { TimeRange } from '@/lib/reference/schema';
import { comparisonLimitsText, comparisonQuery, comparisonTitle, readComparisonFilter } from '@/lib/stats/rules';
import {
  ComparedPortfolios,
  type ComparisonFilter,
  ComparisonOrder,
  defaultComparisonFilter,
  Direction,
  openComparisonFilter,
} from '@/lib/stats/schema';

describe('what the page of the comparison opens with', () => {
  it('is every sport and kind over the past year, losers and short records too', () => {
    expect(openComparisonFilter).toMatchObject({
      sportId: 0,
      portfolioType: 0,
      period: TimeRange.year,
      tips: 1,
      profit: 0,
      roi: 0,
    });
    expect(comparisonLimitsText(openComparisonFilter)).toEqual([]);
    expect(comparisonQuery(openComparisonFilter)).toEqual({});
  });

  it('stands in for what an address leaves out, empties, doubles or misspells', () => {
    for (const parameters of [{}, { tips: '', sportId: '' }, { sportId: ['1', '2'] }, { order: 'x', sportId: '999' }])
      expect(readComparisonFilter(parameters, openComparisonFilter)).toEqual(openComparisonFilter);
    expect(readComparisonFilter({ sportId: '2', order: '12' }, openComparisonFilter)).toEqual({
      ...openComparisonFilter,
      sportId: 2,
    });
  });

  it('is left out of addresses, which lead back to the same filter', () => {
    const filter = fc.record({
      sportId: fc.constantFrom(0, 1, 2),
      tips: fc.integer({ min: 1, max: 500 }),
      profit: fc.integer({ min: 0, max: 900 }),
      order: fc.constantFrom(...Object.values(ComparisonOrder)),
      period: fc.constantFrom(...Object.values(TimeRange)),
      direction: fc.constantFrom(...Object.values(Direction)),
      page: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(filter, (more) => {
        const wanted: ComparisonFilter = { ...openComparisonFilter, ...more };
        const written = new URLSearchParams(Object.entries(comparisonQuery(wanted)).map(([k, v]) => [k, String(v)]));
        expect(readComparisonFilter(Object.fromEntries(written), openComparisonFilter)).toEqual(wanted);
      }),
      { seed: 5 },
    );
  });
});

describe('a comparison in words', () => {
  it.each([
    [{}, 'All tipsters – past 12 months'],
    [{ sportId: 1, period: TimeRange.threeMonth }, 'Football – past 3 months'],
    [{ order: ComparisonOrder.yield, period: TimeRange.allTime }, 'Best yield, all time'],
    [{ order: ComparisonOrder.yield, sportId: 2 }, 'Best yield, horse racing, past 12 months'],
    [{ order: ComparisonOrder.drawdown, period: TimeRange.allTime }, 'Smallest drawdown, all time'],
    [{ direction: Direction.worstFirst }, 'Biggest losses, past 12 months'],
    [{ portfolioType: ComparedPortfolios.premium }, 'All tipsters, premium portfolios – past 12 months'],
  ])('of %j is called %s', (more, title) => {
    expect(comparisonTitle({ ...openComparisonFilter, ...more })).toBe(title);
  });

  it('has a title of its own for every order, direction, sport, kind and time', () => {
    const titles = Object.values(ComparisonOrder).flatMap((order) =>
      Object.values(Direction).flatMap((direction) =>
        Object.values(ComparedPortfolios).flatMap((portfolioType) =>
          Object.values(TimeRange).flatMap((period) =>
            [0, 1, 2].map((sportId) =>
              comparisonTitle({ ...openComparisonFilter, order, direction, portfolioType, period, sportId }),
            ),
          ),
        ),
      ),
    );
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('says whom it leaves out', () => {
    expect(comparisonLimitsText(defaultComparisonFilter)).toEqual(['45+ tips', 'average odds of 1.2 or longer']);
    expect(
      comparisonLimitsText({
        ...openComparisonFilter,
        maxOdds: 4.5,
        profit: 10,
        roi: 2,
        followerRoi: 1,
        stillThere: 40,
      }),
    ).toEqual([
      'average odds of 4.5 or shorter',
      'a profit of 10+ units',
      'a yield of 2% or better',
      'a yield of 1% or better 15 minutes later',
      'the price still there for 40% of tips or more',
    ]);
  });
});
