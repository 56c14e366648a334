import { dayAfter } from '@/lib/feeds/demo/events';

/**
 * A round of the past: two days of fixtures, when their prices open, the moments at which tipsters publish (before every fixture starts),
 * and when the whole is settled, which is before the next round's prices open.
 */
export type Round = { days: string[]; opensAt: Date; tipMoments: Date[]; settlesAt: Date; endsWeek: boolean };

const firstDays: readonly number[] = [3, 6];
const hour = 3_600_000;

/** The midweek and weekend rounds of the days before a moment that are settled by then, oldest first. */
export function roundsBefore(now: Date, pastDays: number): Round[] {
  const days = Array.from({ length: pastDays }, (_, index) => dayAfter(now, index - pastDays));
  return days
    .filter((day) => firstDays.includes(new Date(day).getUTCDay()))
    .map((day) => {
      const midnight = Date.parse(day);
      const at = (hours: number) => new Date(midnight + hours * hour);
      const tipMoments = [-15, -10, -6, -4, 5, 6.5].map(at);
      return {
        days: [day, dayAfter(at(0), 1)],
        opensAt: at(-16),
        tipMoments,
        settlesAt: at(2 * 24 + 6),
        endsWeek: new Date(day).getUTCDay() === 6,
      };
    })
    .filter(({ settlesAt }) => settlesAt <= now);
}
