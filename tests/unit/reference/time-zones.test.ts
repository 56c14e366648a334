import fc from 'fast-check';
import { closestTimeZone, timeZoneLabel } from '@/lib/reference/rules';
import { offsetAt } from '@/lib/reference/rules/time-zones';
import { defaultTimeZone, timeZones } from '@/lib/reference/schema';
import { timeZoneByReference, timeZoneSchema } from '@/lib/reference/schema/time-zones';

const { london, sydney, kathmandu } = timeZoneByReference;
const newYork = timeZoneByReference['new-york'];
const lordHowe = timeZoneByReference['lord-howe-island'];

// The wall clock of a zone read as if it were UTC, less the instant: a second way to the offset, through other fields of Intl.
function wallClockOffset(tz: string, instant: Date): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: tz,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(instant);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return Math.floor((wall - Math.floor(instant.getTime() / 60_000) * 60_000) / 60_000);
}

describe('the list', () => {
  test('has 102 entries, each of which satisfies its schema', () => {
    expect(timeZones).toHaveLength(102);
    for (const zone of timeZones) expect(timeZoneSchema.parse(zone)).toEqual(zone);
  });

  test('has ids from 1 to 102 and no reference, name or zone twice', () => {
    expect(timeZones.map(({ id }) => id)).toEqual(Array.from({ length: 102 }, (_, at) => at + 1));
    for (const field of ['reference', 'name', 'tz'] as const)
      expect(new Set(timeZones.map((zone) => zone[field])).size).toBe(102);
  });

  test('keeps the ids that members have chosen', () => {
    const ids = [timeZones[0], london, newYork, kathmandu, timeZones.at(-1)].map((zone) => [zone?.id, zone?.reference]);
    expect(ids).toEqual([
      [1, 'international-date-line-west'],
      [41, 'london'],
      [20, 'new-york'],
      [74, 'kathmandu'],
      [102, 'apia'],
    ]);
  });

  test('runs from UTC−12 to UTC+13 in the order of the standard offsets', () => {
    expect(timeZones[0]).toEqual({
      id: 1,
      reference: 'international-date-line-west',
      name: 'International Date Line West',
      offset: -720,
      tz: 'Etc/GMT+12',
    });
    expect(timeZones.slice(-2).map(({ name, offset, tz }) => [name, offset, tz])).toEqual([
      ["Nuku'alofa", 780, 'Pacific/Tongatapu'],
      ['Apia, Fakaofo', 780, 'Pacific/Apia'],
    ]);
    const offsets = timeZones.map(({ offset }) => offset);
    expect(offsets).toEqual(offsets.toSorted((one, other) => one - other));
  });

  test.each(timeZones.map((zone) => [zone.tz, zone] as const))(
    'gives %s the standard offset that Intl knows for 2026',
    (tz, zone) => {
      const offsets = ['2026-01-01T00:00Z', '2026-07-01T00:00Z'].map((instant) =>
        wallClockOffset(tz, new Date(instant)),
      );
      expect(zone.offset).toBe(Math.min(...offsets));
    },
  );

  test('has London by default', () => {
    expect(defaultTimeZone).toMatchObject({
      name: 'London, Dublin, Edinburgh, Lisbon',
      offset: 0,
      tz: 'Europe/London',
    });
  });

  // The laws of 2026, later than the data of Node 20: these places no longer change their clocks.
  test.each([
    ['vancouver', -420],
    ['calgary', -360],
    ['winnipeg', -300],
    ['casablanca', 0],
  ] as const)('keeps %s on one offset from November 2026 on', (reference, offset) => {
    for (const instant of ['2026-11-21T12:00Z', '2027-01-15T12:00Z', '2027-03-01T12:00Z', '2027-07-15T12:00Z']) {
      expect(offsetAt(timeZoneByReference[reference], new Date(instant))).toBe(offset);
    }
  });

  test('keeps time as every zone of Intl did in 2025, save Morocco, whose law has changed, Troll station and UTC+14', () => {
    const year = Array.from({ length: 53 }, (_, week) => new Date(Date.UTC(2025, 0, 1 + 7 * week)));
    const signature = (tz: string) => year.map((instant) => offsetAt({ tz }, instant)).join();
    const listed = new Set(timeZones.map(({ tz }) => signature(tz)));
    const missing = Intl.supportedValuesOf('timeZone').filter((tz) => !listed.has(signature(tz)));
    expect(missing.toSorted()).toEqual([
      'Africa/Casablanca',
      'Africa/El_Aaiun',
      'Antarctica/Troll',
      'Pacific/Kiritimati',
    ]);
  });
});

describe('offsetAt', () => {
  test.each([
    ['London before the clocks go forward', london, '2026-03-29T00:59:59Z', 0],
    ['London when the clocks have gone forward', london, '2026-03-29T01:00:00Z', 60],
    ['London before the clocks go back', london, '2026-10-25T00:59:59Z', 60],
    ['London when the clocks have gone back', london, '2026-10-25T01:00:00Z', 0],
    ['New York before the clocks go forward', newYork, '2026-03-08T06:59:59Z', -300],
    ['New York when the clocks have gone forward', newYork, '2026-03-08T07:00:00Z', -240],
    ['New York before the clocks go back', newYork, '2026-11-01T05:59:59Z', -240],
    ['New York when the clocks have gone back', newYork, '2026-11-01T06:00:00Z', -300],
    ['Lord Howe before its half hour back', lordHowe, '2026-04-04T14:59:59Z', 660],
    ['Lord Howe after its half hour back', lordHowe, '2026-04-04T15:00:00Z', 630],
    ['Lord Howe before its half hour forward', lordHowe, '2026-10-03T15:29:59Z', 630],
    ['Lord Howe after its half hour forward', lordHowe, '2026-10-03T15:30:00Z', 660],
    ['Sydney before the clocks go back', sydney, '2026-04-04T15:59:59Z', 660],
    ['Sydney when the clocks have gone back', sydney, '2026-04-04T16:00:00Z', 600],
    ['Sydney before the clocks go forward', sydney, '2026-10-03T15:59:59Z', 600],
    ['Sydney when the clocks have gone forward', sydney, '2026-10-03T16:00:00Z', 660],
    ['Kathmandu in winter', kathmandu, '2026-01-01T00:00:00Z', 345],
    ['Kathmandu in summer', kathmandu, '2026-07-01T00:00:00Z', 345],
    ["St John's in summer", timeZoneByReference['st-johns'], '2026-07-01T00:00:00Z', -150],
    ['the Marquesas', timeZoneByReference['marquesas-islands'], '2026-07-01T00:00:00Z', -570],
    ['the Chathams in their summer', timeZoneByReference['chatham-islands'], '2026-01-01T00:00:00Z', 825],
  ] as const)('is right for %s', (_, zone, instant, minutes) => {
    expect(offsetAt(zone, new Date(instant))).toBe(minutes);
  });

  test('is right where the law calls summer time the standard: Ireland, and Morocco up to 2026', () => {
    expect(offsetAt({ tz: 'Europe/Dublin' }, new Date('2026-01-01T00:00Z'))).toBe(0);
    expect(offsetAt({ tz: 'Europe/Dublin' }, new Date('2026-07-01T00:00Z'))).toBe(60);
    expect(offsetAt({ tz: 'Africa/Casablanca' }, new Date('2024-03-20T00:00Z'))).toBe(0);
    expect(offsetAt({ tz: 'Africa/Casablanca' }, new Date('2024-07-01T00:00Z'))).toBe(60);
  });

  test('agrees with the wall clock at any minute of any zone', () => {
    const instants = fc.date({
      min: new Date('2000-01-01T00:00Z'),
      max: new Date('2040-01-01T00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...timeZones), instants, (zone, instant) => {
        expect(offsetAt(zone, instant)).toBe(wallClockOffset(zone.tz, instant));
      }),
    );
  });

  test('refuses a zone that Intl does not know', () => {
    expect(() => offsetAt({ tz: 'Europe/Atlantis' }, new Date(0))).toThrow(RangeError);
  });
});

describe('timeZoneLabel', () => {
  test.each([
    [london, '2026-01-15T12:00Z', '(UTC+00:00) London, Dublin, Edinburgh, Lisbon'],
    [london, '2026-07-15T12:00Z', '(UTC+01:00) London, Dublin, Edinburgh, Lisbon'],
    [kathmandu, '2026-07-15T12:00Z', '(UTC+05:45) Kathmandu, Pokhara'],
    [timeZoneByReference['st-johns'], '2026-01-15T12:00Z', "(UTC−03:30) St John's, Newfoundland"],
    [timeZoneByReference['st-johns'], '2026-07-15T12:00Z', "(UTC−02:30) St John's, Newfoundland"],
    [
      timeZoneByReference['international-date-line-west'],
      '2026-07-15T12:00Z',
      '(UTC−12:00) International Date Line West',
    ],
  ] as const)('puts the offset of the moment before the name', (zone, instant, label) => {
    expect(timeZoneLabel(zone, new Date(instant))).toBe(label);
  });
});

describe('closestTimeZone', () => {
  const today = new Date('2026-11-21T12:00Z');

  test.each([
    ['Europe/London', 'london', 'the zone itself'],
    ['Asia/Katmandu', 'kathmandu', 'an older name of the zone'],
    ['Asia/Calcutta', 'mumbai', 'an older name of the zone'],
    ['UTC', 'utc', 'a short name of the zone'],
    ['Europe/Dublin', 'london', 'a city that the name holds'],
    ['America/Vancouver', 'vancouver', 'a city whose own zone may be out of date'],
    ['Africa/Casablanca', 'casablanca', 'a city whose own zone may be out of date'],
    ['America/Argentina/San_Juan', 'buenos-aires', 'a namesake on another clock'],
    ['Europe/Oslo', 'stockholm', 'a city that the name holds'],
    ['Europe/Jersey', 'london', 'the same clock'],
    ['America/Detroit', 'new-york', 'the same clock in the same area'],
    ['Africa/Cairo', 'cairo', 'the zone itself'],
    ['Africa/Lusaka', 'johannesburg', 'the same clock in the same area'],
    ['Pacific/Kiritimati', 'chatham-islands', 'the nearest clock over the year, as the list ends at UTC+13'],
  ])('takes %s for %s: %s', (tz, reference) => {
    expect(closestTimeZone(tz, timeZones, today)?.reference).toBe(reference);
  });

  test('finds every listed zone for itself', () => {
    for (const zone of timeZones) expect(closestTimeZone(zone.tz, timeZones, today)).toBe(zone);
  });

  test('finds none for a name that Intl does not know, or in an empty list', () => {
    expect(closestTimeZone('Europe/Atlantis', timeZones, today)).toBeNull();
    expect(closestTimeZone('', timeZones, today)).toBeNull();
    expect(closestTimeZone('Europe/London', [], today)).toBeNull();
  });
});
