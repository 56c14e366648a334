import fc from 'fast-check';
import { TimeRange } from '@/lib/reference/schema';
import { windowOf, windowSince } from '@/lib/stats/rules';
import { monthAndHour, monthsBetween } from '@/lib/stats/rules/calendar';

describe('the window of a time range', () => {
  const now = new Date('2026-05-31T15:30:00.000Z');

  it.each([
    [TimeRange.day, '2026-05-30T23:00:00.000Z'],
    [TimeRange.week, '2026-05-24T23:00:00.000Z'],
    [TimeRange.month, '2026-04-30T23:00:00.000Z'],
    [TimeRange.threeMonth, '2026-03-01T00:00:00.000Z'],
    [TimeRange.sixMonth, '2025-12-01T00:00:00.000Z'],
    [TimeRange.year, '2025-05-31T23:00:00.000Z'],
    [TimeRange.allTime, null],
  ])('%i begins with a day in London, summer time or not, at %s', (range, from) => {
    expect(windowOf(range, now)).toEqual({ from, until: '2026-05-31T15:30:00.000Z' });
  });

  it('begins today where the day began, in another zone too', () => {
    expect(windowOf(TimeRange.day, new Date('2026-05-31T23:10:00.000Z')).from).toBe('2026-05-31T23:00:00.000Z');
    expect(windowOf(TimeRange.day, now, 'Asia/Kathmandu').from).toBe('2026-05-30T18:15:00.000Z');
  });

  it('never begins after now, and reaches further back the longer the range', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2060, 0, 1) }), (time) => {
        const moment = new Date(time);
        const starts = Object.values(TimeRange).flatMap((range) => windowOf(range, moment).from ?? []);
        expect(starts).toHaveLength(6);
        expect(starts[0]?.localeCompare(moment.toISOString())).toBeLessThanOrEqual(0);
        expect(starts).toEqual(starts.toSorted().toReversed());
      }),
      { seed: 5 },
    );
  });

  it('takes the first settlement for the beginning that all time lacks', () => {
    const window = windowOf(TimeRange.allTime, now);
    expect(windowSince(window, '2026-02-01T00:00:00.000Z')).toEqual({
      from: '2026-02-01T00:00:00.000Z',
      until: window.until,
    });
    expect(windowSince(window, null)).toBeNull();
    expect(
      windowSince({ from: '2026-05-01T00:00:00.000Z', until: window.until }, '2026-02-01T00:00:00.000Z')?.from,
    ).toBe('2026-05-01T00:00:00.000Z');
  });
});

describe('months and hours', () => {
  it.each([
    ['2026-01-31T23:30:00.000Z', { month: '2026-01', hour: 23 }],
    ['2026-06-30T23:30:00.000Z', { month: '2026-07', hour: 0 }],
    ['2026-10-25T00:30:00.000Z', { month: '2026-10', hour: 1 }],
    ['2026-10-25T01:30:00.000Z', { month: '2026-10', hour: 1 }],
    ['2026-12-31T23:59:59.999Z', { month: '2026-12', hour: 23 }],
  ])('of %s are those of London', (moment, expected) => {
    expect(monthAndHour(moment)).toEqual(expected);
  });

  it('run from one month to another across the year', () => {
    expect(monthsBetween('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(monthsBetween('2026-02', '2026-02')).toEqual(['2026-02']);
    expect(monthsBetween('2026-03', '2026-02')).toEqual([]);
  });
});
