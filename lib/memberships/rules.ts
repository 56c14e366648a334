import type { MoneyCurrencyId } from '@/lib/money/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { planPeriods, type MembershipState, type Plan, type PlanPeriod, type Terms } from './schema';

const dayMilliseconds = 86_400_000;

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

/** Product §8: the price that a buyer is charged: in the currency that they buy in where it is offered, else in the tipster's main one; null where the plan has neither. */
export function priceFor(
  { prices }: Pick<Plan, 'prices'>,
  { buy, main }: { buy: number | undefined; main: MoneyCurrencyId },
): Plan['prices'][number] | null {
  return (
    prices.find(({ currencyId }) => currencyId === buy) ?? prices.find(({ currencyId }) => currencyId === main) ?? null
  );
}

/** What a coupon takes something off of: percent or an amount in the main currency; of the first so many periods, or of all. */
export type CouponTerms = { code: string; percent: number | null; amountMinor: number | null; periods: number | null };

/** A price after a coupon, in minor units, the discount rounded down; nothing is taken off a period that the coupon is not for, or of another currency than the main one. */
export function discounted(
  amountMinor: number,
  coupon: CouponTerms | null,
  { periodNumber, isMainCurrency }: { periodNumber: number; isMainCurrency: boolean },
): number {
  if (!coupon || (coupon.periods !== null && periodNumber > coupon.periods)) return amountMinor;
  if (coupon.percent !== null) return amountMinor - Math.floor((amountMinor * coupon.percent) / 100);
  return isMainCurrency ? Math.max(0, amountMinor - (coupon.amountMinor ?? 0)) : amountMinor;
}

/** Product §8: what a buyer is shown before the button, and what the order keeps. */
export function termsFor(
  plan: { period: PlanPeriod; currencyId: MoneyCurrencyId; fullMinor: number; isMainCurrency: boolean },
  { trialDays, coupon, coolingOffDays }: { trialDays: number; coupon: CouponTerms | null; coolingOffDays: number },
  now: Date,
): Terms {
  const { period, currencyId, fullMinor, isMainCurrency } = plan;
  const price = (periodNumber: number) => discounted(fullMinor, coupon, { periodNumber, isMainCurrency });
  const isTrial = trialDays > 0;
  return {
    period,
    currencyId,
    fullMinor,
    amountMinor: isTrial ? 0 : price(1),
    trialDays,
    renewsAt: (isTrial ? daysLater(now, trialDays) : afterPeriods(now, period, 1)).toISOString(),
    renewalMinor: price(isTrial ? 1 : 2),
    coolingOffDays,
    coupon: coupon?.code ?? null,
  };
}

/** What decides whether somebody can join a portfolio. */
export type Joinable = {
  visibility: PortfolioVisibility;
  abandoned: boolean;
  plans: number;
  /** Members and those who are paying; null where the portfolio takes any number. */
  places: { taken: number; limit: number } | null;
};

/** Why nobody can join a portfolio now, in a sentence; null where one can. */
export function whyClosed({ visibility, abandoned, plans, places }: Joinable): string | null {
  if (abandoned) return 'This portfolio is closed and takes no members.';
  if (visibility !== PortfolioVisibility.premium) return 'This portfolio sells no membership.';
  if (plans === 0) return 'This portfolio has no plan on sale.';
  if (places && places.taken >= places.limit)
    return `This portfolio is full: it takes ${places.limit} ${places.limit === 1 ? 'member' : 'members'}. Try again when somebody has left.`;
  return null;
}

/** The state of a membership at a moment, by what stands in its row. */
export function stateOf(
  membership: {
    endsAt: Date;
    endedAt: Date | null;
    trialEndsAt: Date | null;
    cancelledAt: Date | null;
    pastDueAt: Date | null;
  },
  now: Date,
): MembershipState {
  const { endsAt, endedAt, trialEndsAt, cancelledAt, pastDueAt } = membership;
  if (endedAt !== null || (endsAt <= now && pastDueAt === null)) return 'ended';
  if (cancelledAt !== null) return 'cancelled';
  if (pastDueAt !== null) return 'past due';
  return trialEndsAt !== null && trialEndsAt > now ? 'trial' : 'active';
}

/** The price of the period that begins at a moment: a higher one counts from the day that was told for it. */
export function renewalPrice(
  {
    amountMinor,
    nextAmountMinor,
    nextAmountFrom,
  }: { amountMinor: number; nextAmountMinor: number | null; nextAmountFrom: Date | null },
  startsAt: Date,
): number {
  return nextAmountMinor !== null && nextAmountFrom !== null && startsAt >= nextAmountFrom
    ? nextAmountMinor
    : amountMinor;
}

/** The plans from the shortest period to the longest. */
export function byLength<T extends { period: PlanPeriod }>(plans: readonly T[]): T[] {
  return plans.toSorted((a, b) => planPeriods.indexOf(a.period) - planPeriods.indexOf(b.period));
}
