import { formatAmount } from '@/lib/amounts';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { currencies, CurrencyId } from '@/lib/reference/schema';
import type { AfterCoupon } from '../schema/memberships';
import { planLimits, type PlanPeriod } from '../schema/plans';

/** What a coupon takes something off of: percent or an amount in its currency; of the first so many periods, or of all. */
export type CouponTerms = { code: string; percent: number | null; amountMinor: number | null; periods: number | null };

/**
 * A price after a coupon, in minor units, the discount rounded down; nothing is taken off a payment, counted from 1, that the coupon is not for, or an amount off a price of another
 * currency than the coupon's. Ours (0073): what would be less than the least price is nothing, as nobody takes so little by card.
 */
export function discounted(
  amountMinor: number,
  coupon: CouponTerms | null,
  { payment, isCouponCurrency }: { payment: number; isCouponCurrency: boolean },
): number {
  if (!coupon || (coupon.periods !== null && payment > coupon.periods)) return amountMinor;
  if (coupon.percent === null && !isCouponCurrency) return amountMinor;
  const left =
    coupon.percent === null
      ? amountMinor - (coupon.amountMinor ?? 0)
      : amountMinor - Math.floor((amountMinor * coupon.percent) / 100);
  return left < planLimits.leastMinor ? 0 : left;
}

/** Product §8: what is charged once a coupon takes nothing off any longer, where the next renewal is still at a price with it; else null, as that renewal then tells the price that stays. */
export function afterCoupon(
  periods: number | null | undefined,
  { renewalMinor, fullMinor }: { renewalMinor: number; fullMinor: number },
): AfterCoupon | null {
  // Terms of orders from before the coupon's payments were kept name none.
  return periods && renewalMinor !== fullMinor ? { payments: periods, amountMinor: fullMinor } : null;
}

/** A price that is raised, before the coupon of a membership. */
export type Charged = { fromMinor: number; toMinor: number; coupon: CouponTerms | null; isCouponCurrency: boolean };

/**
 * Product §8: what a higher price charges a member more, by their coupon: instead of what, at the first payment that rises. `payment` is the first at the higher price. Where
 * that rises only behind the payments of the coupon, `afterCoupon` has the same amount. Null where nothing that they are charged rises.
 */
export function risenCharge(
  { fromMinor, toMinor, coupon, isCouponCurrency }: Charged,
  payment: number,
): { fromMinor: number; toMinor: number; afterCoupon: AfterCoupon | null } | null {
  const charge = (minor: number) => discounted(minor, coupon, { payment, isCouponCurrency });
  const [from, to] = [charge(fromMinor), charge(toMinor)];
  const after = afterCoupon(coupon?.periods, { renewalMinor: to, fullMinor: toMinor });
  if (to > from) return { fromMinor: from, toMinor: to, afterCoupon: after };
  return after && { fromMinor, toMinor, afterCoupon: after };
}

/** The payments that a coupon takes something off, or after which it does not, in words: "the first payment", "the first 3 payments". */
export const firstPayments = (payments: number): string =>
  payments === 1 ? 'the first payment' : `the first ${payments} payments`;

/** What a coupon takes off, in words. */
export function discountText({
  percent,
  amountMinor,
  currencyId,
  periods,
}: Omit<CouponTerms, 'code'> & { currencyId: MoneyCurrencyId | null }): string {
  const off =
    percent === null ? `${formatAmount(amountMinor ?? 0, currencyId ?? CurrencyId.GBP)} off` : `${percent}% off`;
  if (periods === null) return `${off} every payment`;
  return `${off} ${firstPayments(periods)}`;
}

/** What decides whether a coupon can be used: what its tipster set, and how often it was used, of which by the buyer. */
export type CouponState = {
  percent: number | null;
  currencyId: MoneyCurrencyId | null;
  planPeriods: readonly PlanPeriod[] | null;
  mostUses: number | null;
  onceEach: boolean;
  endsAt: Date | null;
  withdrawnAt: Date | null;
  uses: number;
  ownUses: number;
};

/** Why a coupon cannot be used for a plan in a currency now, in a sentence that says what to do; null where it can. */
function whyCouponFails(
  coupon: CouponState | null,
  { period, currencyId }: { period: PlanPeriod; currencyId: MoneyCurrencyId },
  now: Date,
): string | null {
  if (!coupon) return 'There is no such coupon here. Check the code, or join without it.';
  const { withdrawnAt, endsAt, mostUses, uses, onceEach, ownUses, planPeriods: periods } = coupon;
  if (withdrawnAt !== null) return 'This coupon was ended. Join without it.';
  if (endsAt !== null && endsAt <= now) return 'This coupon has expired. Join without it.';
  if (onceEach && ownUses > 0)
    return 'You have used this coupon before, and each buyer can use it only once. Join without it.';
  if (mostUses !== null && uses >= mostUses) return 'This coupon is used up. Join without it.';
  if (periods !== null && !periods.includes(period))
    return `This coupon is not for this plan, but for one ${periods.join(' or one ')}. Choose that plan, or join without it.`;
  if (coupon.percent === null && coupon.currencyId !== currencyId)
    return `This coupon is for prices in ${currencies.find(({ id }) => id === coupon.currencyId)?.code ?? 'another currency'}. Join without it, or change the currency that you buy in.`;
  return null;
}

/**
 * The coupon of those of one code that is taken off, with the portfolio's own first; why none is, where one was asked for: by what stops the first. Ours (0123): one of the
 * portfolio's that cannot be used, such as one that has ended, hides none of the site's.
 */
export function couponToUse<T extends CouponState>(
  found: readonly T[] | null,
  plan: { period: PlanPeriod; currencyId: MoneyCurrencyId },
  now: Date,
): { coupon: T | null; why: string | null } {
  if (found === null) return { coupon: null, why: null };
  const coupon = found.find((each) => whyCouponFails(each, plan, now) === null) ?? null;
  return { coupon, why: coupon ? null : whyCouponFails(found[0] ?? null, plan, now) };
}
