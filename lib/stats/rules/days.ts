import { recordTimeZone, type Rollup } from '../schema/rollups';
import type { RangeWindow } from './calendar';
import { mergeAllRollups } from './rollup';

const days = new Intl.DateTimeFormat('en-CA', {
  timeZone: recordTimeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

let last = { at: Number.NaN, day: '' };

/** The day of a moment in the record's time zone, as YYYY-MM-DD. */
export function recordDay(moment: Date | string): string {
  const at = new Date(moment).getTime();
  // What is settled together has one moment.
  if (at !== last.at) last = { at, day: days.format(at) };
  return last.day;
}

/** Those of the days that lie in a window. */
export function daysWithin<D extends { day: string }>(all: readonly D[], { from, until }: RangeWindow): D[] {
  const first = from === null ? '' : recordDay(from);
  const last = recordDay(until);
  return all.filter(({ day }) => day >= first && day <= last);
}

/** The rollup of the days of a window, which are in order. */
export function mergeDays(all: readonly { day: string; rollup: Rollup }[], window: RangeWindow): Rollup {
  return mergeAllRollups(daysWithin(all, window).map(({ rollup }) => rollup));
}
