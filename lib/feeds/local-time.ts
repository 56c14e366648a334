import { Temporal } from 'temporal-polyfill';

/** The time zone in which football-data.co.uk writes its times. */
export const london = 'Europe/London';

/** A day of the calendar. */
export type Day = Temporal.PlainDate;

/** The day of a year, month and day, or null when the calendar has no such day or it lies outside 1850 to 2100. */
export function dayOf(year: number, month: number, day: number): Day | null {
  if (year < 1850 || year > 2100) return null;
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    return null;
  }
}

/** A time of day. */
export type TimeOfDay = Temporal.PlainTime;

/** The time of day that HH:MM stands for, or null when it is none. */
export function timeOf(text: string): TimeOfDay | null {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? Temporal.PlainTime.from({ hour: Number(match[1]), minute: Number(match[2]) }) : null;
}

/** The moment in UTC, as ISO text, of a day and time in a zone; null when the clocks skip it; the earlier one when they show it twice. */
export function momentIn(zone: string, day: Day, time: TimeOfDay): string | null {
  const zoned = day.toZonedDateTime({ timeZone: zone, plainTime: time });
  return zoned.toPlainTime().equals(time) ? isoOf(zoned) : null;
}

/** The first moment of a day in a zone in UTC, as ISO text. */
export function startOfDayIn(zone: string, day: Day): string {
  return isoOf(day.toZonedDateTime(zone));
}

/** The season that begins in a year and ends in the next, as in 2025-26. */
export function seasonFrom(firstYear: number): string {
  return `${firstYear}-${String((firstYear + 1) % 100).padStart(2, '0')}`;
}

/** A moment in UTC as ISO text with milliseconds. */
export function isoOf(zoned: Temporal.ZonedDateTime): string {
  return new Date(zoned.epochMilliseconds).toISOString();
}
