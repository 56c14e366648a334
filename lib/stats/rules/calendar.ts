import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { TimeRange } from '@/lib/reference/schema';
import { recordTimeZone } from '../schema/rollups';
import type { Window } from '../schema/views';

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    hour: '2-digit',
  });
  clocks.set(timeZone, clock);
  return clock;
}

const part = (parts: Intl.DateTimeFormatPart[], type: 'year' | 'month' | 'hour') =>
  parts.find((each) => each.type === type)?.value ?? '';

type MonthAndHour = { month: string; hour: number };

// Many tips start at the same moments.
const known = new LRUCache<string, MonthAndHour>({ max: 2_000 });

/** The month, as in 2025-08, and the hour from 0 to 23 of a moment in a time zone, clock changes included. */
export function monthAndHour(moment: string, timeZone = recordTimeZone): MonthAndHour {
  const key = `${timeZone} ${moment}`;
  const before = known.get(key);
  if (before) return before;
  const parts = clockOf(timeZone).formatToParts(Date.parse(moment));
  const told = { month: `${part(parts, 'year')}-${part(parts, 'month')}`, hour: Number(part(parts, 'hour')) };
  known.set(key, told);
  return told;
}

/** Every month from one to another, both as in 2025-08 and both included. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = Temporal.PlainYearMonth.from(first); month.toString() <= last; month = month.add({ months: 1 }))
    months.push(month.toString());
  return months;
}

/** A window that may lack its beginning, as all time does. */
export type RangeWindow = { from: string | null; until: string };

const lengths: Record<Exclude<TimeRange, typeof TimeRange.allTime>, Temporal.DurationLike> = {
  [TimeRange.day]: { days: 1 },
  [TimeRange.week]: { days: 7 },
  [TimeRange.month]: { months: 1 },
  [TimeRange.threeMonth]: { months: 3 },
  [TimeRange.sixMonth]: { months: 6 },
  [TimeRange.year]: { years: 1 },
};

// No zone's day begins but at a quarter of an hour, and a page or a run of settlement asks for the same windows again and again.
const quarterMilliseconds = 15 * 60_000;
const starts = new LRUCache<string, string>({ max: 500 });

function startOf(range: Exclude<TimeRange, typeof TimeRange.allTime>, now: Date, timeZone: string): string {
  const key = `${timeZone} ${range} ${Math.floor(now.getTime() / quarterMilliseconds)}`;
  const before = starts.get(key);
  if (before !== undefined) return before;
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const start = today.subtract(lengths[range]).add({ days: 1 }).toZonedDateTime(timeZone);
  const from = new Date(start.epochMilliseconds).toISOString();
  starts.set(key, from);
  return from;
}

/**
 * Spec §3: the window of a time range at `now`. Ours: whole days, of which the last is today as far as it has come, so that a day is
 * today and a month the days since the one after today's a month ago; of all time the window has no beginning.
 */
export function windowOf(range: TimeRange, now: Date, timeZone = recordTimeZone): RangeWindow {
  const until = now.toISOString();
  if (range === TimeRange.allTime) return { from: null, until };
  return { from: startOf(range, now, timeZone), until };
}

/** The window with the settlement of the first tip for its beginning where it has none; null when there is no tip either. */
export function windowSince({ from, until }: RangeWindow, firstSettledAt: string | null): Window | null {
  const begins = from ?? firstSettledAt;
  return begins === null ? null : { from: begins, until };
}
