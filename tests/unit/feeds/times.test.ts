import fc from 'fast-check';
import { collectedAt } from '@/lib/feeds/football-data/collection';
import { seasonOfDivision } from '@/lib/feeds/football-data/divisions';
import { dayOf, type Day, london, momentIn, startOfDayIn, timeOf } from '@/lib/feeds/local-time';

const day = (text: string): Day => {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number);
  const found = dayOf(year, month, date);
  if (!found) throw new Error(`${text} is no day`);
  return found;
};

const moment = (zone: string, date: string, clock: string) => {
  const time = timeOf(clock);
  return time && momentIn(zone, day(date), time);
};

describe('local time', () => {
  test.each([
    ['2025-08-15', '20:00', '2025-08-15T19:00:00.000Z'],
    ['2025-12-26', '12:30', '2025-12-26T12:30:00.000Z'],
    ['2026-03-29', '00:59', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29', '01:30', null],
    ['2026-03-29', '02:00', '2026-03-29T01:00:00.000Z'],
    ['2025-10-26', '00:30', '2025-10-25T23:30:00.000Z'],
    ['2025-10-26', '01:30', '2025-10-26T00:30:00.000Z'],
    ['2025-10-26', '02:00', '2025-10-26T02:00:00.000Z'],
  ])('%s at %s in London is %s', (date, clock, expected) => {
    expect(moment(london, date, clock)).toBe(expected);
  });

  test('another zone has its own clocks', () => {
    expect(moment('Europe/Madrid', '2025-08-15', '21:30')).toBe('2025-08-15T19:30:00.000Z');
    expect(moment('Europe/Istanbul', '2025-12-15', '20:00')).toBe('2025-12-15T17:00:00.000Z');
  });

  test('a day begins at midnight of its zone', () => {
    expect(startOfDayIn(london, day('2025-08-15'))).toBe('2025-08-14T23:00:00.000Z');
    expect(startOfDayIn('UTC', day('2025-08-15'))).toBe('2025-08-15T00:00:00.000Z');
  });

  test.each([
    [2025, 2, 29],
    [2025, 13, 1],
    [2025, 0, 1],
    [2025, 4, 31],
    [25, 1, 1],
    [2101, 1, 1],
  ])('%i-%i-%i is no day', (year, month, date) => {
    expect(dayOf(year, month, date)).toBeNull();
  });

  test.each(['24:00', '12:60', '12', '12:5', 'noon', '12:30:00', '-1:00'])('"%s" is no time', (text) => {
    expect(timeOf(text)).toBeNull();
  });
});

describe('the time at which prices were collected', () => {
  test.each([
    ['a Saturday match on the Friday before', '2025-08-16', '2025-08-16T14:00:00.000Z', '2025-08-15T14:00:00.000Z'],
    ['a Monday match on the Friday before', '2025-08-18', '2025-08-18T19:00:00.000Z', '2025-08-15T14:00:00.000Z'],
    ['a Wednesday match on the Tuesday before', '2025-12-03', '2025-12-03T19:45:00.000Z', '2025-12-02T15:00:00.000Z'],
    ['a Friday evening match on that afternoon', '2025-08-15', '2025-08-15T19:00:00.000Z', '2025-08-15T14:00:00.000Z'],
    [
      'a Friday match at three on the Tuesday before',
      '2025-08-15',
      '2025-08-15T14:00:00.000Z',
      '2025-08-12T14:00:00.000Z',
    ],
    [
      'a Tuesday match at noon on the Friday before',
      '2025-10-28',
      '2025-10-28T12:00:00.000Z',
      '2025-10-24T14:00:00.000Z',
    ],
    [
      'a Friday without a time on the Tuesday before',
      '2025-08-15',
      '2025-08-14T23:00:00.000Z',
      '2025-08-12T14:00:00.000Z',
    ],
    [
      'a match across the change of clocks by the clock of its Friday',
      '2026-03-29',
      '2026-03-29T19:00:00.000Z',
      '2026-03-27T15:00:00.000Z',
    ],
  ])('%s', (_case, date, startsAt, expected) => {
    expect(collectedAt(day(date), startsAt, new Date(startsAt))).toBe(expected);
  });

  test.each([
    [
      'on a Saturday, of a match in ten days: the day before',
      '2026-12-01',
      '2026-12-01T15:00:00.000Z',
      '2026-11-21T20:00:00.000Z',
      '2026-11-20T15:00:00.000Z',
    ],
    [
      'on a Friday at noon, of a match on Monday: the Tuesday before',
      '2026-11-23',
      '2026-11-23T20:00:00.000Z',
      '2026-11-20T12:00:00.000Z',
      '2026-11-17T15:00:00.000Z',
    ],
    [
      'on a Friday at three, of a match on Monday: that moment',
      '2026-11-23',
      '2026-11-23T20:00:00.000Z',
      '2026-11-20T15:00:00.000Z',
      '2026-11-20T15:00:00.000Z',
    ],
  ])('is never later than a file was read %s', (_case, date, startsAt, readAt, expected) => {
    expect(collectedAt(day(date), startsAt, new Date(readAt))).toBe(expected);
  });

  test('is within a week before the start, whenever the match is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15_000 }), fc.integer({ min: 0, max: 23 }), (days, hour) => {
        const date = day('1993-08-14').add({ days });
        const time = timeOf(`${hour}:00`);
        const startsAt = (time && momentIn(london, date, time)) ?? startOfDayIn(london, date);
        const before = Date.parse(startsAt) - Date.parse(collectedAt(date, startsAt, new Date(startsAt)));
        expect(before).toBeGreaterThan(0);
        expect(before).toBeLessThanOrEqual(4 * 24 * 3_600_000 + 3_600_000);
      }),
    );
  });
});

describe('the season of a match', () => {
  test.each([
    ['E0', '2025-08-15', '2025-26'],
    ['E0', '2026-06-30', '2025-26'],
    ['E0', '2026-07-01', '2026-27'],
    ['E0', '1999-12-31', '1999-00'],
    ['E0', '2020-07-26', '2019-20'],
    ['SP2', '2020-08-07', '2019-20'],
    ['B1', '2020-08-08', '2020-21'],
    ['SC0', '2020-08-01', '2020-21'],
  ])('%s on %s belongs to %s', (division, date, season) => {
    expect(seasonOfDivision(division, day(date))).toBe(season);
  });
});
