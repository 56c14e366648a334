import { oddsDisplayFrom } from '@/lib/reference/rules';
import {
  AnalyticsDimension,
  breakpoints,
  defaultOddsDisplay,
  FixtureStatus,
  fixtureStatusSchema,
  HorseRacingSort,
  LoginOutcome,
  OddsDisplay,
  PortfolioVisibility,
  Role,
  roleSchema,
  TimeRange,
  timeRangeNames,
  timeRangeSchema,
} from '@/lib/reference/schema';
import { OpenStatus } from '@/lib/reference/schema/enumerations';

test('the enumerations of numbers are those of the specification', () => {
  expect(Role).toEqual({ user: 0, superAdmin: 1, admin: 2 });
  expect(OpenStatus).toEqual({ open: 0, closed: 1 });
  expect(Object.entries(TimeRange)).toEqual([
    ['day', 0],
    ['week', 1],
    ['month', 2],
    ['threeMonth', 3],
    ['sixMonth', 4],
    ['year', 5],
    ['allTime', 6],
  ]);
  expect(PortfolioVisibility).toEqual({ personal: 0, public: 1, premium: 2, hidden: 3 });
});

test('the enumerations of words are those of the specification', () => {
  const kebab = (list: string) => list.split(', ').map((word) => word.replaceAll(' ', '-'));
  expect(Object.values(OddsDisplay)).toEqual(kebab('decimal, fraction, moneyline'));
  expect(Object.values(LoginOutcome)).toEqual(kebab('error, success, incorrect user, incorrect password, locked'));
  expect(Object.values(FixtureStatus)).toEqual(kebab('awaiting result, pending, processing, complete, retry'));
  expect(Object.values(HorseRacingSort)).toEqual(kebab('odds, runner'));
  const dimensions = 'user id, organisation id, active portfolio, timestamp, referrer, breakpoint, version, page url';
  expect(Object.values(AnalyticsDimension)).toEqual(dimensions.split(', ').map((word) => word.replaceAll(' ', '_')));
});

test('the schemas accept the values and nothing else', () => {
  for (const role of [0, 1, 2]) expect(roleSchema.parse(role)).toBe(role);
  for (const other of [3, -1, '1', 'admin', null]) expect(roleSchema.safeParse(other).success).toBe(false);
  expect(timeRangeSchema.safeParse(6).success).toBe(true);
  expect(timeRangeSchema.safeParse(7).success).toBe(false);
  expect(fixtureStatusSchema.parse('awaiting-result')).toBe(FixtureStatus.awaitingResult);
  expect(fixtureStatusSchema.safeParse('awaitingResult').success).toBe(false);
});

test('every time range has a name', () => {
  expect(Object.values(TimeRange).map((range) => timeRangeNames[range])).toEqual([
    'Today',
    'Past 7 days',
    'Past month',
    'Past 3 months',
    'Past 6 months',
    'Past 12 months',
    'All time',
  ]);
});

test('odds are decimal until the viewer chooses', () => {
  expect(defaultOddsDisplay).toBe('decimal');
});

describe('oddsDisplayFrom', () => {
  test.each([
    ['decimal', 'decimal'],
    ['fraction', 'fraction'],
    ['fractional', 'fraction'],
    ['moneyline', 'moneyline'],
    ['US', 'moneyline'],
    [' us ', 'moneyline'],
  ])('reads %j as %s', (text, display) => {
    expect(oddsDisplayFrom(text)).toBe(display);
  });

  test.each(['', 'malay', 'USA', 'constructor'])('reads %j as nothing', (text) => {
    expect(oddsDisplayFrom(text)).toBeNull();
  });
});

describe('breakpoints', () => {
  test('run from 2xs at 23 rem to 5xl at 120 rem, ever wider', () => {
    expect(breakpoints.map(({ name }) => name)).toEqual([
      '2xs',
      'xs',
      'sm',
      'md',
      'lg',
      'xl',
      '2xl',
      '3xl',
      '4xl',
      '5xl',
    ]);
    const widths: number[] = breakpoints.map(({ minWidthRem }) => minWidthRem);
    expect([widths[0], widths.at(-1)]).toEqual([23, 120]);
    expect(widths).toEqual([...new Set(widths)].toSorted((one, other) => one - other));
  });

  test('are mobile below xl and only there', () => {
    expect(breakpoints.filter(({ mobile }) => mobile).map(({ name }) => name)).toEqual(['2xs', 'xs', 'sm', 'md', 'lg']);
  });
});
