import fc from 'fast-check';
import { z } from 'zod';
import { PortfolioVisibility, TimeRange } from '@/lib/reference/schema';
import { readComparisonFilter } from '@/lib/stats/rules';
import { writeComparisonFilter } from '@/lib/stats/rules/comparison';
import {
  ComparedPortfolios,
  type ComparisonFilter,
  comparisonFilterSchema,
  ComparisonOrder,
  comparisonOrderNames,
  defaultComparisonFilter,
} from '@/lib/stats/schema';
import { comparisonLimits } from '@/lib/stats/schema/comparison';

const between = (min: number, max: number, places: number) =>
  fc.integer({ min: Math.round(min * 10 ** places), max: max * 10 ** places }).map((value) => value / 10 ** places);

const anyFilter: fc.Arbitrary<ComparisonFilter> = fc
  .record({
    sportId: fc.constantFrom(0, 1, 2, 16, 21),
    profit: between(0, comparisonLimits.profit, 2),
    roi: between(0, comparisonLimits.roi, 2),
    tips: between(1, comparisonLimits.tips, 0),
    minOdds: between(1.001, 1000, 3),
    maxOdds: between(1.001, 1000, 3),
    portfolioType: fc.constantFrom(0, 1, 2),
    order: fc.constantFrom(...Object.values(ComparisonOrder)),
    period: fc.constantFrom(...Object.values(TimeRange)),
    page: between(1, comparisonLimits.page, 0),
    followerRoi: between(0, comparisonLimits.roi, 2),
    stillThere: between(0, 100, 2),
    maxPrice: between(0, 100_000, 2),
    direction: fc.constantFrom(0, 1),
    filterType: fc.constantFrom(0, 1),
  })
  .map(
    (filter) =>
      ({
        ...filter,
        minOdds: Math.min(filter.minOdds, filter.maxOdds),
        maxOdds: Math.max(filter.minOdds, filter.maxOdds),
      }) as ComparisonFilter,
  );

describe('the comparison filter', () => {
  it('has the defaults of the specification', () => {
    expect(defaultComparisonFilter).toEqual({
      sportId: 1,
      profit: 0,
      roi: 0,
      tips: 45,
      minOdds: 1.2,
      maxOdds: 1000,
      portfolioType: 2,
      order: 0,
      period: 3,
      page: 1,
      followerRoi: 0,
      stillThere: 0,
      maxPrice: 0,
      direction: 0,
      filterType: 0,
    });
    expect(readComparisonFilter({})).toEqual(defaultComparisonFilter);
    expect(comparisonFilterSchema.parse({ profit: '', roi: '', sportId: '', minOdds: '' })).toEqual(
      defaultComparisonFilter,
    );
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const parameters = Object.fromEntries(new URLSearchParams(writeComparisonFilter(filter).toString()));
        expect(comparisonFilterSchema.parse(parameters)).toEqual(filter);
        expect(readComparisonFilter(parameters)).toEqual(filter);
      }),
      { seed: 21 },
    );
  });

  it('is sent without amounts that are not positive, and with every choice', () => {
    expect(writeComparisonFilter(defaultComparisonFilter).toString()).toBe(
      'sportId=1&tips=45&minOdds=1.2&maxOdds=1000&portfolioType=2&order=0&period=3&page=1&direction=0&filterType=0',
    );
    expect(
      writeComparisonFilter({ ...defaultComparisonFilter, profit: 12.5, sportId: 0, period: TimeRange.day }).toString(),
    ).toContain('sportId=0&profit=12.5&tips=45');
  });

  it.each([
    ['sportId', '99', 'must be the id of a sport on offer, such as 1 for football, or 0 for every sport'],
    ['sportId', '7', 'must be the id of a sport on offer, such as 1 for football, or 0 for every sport'],
    ['profit', '-1', 'must be units from 0 to 1000000, with two decimals at most'],
    ['profit', '1e3', 'must be units from 0 to 1000000, with two decimals at most'],
    ['profit', 'NaN', 'must be units from 0 to 1000000, with two decimals at most'],
    ['roi', '10001', 'must be per cent from 0 to 10000, with two decimals at most'],
    ['tips', '0', 'must be a whole number from 1 to 1000000'],
    ['tips', '45.5', 'must be a whole number from 1 to 1000000'],
    ['minOdds', '1', 'must be decimal odds from 1.001 to 1000, with three decimals at most'],
    ['maxOdds', '1000.001', 'must be decimal odds from 1.001 to 1000, with three decimals at most'],
    ['portfolioType', '3', 'must be 0 (public and premium), 1 (public) or 2 (premium)'],
    ['order', '12', 'must be the number of an order, from 0 (profit) to 11 (name)'],
    ['direction', '2', 'must be 0 (best first) or 1 (worst first)'],
    ['followerRoi', '-5', 'must be per cent from 0 to 10000, with two decimals at most'],
    ['stillThere', '100.01', 'must be per cent from 0 to 100, with two decimals at most'],
    ['maxPrice', '100000.01', 'must be a price a month from 0 to 100000, with two decimals at most'],
    ['period', '7', 'must be the number of a time range, from 0 (day) to 6 (all time)'],
    ['page', '0', 'must be a whole number from 1 to 10000'],
    ['page', ['1', '2'], 'must be a whole number from 1 to 10000, given once'],
    ['filterType', ' 1', 'must be 0 (advised stakes) or 1 (level stakes)'],
  ])('refuses %s %j with a word on what to write, and reads it as the default', (name, value, message) => {
    expect(
      comparisonFilterSchema.safeParse({ [name]: value }).error?.issues.map(({ path, message: own }) => [path, own]),
    ).toEqual([[[name], message]]);
    expect(readComparisonFilter({ [name]: value })).toEqual(defaultComparisonFilter);
  });

  it('refuses a least odds over the most, and reads both as their defaults', () => {
    const parsed = comparisonFilterSchema.safeParse({ minOdds: '5', maxOdds: '2' });
    expect(parsed.error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [['minOdds'], 'minOdds (5) must not be over maxOdds (2)'],
      [['maxOdds'], 'minOdds (5) must not be over maxOdds (2)'],
    ]);
    expect(readComparisonFilter({ minOdds: '5', maxOdds: '2', page: '3', order: 'x' })).toEqual({
      ...defaultComparisonFilter,
      page: 3,
    });
    expect(readComparisonFilter({ maxOdds: '1.1' })).toEqual(defaultComparisonFilter);
  });

  it('never fails on what a URL may hold', () => {
    const hostile = fc.dictionary(
      fc.oneof(fc.constantFrom(...Object.keys(defaultComparisonFilter)), fc.string()),
      fc.oneof(fc.string(), fc.array(fc.string()), fc.double().map(String), fc.constant(undefined)),
    );
    fc.assert(
      fc.property(hostile, (parameters) => {
        const filter = readComparisonFilter(parameters);
        expect(readComparisonFilter(Object.fromEntries(writeComparisonFilter(filter)))).toEqual(filter);
      }),
      { seed: 22 },
    );
  });

  it('compares only portfolios that anybody may find', () => {
    const types: number[] = Object.values(ComparedPortfolios);
    expect(types).toEqual([0, PortfolioVisibility.public, PortfolioVisibility.premium]);
    expect(types).not.toContain(PortfolioVisibility.hidden);
  });

  it('names every order', () => {
    expect(Object.keys(comparisonOrderNames).map(Number)).toEqual(Object.values(ComparisonOrder));
  });

  it('can be described as JSON Schema', () => {
    expect(z.toJSONSchema(comparisonFilterSchema, { io: 'input', unrepresentable: 'any' })).toHaveProperty(
      'properties.sportId',
    );
  });
});
