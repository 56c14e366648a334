import { nextDigestAt, quietUntil } from '@/lib/notifications/rules/hours';

const night = { quietFrom: 23 * 60, quietUntil: 7 * 60, digestHour: null };
const untilOf = (hours: typeof night, zone: string, at: string) =>
  quietUntil(hours, zone, new Date(at))?.toISOString() ?? null;

test.each([
  ['an evening before', 'Europe/London', '2026-01-10T22:59:59Z', null],
  ['the beginning', 'Europe/London', '2026-01-10T23:00:00Z', '2026-01-11T07:00:00.000Z'],
  ['after midnight', 'Europe/London', '2026-01-11T06:59:59Z', '2026-01-11T07:00:00.000Z'],
  ['the end', 'Europe/London', '2026-01-11T07:00:00Z', null],
  ['summer', 'Europe/London', '2026-07-10T23:30:00Z', '2026-07-11T06:00:00.000Z'],
  ['the night that is an hour shorter', 'Europe/London', '2026-03-28T23:30:00Z', '2026-03-29T06:00:00.000Z'],
  ['the night that is an hour longer', 'Europe/London', '2026-10-24T22:30:00Z', '2026-10-25T07:00:00.000Z'],
  ['an offset of quarters', 'Asia/Kathmandu', '2026-03-10T18:00:00Z', '2026-03-11T01:15:00.000Z'],
])('nights are quiet by the clock of the zone: %s', (_, zone, at, until) => {
  expect(untilOf(night, zone, at)).toBe(until);
});

test('an end that the clock skips comes with the skip, one that it shows twice the second time for whoever asks between', () => {
  const early = { quietFrom: 23 * 60, quietUntil: 90, digestHour: null };
  expect(untilOf(early, 'Europe/London', '2026-03-29T00:30:00Z')).toBe('2026-03-29T01:30:00.000Z');
  expect(untilOf(early, 'Europe/London', '2026-10-25T00:10:00Z')).toBe('2026-10-25T00:30:00.000Z');
  expect(untilOf(early, 'Europe/London', '2026-10-25T01:10:00Z')).toBe('2026-10-25T01:30:00.000Z');
});

test('hours of the day, and none', () => {
  expect(untilOf({ quietFrom: 600, quietUntil: 720, digestHour: null }, 'Europe/London', '2026-01-10T11:00:00Z')).toBe(
    '2026-01-10T12:00:00.000Z',
  );
  expect(quietUntil({ quietFrom: null, quietUntil: null, digestHour: null }, 'Europe/London', new Date(0))).toBeNull();
});

test('the daily mail comes at the next such hour of the zone, across a change of the clock too', () => {
  const next = (at: string) => nextDigestAt(18, 'Europe/London', new Date(at)).toISOString();
  expect(next('2026-03-10T12:00:00Z')).toBe('2026-03-10T18:00:00.000Z');
  expect(next('2026-03-10T18:00:00Z')).toBe('2026-03-11T18:00:00.000Z');
  expect(next('2026-03-28T19:00:00Z')).toBe('2026-03-29T17:00:00.000Z');
});
