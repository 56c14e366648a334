import { Temporal } from 'temporal-polyfill';
import { type Day, isoOf, london } from '../local-time';

const tuesdayAndFriday: readonly number[] = [2, 5];

/**
 * When the source collected the prices of a match that are not closing ones, as ISO text in UTC: the latest Tuesday or Friday at
 * 15:00 in London strictly before the start and not after the file was read, for a price that is on offer comes from no
 * later. Ours: the source says Friday and Tuesday afternoons but no hour, so such a price is marked as having no known
 * time. `day` is the match's own in London.
 */
export function collectedAt(day: Day, startsAt: string, readAt: Date): string {
  const start = Temporal.Instant.from(startsAt).epochMilliseconds;
  const dayOfReading = Temporal.Instant.fromEpochMilliseconds(readAt.getTime())
    .toZonedDateTimeISO(london)
    .toPlainDate();
  const last = Temporal.PlainDate.compare(day, dayOfReading) < 0 ? day : dayOfReading;
  let afternoon = last.toZonedDateTime({ timeZone: london, plainTime: '15:00' });
  while (
    !tuesdayAndFriday.includes(afternoon.dayOfWeek) ||
    afternoon.epochMilliseconds >= start ||
    afternoon.epochMilliseconds > readAt.getTime()
  ) {
    afternoon = afternoon.subtract({ days: 1 });
  }
  return isoOf(afternoon);
}
