import 'server-only';
import { sql } from 'kysely';
import { moveOrder, movePayment } from '@/lib/money/commands';
import { isForward, isSettled, type orderAfter } from '@/lib/money/rules';
import type { ProviderPayment } from '@/lib/money/schema';
import { findPauseEnd } from '@/lib/pauses/queries';
import { database } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { newReference } from '@/lib/platform/reference';
import { readNextPrice } from '../queries/memberships';
import { isClosed } from '../queries/plans';
import { accessEndsAt, afterPeriods, daysLater } from '../rules/calendar';
import { afterCoupon } from '../rules/coupons';
import { closedBecause, otherAmountBecause, pausedBecause } from '../rules/states';
import type { PlanPeriod } from '../schema/plans';
import { tell, tellAll, tellBuyer } from './news';
import { afterFailedRenewal, endMembership, extend } from './periods';
import { followPrice } from './plans';
import { bookSale, giveBack, isOfNobody, type Order } from './sold';

type Next = ReturnType<typeof orderAfter>;
type Outcome = { next: Next; told: ProviderPayment; methodId: number | null };

/** Does with an order what its payment has come to; true where money is to go back. An attempt of a renewal fails once: its order stays under way, and the same answer changes nothing. */
export async function settle(order: Order, { next, told, methodId }: Outcome, now: Date): Promise<boolean> {
  if (next === null || next === order.status) return false;
  if (next === 'processing') await moveOrder(order.id, { status: next }, now);
  else if (await isOfNobody(order)) return stop(order, next, stops.deletion, now);
  else if (await hasEnded(order)) return stop(order, next, stops.end, now);
  else if (await isOfClosed(order)) return stop(order, next, stops.closing, now);
  else if ((await findPauseEnd(order.accountId, now)) !== null) return stop(order, next, stops.pause, now);
  else if (next === 'paid') await pay(order, methodId, now);
  else if (order.kind === 'first') await moveOrder(order.id, { status: next, because: told.failure }, now);
  else if (isForward(order.payment.status, told.status)) await afterFailedRenewal(order, told.failure, now);
  return false;
}

/** True where the portfolio of an order was closed; the caller holds it. */
async function isOfClosed({ portfolioId }: Order): Promise<boolean> {
  const { rows } = await sql`select from portfolio where id = ${portfolioId} and ${isClosed}`.execute(database());
  return rows.length > 0;
}

/** True of a renewal whose membership ended while it was charged. */
async function hasEnded({ kind, membershipId }: Order): Promise<boolean> {
  if (kind !== 'renewal') return false;
  const { rows } = await sql`select from membership where id = ${membershipId} and ended_at is not null`.execute(
    database(),
  );
  return rows.length > 0;
}

/** Why an order is stopped, as the order, its membership, the refund and whoever is told have it. */
type Stop = { because: string; ends: string; refund: string; tells: string | null };

const stopped = (because: string, rest: Partial<Stop> & Pick<Stop, 'refund'>): Stop => ({
  because,
  ends: because,
  tells: because,
  ...rest,
});

const stops = {
  // Product §3: nothing is bought or renewed for an account that was deleted, and nobody is left to be told.
  deletion: stopped('The account was deleted.', { refund: 'paid after the account was deleted', tells: null }),
  // What was charged while a membership ended opens nothing any more; its member is told why it came and went.
  end: stopped('The membership ended while it was being renewed.', { refund: 'paid after the membership had ended' }),
  // Product §8: a portfolio that is closed sells nothing any more, whatever was ordered of it before.
  closing: stopped(closedBecause, { refund: 'paid after the portfolio was closed' }),
  // Product §9: nothing is bought during a break, whenever it was begun to be; a membership whose renewal it was has ended.
  pause: stopped('You took a break from betting.', {
    ends: pausedBecause,
    refund: 'paid during a break from betting',
    tells: 'You are taking a break from betting.',
  }),
} as const;

/** Cancels an order, ends the membership whose renewal it was, and has what was paid go back whole; what became of it is told once. True where money is to go back. */
async function stop(order: Order, next: Next, { because, ends, refund, tells }: Stop, now: Date): Promise<boolean> {
  const { membershipId, amountMinor, reference } = order;
  const ended = membershipId !== null && (await endMembership(membershipId, ends, now));
  await moveOrder(order.id, { status: 'cancelled', because }, now);
  const isOwed = next === 'paid' && (await giveBack(order, refund, now));
  if (tells === null) return isOwed;
  if (membershipId === null) {
    if (isOwed) await tellBuyer(order, { what: 'given back', amountMinor, because: tells }, now);
  } else if (isOwed) await tell(membershipId, { what: 'refunded', amountMinor, because: ends, order: reference }, now);
  else if (ended) await tell(membershipId, { what: 'ended', because: ends }, now);
  return isOwed;
}

const afterEnd = 'Your payment arrived after the order had ended, so it bought nothing.';

/** Has go back what was paid for an order that had ended; its payer is told why, where there is still somebody. True where money is to go back. */
export async function settleLate(order: Order, now: Date): Promise<boolean> {
  const isOwed = await giveBack(order, 'paid after the order had ended', now);
  if (isOwed && !(await isOfNobody(order)))
    await tellBuyer(order, { what: 'given back', amountMinor: order.amountMinor, because: afterEnd }, now);
  return isOwed;
}

/**
 * Ours (0115): ends an order that was charged another amount than it has, and the membership whose renewal it was; the payment is moved on, so that it is asked about no more.
 * Nothing is booked; its payer is told once, and what was charged is for staff to give back. True where something was stopped.
 */
export async function stopForDifference(order: Order, told: ProviderPayment, now: Date): Promise<boolean> {
  const { reference, membershipId } = order;
  const { amountMinor, currencyId, status } = told;
  log.error({ event: 'payment_differs', order: reference, status, amountMinor, currencyId });
  await movePayment(order, told, now);
  const because = otherAmountBecause;
  const stops = !isSettled(order.status);
  if (stops) await moveOrder(order.id, { status: 'cancelled', because }, now);
  const ended = stops && membershipId !== null && (await endMembership(membershipId, because, now));
  if (await isOfNobody(order)) return stops;
  const isNew = order.payment.status !== 'succeeded' && isForward(order.payment.status, status);
  if (ended) await tell(membershipId, { what: 'ended', because }, now);
  else if (isNew) await tellBuyer(order, { what: 'other amount', because }, now);
  return stops;
}

async function pay(order: Order, methodId: number | null, now: Date): Promise<void> {
  const membershipId = order.membershipId ?? (await begin(order, methodId, now));
  const { amountMinor: paidMinor, terms, reference } = order;
  const paid = { paidMinor, order: reference };
  // Before the next price is read: that follows from what was paid.
  await moveOrder(order.id, { status: 'paid', membershipId }, now);
  if (order.kind === 'renewal') {
    await extend(order, methodId);
    await tell(membershipId, { what: 'renewed', ...paid }, now);
  } else {
    // The price may have changed since the order was opened.
    const dearer = await followPrice(membershipId, now);
    const next = await readNextPrice(membershipId);
    await tell(
      membershipId,
      {
        what: 'joined',
        ...paid,
        renewalMinor: next.renewalMinor,
        afterCoupon: afterCoupon(terms.couponPeriods, next),
        trial: terms.trialDays > 0,
      },
      now,
    );
    await tellAll(dearer, now);
  }
  if (order.amountMinor === 0) return;
  await bookSale(order, now);
}

async function begin(order: Order, methodId: number | null, now: Date): Promise<number> {
  const { terms } = order;
  const period = terms.period as PlanPeriod;
  const isTrial = terms.trialDays > 0;
  const countedFrom = isTrial ? daysLater(now, terms.trialDays) : now;
  const periodEndsAt = isTrial ? countedFrom : afterPeriods(now, period, 1);
  const { rows } = await sql<{ id: number }>`
    insert into membership (reference, account_id, portfolio_id, plan_id, method_id, currency_id, amount_minor, coupon_id, counted_from, periods, starts_at, ends_at, period_starts_at, period_ends_at,
      trial_ends_at, next_at)
    values (${newReference()}, ${order.accountId}, ${order.portfolioId}, ${order.planId}, ${methodId}, ${order.currencyId}, ${order.fullMinor}, ${order.couponId}, ${countedFrom}, ${isTrial ? 0 : 1},
      ${now}, ${accessEndsAt(periodEndsAt, { cancelled: false })}, ${now}, ${periodEndsAt}, ${isTrial ? periodEndsAt : null}, ${periodEndsAt})
    returning id
  `.execute(database());
  if (!rows[0]) throw new Error('The membership was not begun.');
  return rows[0].id;
}
