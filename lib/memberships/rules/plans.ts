import { markOfAmounts, taxIn } from '@/lib/money/rules';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import type { Terms } from '../schema/memberships';
import { type Plan, type PlanPeriod, planPeriods, type Promises } from '../schema/plans';
import { afterPeriods, daysLater } from './calendar';
import { type CouponTerms, discounted } from './coupons';

/** Product §8: the price that a buyer is charged: in the currency that they buy in where it is offered, else in the tipster's main one; null where the plan has neither. */
export function priceFor(
  { prices }: Pick<Plan, 'prices'>,
  { buy, main }: { buy: number | undefined; main: MoneyCurrencyId },
): Plan['prices'][number] | null {
  return (
    prices.find(({ currencyId }) => currencyId === buy) ?? prices.find(({ currencyId }) => currencyId === main) ?? null
  );
}

/** Product §8: what a buyer is shown before the button, and what the order keeps. */
export function termsFor(
  plan: { period: PlanPeriod; currencyId: MoneyCurrencyId; fullMinor: number; isCouponCurrency: boolean } & Promises,
  {
    trialDays,
    coupon,
    coolingOffDays,
    taxThousandths,
  }: { trialDays: number; coupon: CouponTerms | null; coolingOffDays: number; taxThousandths: number },
  now: Date,
): Terms {
  const { period, currencyId, fullMinor, isCouponCurrency, tipsPromised, profitOrFree } = plan;
  const price = (payment: number) => discounted(fullMinor, coupon, { payment, isCouponCurrency });
  const isTrial = trialDays > 0;
  return {
    period,
    currencyId,
    fullMinor,
    amountMinor: isTrial ? 0 : price(1),
    taxMinor: isTrial ? 0 : taxIn(price(1), taxThousandths),
    trialDays,
    renewsAt: (isTrial ? daysLater(now, trialDays) : afterPeriods(now, period, 1)).toISOString(),
    renewalMinor: price(isTrial ? 1 : 2),
    coolingOffDays,
    coupon: coupon?.code ?? null,
    couponPeriods: coupon?.periods ?? null,
    tipsPromised,
    profitOrFree,
  };
}

/** Product §8: a mark by which it is seen whether terms are still those that stood beside the button; without the day of the renewal, which moves with the clock. */
export function markOfTerms(terms: Terms): string {
  const { period, currencyId, fullMinor, amountMinor, trialDays, renewalMinor } = terms;
  const { coupon, couponPeriods, tipsPromised, profitOrFree } = terms;
  const discount = coupon === null ? 'none' : `${coupon} ${couponPeriods ?? 'always'}`;
  const promised = `${tipsPromised ?? 0} tips${profitOrFree ? ' profit' : ''}`;
  return [period, currencyId, fullMinor, amountMinor, trialDays, renewalMinor, discount, promised].join(';');
}

/** What decides whether somebody can join a portfolio. */
export type Joinable = {
  visibility: PortfolioVisibility;
  abandoned: boolean;
  /** True where staff have suspended whoever publishes in it. */
  suspended: boolean;
  plans: number;
  /** Members and those who are paying; null where the portfolio takes any number. */
  places: { taken: number; limit: number } | null;
};

/** Why nobody can join a portfolio now, in a sentence; null where one can. */
export function whyClosed({ visibility, abandoned, suspended, plans, places }: Joinable): string | null {
  if (abandoned) return 'This portfolio is closed and takes no members.';
  if (visibility !== PortfolioVisibility.premium) return 'This portfolio sells no membership.';
  if (plans === 0) return 'This portfolio has no plan on sale.';
  if (suspended)
    return 'This tipster cannot publish at the moment, so nobody can join. Try again later, or choose another portfolio.';
  if (places && places.taken >= places.limit)
    return `This portfolio is full: it takes ${places.limit} ${places.limit === 1 ? 'member' : 'members'}. Try again when a member has left.`;
  return null;
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

/** A mark by which it is seen whether Pro's prices are still those that staff saw. */
export function markOfPrices(plans: readonly Pick<Plan, 'period' | 'onSale' | 'prices'>[]): string {
  return byLength(plans)
    .filter(({ onSale, prices }) => onSale || prices.length > 0)
    .map(({ period, onSale, prices }) => `${period}:${onSale ? 'on' : 'off'}:${markOfAmounts(prices)}`)
    .join(';');
}
