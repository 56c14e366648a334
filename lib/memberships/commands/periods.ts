import 'server-only';
import { sql } from 'kysely';
import { addPayment, type HeldOrder, moveOrder } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { accessEndsAt, afterPeriods, nextTryAfter, nextTryAt, triesAfter } from '../rules/calendar';
import { renewalPrice } from '../rules/plans';
import type { PlanPeriod } from '../schema/plans';
import { tell } from './news';

type Row = {
  period: PlanPeriod;
  countedFrom: Date;
  cancelledAt: Date | null;
  periodEndsAt: Date;
  tries: number;
  amountMinor: number;
  nextAmountMinor: number | null;
  nextAmountFrom: Date | null;
  methodId: number | null;
};

async function readMembership(id: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select period, counted_from as "countedFrom", cancelled_at as "cancelledAt", period_ends_at as "periodEndsAt", tries, amount_minor as "amountMinor",
      next_amount_minor as "nextAmountMinor", next_amount_from as "nextAmountFrom", method_id as "methodId"
    from membership join plan on plan.id = plan_id where membership.id = ${id}
  `.execute(database());
  if (!rows[0]) throw new Error('The membership of a renewal is gone.');
  return rows[0];
}

/** Begins the period that a renewal paid for; the caller holds the membership. */
export async function extend(order: HeldOrder, methodId: number | null): Promise<void> {
  const id = order.membershipId ?? 0;
  const membership = await readMembership(id);
  const startsAt = order.periodStartsAt ?? membership.periodEndsAt;
  const endsAt = afterPeriods(membership.countedFrom, membership.period, order.periodNumber);
  const price = renewalPrice(membership, startsAt);
  const isNewPrice = price === membership.nextAmountMinor;
  await sql`
    update membership set periods = ${order.periodNumber}, period_starts_at = ${startsAt}, period_ends_at = ${endsAt}, ends_at = ${accessEndsAt(endsAt, { cancelled: membership.cancelledAt !== null })},
      amount_minor = ${price}, next_amount_minor = case when ${isNewPrice}::bool then null else next_amount_minor end, next_amount_from = case when ${isNewPrice}::bool then null else next_amount_from end,
      method_id = coalesce(method_id, ${methodId}::int), past_due_at = null, tries = 0, next_at = ${endsAt}
    where id = ${id} and ended_at is null
  `.execute(database());
}

/**
 * Product §8: sets a renewal that failed to be tried again, or ends the membership after the last try; at once where the member keeps another card by now. A try before its
 * day, by a card that was changed, is one more than those of the clock. Nothing is tried for a period that is over by then. The caller holds the membership.
 */
export async function afterFailedRenewal(order: HeldOrder, because: string | null, now: Date): Promise<void> {
  const id = order.membershipId ?? 0;
  const membership = await readMembership(id);
  const { periodEndsAt, tries: before, cancelledAt, methodId } = membership;
  const dueAt = order.periodStartsAt ?? periodEndsAt;
  const tries = triesAfter(dueAt, before, now);
  const clockAt = tries === before ? nextTryAt(dueAt, tries) : nextTryAfter(dueAt, tries, now);
  const isOther = methodId !== order.payment.methodId;
  const nextAt = clockAt !== null && isOther ? now : clockAt;
  if (cancelledAt !== null || nextAt === null || nextAt >= endOf(order, membership))
    return giveUpRenewal(order, because, now);
  await sql`
    update membership set tries = ${tries}, past_due_at = coalesce(past_due_at, ${periodEndsAt}), next_at = ${nextAt} where id = ${id}
  `.execute(database());
  await tell(id, { what: 'past due' }, now);
}

const endOf = ({ periodNumber }: HeldOrder, { countedFrom, period }: Pick<Row, 'countedFrom' | 'period'>): Date =>
  afterPeriods(countedFrom, period, periodNumber);

/** Ours (0123): whether a renewal that has failed is for a period that is over, so that nobody is charged for it any more. */
export const isPast = (order: HeldOrder, membership: Pick<Row, 'countedFrom' | 'period'>, now: Date): boolean =>
  (order.payment.status === 'failed' || order.payment.status === 'cancelled') && endOf(order, membership) <= now;

/** Ends a renewal that is not charged, and its membership, and tells its member why it ends. */
export async function giveUpRenewal(
  order: HeldOrder,
  because: string | null,
  now: Date,
  ends = 'The renewal could not be charged.',
): Promise<void> {
  await moveOrder(order.id, { status: 'failed', because }, now);
  await endTelling(order.membershipId ?? 0, ends, now);
}

/** Adds the next attempt of a renewal whose last one failed. */
export async function tryAgain(order: HeldOrder, now: Date): Promise<void> {
  const { methodId } = await readMembership(order.membershipId ?? 0);
  await addPayment(order, { attempt: order.payment.attempt + 1, methodId }, now);
}

/** Ends a membership as `endMembership` does, and tells its member; once. */
export async function endTelling(id: number, because: string, now: Date): Promise<void> {
  if (await endMembership(id, because, now)) await tell(id, { what: 'ended', because }, now);
}

/** Ends a membership at a moment: it opens nothing from then on. False for one that had ended. */
export async function endMembership(id: number, because: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update membership set ended_at = ${now}, ended_because = ${because}, next_at = null, ends_at = greatest(starts_at, least(ends_at, ${now}))
    where id = ${id} and ended_at is null
  `.execute(database());
  return numAffectedRows === 1n;
}
