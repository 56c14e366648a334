import { formatDate } from '@/lib/format';
import { type PauseLength, pauseLengths, type PauseView } from './schema';

const dayMilliseconds = 86_400_000;
const days: Readonly<Record<Exclude<PauseLength, 'half-year'>, number>> = { day: 1, week: 7, month: 30, quarter: 90 };
const monthsOfHalfYear = 6;

/** Until when a break of this length lasts that begins at a moment; half a year is six months by the calendar, to the last day of a month that has no such day. */
export function pauseEnd(length: PauseLength, from: Date): Date {
  if (length !== 'half-year') return new Date(from.getTime() + days[length] * dayMilliseconds);
  const end = new Date(from);
  end.setUTCMonth(from.getUTCMonth() + monthsOfHalfYear);
  // The 31st of a month that has 30 days is the first of the next one.
  if (end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0);
  return end;
}

/** The lengths by which a break begins, or one that runs becomes longer. */
export function longerPauses(until: Date | null, now: Date): { length: PauseLength; until: string }[] {
  return pauseLengths
    .map((length) => ({ length, end: pauseEnd(length, now) }))
    .filter(({ end }) => until === null || end > until)
    .map(({ length, end }) => ({ length, until: end.toISOString() }));
}

/** What somebody is told who is refused something during a break: until when, and where help is. */
export function pausedMessage(until: Date, help: PauseView['help']): string {
  const end = formatDate(until.toISOString(), { timeZone: 'UTC', style: 'day-time' });
  const where = help && `${help.name}${help.telephone && `, ${help.telephone}`}, ${help.url}`;
  return `You are taking a break from betting until ${end} UTC. Until then you cannot buy anything here or record bets.${where ? ` Help: ${where}` : ''}`;
}
