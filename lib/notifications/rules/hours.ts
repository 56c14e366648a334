import { Temporal } from 'temporal-polyfill';
import type { Hours } from '../schema/settings';

const atMinute = (minutes: number) => ({ hour: Math.floor(minutes / 60), minute: minutes % 60 });

/**
 * Product §12: until when push, chat and mail wait for somebody at `now`; null outside their quiet hours. The hours are those of the clock on
 * their wall: on the night that it changes they are longer or shorter, and a time that it skips ends with the skip.
 */
export function quietUntil({ quietFrom, quietUntil: until }: Hours, timeZone: string, now: Date): Date | null {
  if (quietFrom === null || until === null) return null;
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const minute = 60 * local.hour + local.minute;
  const isQuiet = quietFrom < until ? minute >= quietFrom && minute < until : minute >= quietFrom || minute < until;
  if (!isQuiet) return null;
  const day = minute < until ? local.toPlainDate() : local.toPlainDate().add({ days: 1 });
  const end = day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(atMinute(until)) });
  // Where the clock goes back, the end comes a second time.
  const { epochMilliseconds } = end;
  return new Date(
    epochMilliseconds > now.getTime() ? epochMilliseconds : laterEnd(day, timeZone, until).epochMilliseconds,
  );
}

function laterEnd(day: Temporal.PlainDate, timeZone: string, until: number): Temporal.ZonedDateTime {
  return day
    .toPlainDateTime(Temporal.PlainTime.from(atMinute(until)))
    .toZonedDateTime(timeZone, { disambiguation: 'later' });
}

/** The next moment after `now` at which the clock of the zone shows this full hour. */
export function nextDigestAt(digestHour: number, timeZone: string, now: Date): Date {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const at = (day: Temporal.PlainDate) =>
    day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from({ hour: digestHour }) }).epochMilliseconds;
  const first = at(today);
  return new Date(first > now.getTime() ? first : at(today.add({ days: 1 })));
}
