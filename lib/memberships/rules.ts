import { markOfAmounts, taxIn } from '@/lib/money/rules';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import type { DetailedPublication, LegFacts } from '@/lib/record/schema';
import { currencies, CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { followedTip, standing } from '@/lib/stats/rules';
import type { MembershipState, Terms } from './schema/memberships';
import { planLimits, planPeriods, type Plan, type PlanPeriod, type Promises } from './schema/plans';
import { proTeam } from './schema/pro';

const dayMilliseconds = 86_400_000;

/** Product §8: what the membership of the site itself is called. */
export const proName = 'Tipledger Pro';

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

/** How many tries of the clock have failed once another try has, of a renewal that was due then: one that came before its day is none of them. */
export function triesAfter(dueAt: Date, tries: number, now: Date): number {
  const at = tries === 0 ? dueAt : nextTryAt(dueAt, tries);
  return at !== null && at > now ? tries : tries + 1;
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

/** What a coupon takes something off of: percent or an amount in its currency; of the first so many periods, or of all. */
export type CouponTerms = { code: string; percent: number | null; amountMinor: number | null; periods: number | null };

/**
 * A price after a coupon, in minor units, the discount rounded down; nothing is taken off a period that the coupon is not for, or an amount off a price of another
 * currency than the coupon's. Ours (0073): what would be less than the least price is nothing, as nobody takes so little by card.
 */
export function discounted(
  amountMinor: number,
  coupon: CouponTerms | null,
  { periodNumber, isCouponCurrency }: { periodNumber: number; isCouponCurrency: boolean },
): number {
  if (!coupon || (coupon.periods !== null && periodNumber > coupon.periods)) return amountMinor;
  if (coupon.percent === null && !isCouponCurrency) return amountMinor;
  const left =
    coupon.percent === null
      ? amountMinor - (coupon.amountMinor ?? 0)
      : amountMinor - Math.floor((amountMinor * coupon.percent) / 100);
  return left < planLimits.leastMinor ? 0 : left;
}

/** What a coupon takes off, in words; `money` tells an amount in a currency. */
export function offWords(
  { percent, amountMinor, currencyId, periods }: Omit<CouponTerms, 'code'> & { currencyId: MoneyCurrencyId | null },
  money: (minor: number, currencyId: number) => string,
): string {
  const off = percent === null ? `${money(amountMinor ?? 0, currencyId ?? CurrencyId.GBP)} off` : `${percent} % off`;
  if (periods === null) return `${off} every payment`;
  return periods === 1 ? `${off} the first payment` : `${off} the first ${periods} payments`;
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
export function whyCouponFails(
  coupon: CouponState | null,
  { period, currencyId }: { period: PlanPeriod; currencyId: MoneyCurrencyId },
  now: Date,
): string | null {
  if (!coupon) return 'There is no such coupon here. Check the code, or join without it.';
  const { withdrawnAt, endsAt, mostUses, uses, onceEach, ownUses, planPeriods: periods } = coupon;
  if (withdrawnAt !== null) return 'This coupon was ended. Join without it.';
  if (endsAt !== null && endsAt <= now) return 'This coupon has expired. Join without it.';
  if (onceEach && ownUses > 0) return 'You have used this coupon before, and it is for once each. Join without it.';
  if (mostUses !== null && uses >= mostUses) return 'This coupon is used up. Join without it.';
  if (periods !== null && !periods.includes(period))
    return `This coupon is not for this plan, but for one ${periods.join(' or one ')}. Choose such a plan, or join without it.`;
  if (coupon.percent === null && coupon.currencyId !== currencyId)
    return `This coupon is for prices in ${currencies.find(({ id }) => id === coupon.currencyId)?.code ?? 'another currency'}. Join without it, or change the currency that you buy in.`;
  return null;
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
  const price = (periodNumber: number) => discounted(fullMinor, coupon, { periodNumber, isCouponCurrency });
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
    tipsPromised,
    profitOrFree,
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

/** Why the card of a membership cannot be changed, in a sentence that says what to do; null where it can. */
export function whyCardStays({
  endedAt,
  cancelledAt,
}: {
  endedAt: Date | null;
  cancelledAt: Date | null;
}): string | null {
  if (endedAt !== null) return 'This membership has ended. Join again, with any card.';
  return cancelledAt === null
    ? null
    : 'This membership is cancelled, and its card is charged no more. Undo that first, then change the card.';
}

/** The plans from the shortest period to the longest. */
export function byLength<T extends { period: PlanPeriod }>(plans: readonly T[]): T[] {
  return plans.toSorted((a, b) => planPeriods.indexOf(a.period) - planPeriods.indexOf(b.period));
}

/** Product §8: so many days of a payment for Pro are shared at a time. */
export const shareDays = 30;

/** How long a portfolio was in a team, in seconds, and whom its share goes to. */
export type TeamDays = { portfolioId: number; owner: number; seconds: number };

/** Product §8: up to when a payment for Pro can be shared now: whole steps of thirty days while its period runs, all of it once the period or the membership is over. */
export function shareUntil(
  { startsAt, endsAt, endedAt }: { startsAt: Date; endsAt: Date; endedAt: Date | null },
  now: Date,
): { until: Date; isLast: boolean } {
  const over = endedAt !== null && endedAt < endsAt ? endedAt : endsAt;
  if (over <= now) return { until: over > startsAt ? over : new Date(startsAt.getTime() + 1), isLast: true };
  const steps = Math.floor((now.getTime() - startsAt.getTime()) / (shareDays * dayMilliseconds));
  return { until: daysLater(startsAt, Math.max(0, steps) * shareDays), isLast: false };
}

/** An amount in minor units, divided by how long each was in the team; what rounding leaves goes to whoever was longest, the first of equals. Parts of nothing are left out. */
export function shareByDays(
  amountMinor: number,
  team: readonly TeamDays[],
): { portfolioId: number; owner: number; amountMinor: number }[] {
  const all = team.reduce((sum, { seconds }) => sum + seconds, 0);
  if (all <= 0) return [];
  const parts = team.map((each) => ({ ...each, amountMinor: Math.floor((amountMinor * each.seconds) / all) }));
  const [longest] = parts.toSorted((a, b) => b.seconds - a.seconds || a.portfolioId - b.portfolioId);
  const left = amountMinor - parts.reduce((sum, part) => sum + part.amountMinor, 0);
  if (longest) longest.amountMinor += left;
  return parts
    .filter((part) => part.amountMinor > 0)
    .map(({ portfolioId, owner, amountMinor: own }) => ({ portfolioId, owner, amountMinor: own }));
}

/** So many minor units of parts, taken of each in proportion and never more than it is, to the unit: what rounding leaves is taken from the first. Parts of nothing are left out. */
export function inProportion<T extends { amountMinor: number }>(amountMinor: number, parts: readonly T[]): T[] {
  const all = parts.reduce((sum, part) => sum + part.amountMinor, 0);
  if (all <= 0) return [];
  let left = Math.min(amountMinor, all);
  const taken = parts.map((part) => ({ ...part, amountMinor: Math.floor((left * part.amountMinor) / all) }));
  left -= taken.reduce((sum, part) => sum + part.amountMinor, 0);
  for (const [place, part] of taken.entries()) {
    const more = Math.min(left, (parts[place]?.amountMinor ?? 0) - part.amountMinor);
    part.amountMinor += more;
    left -= more;
  }
  return taken.filter((part) => part.amountMinor > 0);
}

/** Product §8: from when on a team may be changed again after it was changed then; at once where it never was. */
export function nextSwitchAt(switchedAt: Date | null): Date | null {
  return switchedAt && daysLater(switchedAt, proTeam.switchDays);
}

/** Product §8: true when a period kept what it promised: so many settled tips, and a record above zero at the prices that followers had. */
export function keepsPromises(
  { tipsPromised, profitOrFree }: Promises,
  record: { tips: number; profitMicrounits: bigint },
): boolean {
  return (tipsPromised === null || record.tips >= tipsPromised) && (!profitOrFree || record.profitMicrounits > 0n);
}

/** A tip that was published in a period, with what its settlement sealed where it is settled. */
export type PublishedTip = {
  tipId: number;
  publishedAt: Date;
  publication: DetailedPublication;
  facts: LegFacts[] | null;
  isSettled: boolean;
};

/** What a tip counts in the record of a period: its profit at the prices 15 minutes after publication, null where it does not stand. */
export type PeriodTip = { publishedAt: Date; isSettled: boolean; profitMicrounits: bigint | null };

/** What a published tip counts in the record of a period. */
export function periodTip({ publication, facts, publishedAt, isSettled }: PublishedTip): PeriodTip {
  const { legs, stakeHundredths, eachWay } = publication;
  const bet = legs.flatMap(({ price }, index) => (facts?.[index] ? [{ taken: price, facts: facts[index] }] : []));
  const followed = () => followedTip(bet, { stakeHundredths, eachWay }).after15?.profitMicrounits ?? 0;
  return { publishedAt, isSettled, profitMicrounits: standing(bet).length === 0 ? null : BigInt(followed()) };
}

/** Product §8: what a period's tips come to: how many stood, their profit, and how many wait to be settled. */
export function periodRecord(tips: readonly PeriodTip[]): { tips: number; profitMicrounits: bigint; open: number } {
  const profits = tips.flatMap(({ profitMicrounits }) => profitMicrounits ?? []);
  return {
    tips: profits.length,
    profitMicrounits: profits.reduce((sum, profit) => sum + profit, 0n),
    open: tips.filter(({ isSettled }) => !isSettled).length,
  };
}

/** A mark by which it is seen whether Pro's prices are still those that staff saw. */
export function markOfPrices(plans: readonly Pick<Plan, 'period' | 'onSale' | 'prices'>[]): string {
  return byLength(plans)
    .filter(({ onSale, prices }) => onSale || prices.length > 0)
    .map(({ period, onSale, prices }) => `${period}:${onSale ? 'on' : 'off'}:${markOfAmounts(prices)}`)
    .join(';');
}
