import type { PlanPeriod } from '../schema/plans';

/** The length of a day. */
export const dayMilliseconds = 86_400_000;

/** Product §8: how long a membership opens what it opens although its renewal was not paid, in days. */
export const graceDays = 3;

/** Product §8: when a renewal that failed is tried again, in days after it was due; after the last the membership ends. */
export const retryDays = [1, 3, 5] as const;

/** Product §8: how long before it is charged a higher price is told, in days. */
export const priceNoticeDays = 30;

/** Product §8: a reminder goes out so many days before a quarter's or a year's renewal. */
export const reminderDays = 7;

/** Product §8: a reminder goes out so many days before a trial ends. */
export const trialReminderDays = 2;

/** The moment so many days later. */
export function daysLater(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * dayMilliseconds);
}

const monthsOf: Readonly<Record<Exclude<PlanPeriod, 'week'>, number>> = { month: 1, quarter: 3, year: 12 };

/** The moment at which so many periods after a moment are over: the same day of the month, or the month's last day where it has none, in UTC. */
export function afterPeriods(from: Date, period: PlanPeriod, count: number): Date {
  if (period === 'week') return daysLater(from, 7 * count);
  const months = monthsOf[period] * count;
  const last = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(from.getUTCMonth() + months);
  moved.setUTCDate(Math.min(from.getUTCDate(), last));
  return moved;
}

/** Until when a membership opens what it opens: to the end of what was paid, and for some days more while a renewal is to come. */
export function accessEndsAt(periodEndsAt: Date, { cancelled }: { cancelled: boolean }): Date {
  return cancelled ? periodEndsAt : daysLater(periodEndsAt, graceDays);
}

/** When a renewal that was due then is tried next after so many tries failed; null when it is not tried any more. */
export function nextTryAt(dueAt: Date, tries: number): Date | null {
  const days = retryDays[tries - 1];
  return days === undefined ? null : daysLater(dueAt, days);
}

/** The same after a try of the clock that failed now. Ours (0123): where it came late by more than half a day, as after an outage, the days between two tries are kept. */
export function nextTryAfter(dueAt: Date, tries: number, now: Date): Date | null {
  const planned = nextTryAt(dueAt, tries);
  if (planned === null) return null;
  const spaced = daysLater(now, (retryDays[tries - 1] ?? 0) - (retryDays[tries - 2] ?? 0));
  return spaced > daysLater(planned, 0.5) ? spaced : planned;
}

/** Ours (0123): which period of a membership comes after so many: the next, or, where that is wholly past as after an outage, the one that runs. */
export function periodAfter(countedFrom: Date, period: PlanPeriod, periods: number, now: Date): number {
  const next = periods + 1;
  return afterPeriods(countedFrom, period, next) > now ? next : periodAfter(countedFrom, period, next, now);
}

/** Which payment of a membership, counted from 1, is the first for a period that begins at a moment or later. */
export function paymentFrom(
  moment: Date,
  {
    countedFrom,
    period,
    periods,
    payments,
  }: { countedFrom: Date; period: PlanPeriod; periods: number; payments: number },
): number {
  let before = 0;
  while (afterPeriods(countedFrom, period, periods + before) < moment) before += 1;
  return payments + 1 + before;
}

/** How many tries of the clock have failed once another try has, of a renewal that was due then: one that came before its day is none of them. */
export function triesAfter(dueAt: Date, tries: number, now: Date): number {
  const at = tries === 0 ? dueAt : nextTryAt(dueAt, tries);
  return at !== null && at > now ? tries : tries + 1;
}
