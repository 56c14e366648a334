import { defaultTimeZone, type TimeZone, timeZones } from '../schema/time-zones';

const offsetFormats = new Map<string, Intl.DateTimeFormat>();

// Making a format takes many times as long as using it.
function offsetFormat(tz: string): Intl.DateTimeFormat {
  const known = offsetFormats.get(tz);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en', { timeZone: tz, timeZoneName: 'longOffset' });
  offsetFormats.set(tz, format);
  return format;
}

/**
 * The offset of a zone at an instant in whole minutes east of UTC, daylight saving included; throws RangeError for a zone
 * that Intl does not know and for an invalid date.
 */
export function offsetAt(zone: Pick<TimeZone, 'tz'>, instant: Date): number {
  const shown =
    offsetFormat(zone.tz)
      .formatToParts(instant)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+\-−])(\d\d):(\d\d)/.exec(shown) ?? [];
  const size = Number(hours) * 60 + Number(minutes);
  return sign === '-' || sign === '−' ? -size : size;
}

/** The name of a time zone behind its offset at an instant, such as "(UTC+01:00) London, Dublin, Edinburgh, Lisbon" in July. */
export function timeZoneLabel(zone: TimeZone, instant: Date): string {
  const offset = offsetAt(zone, instant);
  const two = (part: number) => String(part).padStart(2, '0');
  const size = Math.abs(offset);
  return `(UTC${offset < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}) ${zone.name}`;
}

/** Whose time it is, as people say it: UK time, UTC, or by the first place of the zone. */
export function timeZoneTitle({ tz, name }: Pick<TimeZone, 'tz' | 'name'>): string {
  if (tz === defaultTimeZone.tz) return 'UK time';
  if (name === 'Coordinated Universal Time') return 'UTC';
  const [place = name] = name.split(',');
  return place.endsWith('Time') ? place : `${place} time`;
}

/** The same by the IANA name of a zone; that name where it is none of ours. */
export function timeZoneTitleOf(tz: string): string {
  const zone = timeZones.find((each) => each.tz === tz);
  return zone ? timeZoneTitle(zone) : tz;
}

function canonicalName(tz: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: tz }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const area = (tz: string) => tz.slice(0, tz.lastIndexOf('/'));
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();

function namesCity(zone: TimeZone, tz: string): boolean {
  const city = plain(tz.slice(tz.lastIndexOf('/') + 1));
  return area(zone.tz) === area(tz) && zone.name.split(', ').some((name) => plain(name) === city);
}

/**
 * Product §3 (sign-up guesses the time zone): of the given zones, the one for somebody whose device says `tz`. That is the
 * same IANA zone, else the one that names its city, else the one that differs least over the year from `instant`, of the
 * same area if several do; null for a name that Intl does not know.
 */
export function closestTimeZone(tz: string, zones: readonly TimeZone[], instant: Date): TimeZone | null {
  const canonical = canonicalName(tz);
  if (canonical === null) return null;
  const same = zones.find((zone) => canonicalName(zone.tz) === canonical) ?? zones.find((zone) => namesCity(zone, tz));
  if (same) return same;
  const year = Array.from({ length: 12 }, (_, month) => {
    const moment = new Date(instant.getTime() + month * 30 * 86_400_000);
    return { moment, offset: offsetAt({ tz: canonical }, moment) };
  });
  const distance = (zone: TimeZone) =>
    year.reduce(
      (sum, { moment, offset }) => sum + Math.abs(offsetAt(zone, moment) - offset),
      area(zone.tz) === area(tz) ? 0 : 1,
    );
  const [nearest] = zones
    .map((zone) => ({ zone, distance: distance(zone) }))
    .sort((one, other) => one.distance - other.distance);
  return nearest?.zone ?? null;
}
