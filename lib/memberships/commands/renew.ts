import 'server-only';
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { findOrder, type HeldOrder, openOrder, providerNamed } from '@/lib/money/commands';
import { isOutOfUse, readTaxRate } from '@/lib/money/queries';
import { coolingOffDays, isSettled, taxIn } from '@/lib/money/rules';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { atOnce, database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { findPauseEnd } from '@/lib/pauses/queries';
import { decisionMoment } from '@/lib/platform/moment';
import { Queue } from '@/lib/platform/queue';
import { singleton } from '@/lib/platform/singleton';
import { couponColumns } from '../queries/memberships';
import { isClosed } from '../queries/plans';
import { afterPeriods, periodAfter } from '../rules/calendar';
import { type CouponTerms, discounted } from '../rules/coupons';
import { renewalPrice } from '../rules/plans';
import { cardOutOfUseBecause, closedBecause, pausedBecause } from '../rules/states';
import type { Terms } from '../schema/memberships';
import type { PlanPeriod } from '../schema/plans';
import { closeOrder, takeAnswer } from './advance';
import { forgetMembership } from './forget';
import { tell } from './news';
import { endMembership, endTelling, giveUpRenewal, isPast, tryAgain } from './periods';

const batch = 200;
// While the provider is asked nothing is held here: more are asked for than write what was answered.
const lanes = 24;
const writers = 8;
// Then it ends, so that staff see how far it is; the clock has it go on some seconds later.
const mostMilliseconds = 60_000;
// So long nobody else takes up a renewal whose provider is being asked.
const leaseMilliseconds = 5 * 60_000;

const writing = () => singleton('renewals', () => new Queue({ atOnce: writers, waiting: 10 * lanes }));

type Due = {
  id: number;
  accountId: number;
  portfolioId: number | null;
  planId: number;
  period: PlanPeriod;
  methodId: number | null;
  /** The provider of that means of payment. */
  cardBy: string | null;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
  nextAmountMinor: number | null;
  nextAmountFrom: Date | null;
  countedFrom: Date;
  periods: number;
  periodEndsAt: Date;
  cancelledAt: Date | null;
  coupon: (CouponTerms & { id: number }) | null;
  isCouponCurrency: boolean;
  payments: number;
  lastMinor: number;
  isOpen: boolean;
  isDeleted: boolean;
  demo: boolean;
  tipsPromised: number | null;
  profitOrFree: boolean;
};

/** Whether something is due of a membership. */
export const areMembershipsDue = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select from membership where next_at <= ${now} and ended_at is null)`;

/**
 * Product §8: does with every membership what is due by our clock: ends what was cancelled, renews the others, tries again what could not be
 * charged. A batch at a time for a minute, which many instances share; one that is interrupted anywhere is taken up again and charges nothing twice. Returns how many it looked at.
 */
export async function renewMemberships(now: Date): Promise<number> {
  let [looked, after] = [0, { at: new Date(0), id: 0 }];
  const until = performance.now() + mostMilliseconds;
  while (performance.now() < until) {
    const { rows } = await sql<{ id: number; accountId: number; at: Date }>`
      select id, account_id as "accountId", next_at as at from membership
      where next_at <= ${now} and ended_at is null and (next_at, id) > (${after.at}::timestamptz, ${after.id}::int) order by next_at, id limit ${batch}
    `.execute(database());
    // Those of one account one after another: a lane passes over an account that another holds.
    const idsOf = new Map<number, number[]>();
    for (const { id, accountId } of rows) idsOf.set(accountId, [...(idsOf.get(accountId) ?? []), id]);
    const waiting = [...idsOf.values()];
    await atOnce(lanes, async () => {
      for (let ids = waiting.shift(); ids; ids = waiting.shift()) for (const id of ids) await renewMembership(id);
    });
    looked += rows.length;
    after = rows.at(-1) ?? after;
    if (rows.length < batch) break;
  }
  return looked;
}

/** Does with one membership what is due by our clock, as `renewMemberships` does with all; what could not be done is logged, and taken up again by the clock. */
export async function renewMembership(id: number): Promise<void> {
  try {
    const decided = await writing().run(async () => {
      const own = await transact(() => decide(id));
      const order = own && (await findOrder(own.reference));
      return order && { order, takesBreak: own.isNew ? false : await takesBreak(order) };
    });
    if (decided === null) return;
    const { order } = decided;
    if (decided.takesBreak) return await stopRenewal(id, order.reference);
    const told = await ask(order);
    if (told) await writing().run(() => takeAnswer(order, told));
  } catch (error) {
    // The others go on; this one is looked at again when its lease is over.
    log.error({
      event: 'renewal_failed',
      membership: id,
      message: error instanceof Error ? error.message : String(error),
    });
  }
}

/** The order of a renewal that is to be charged; a new one was opened just now, for a member who takes no break. */
type ToCharge = { reference: string; isNew: boolean };

/** Holds the membership, decides what becomes of it, and gives the order that is to be charged; null where none is. */
async function decide(id: number): Promise<ToCharge | null> {
  // Of two instances the second leaves it to the first.
  const { rows: owners } = await sql<{ portfolioId: number | null }>`
    select portfolio_id as "portfolioId" from membership join account on account.id = account_id where membership.id = ${id} for no key update of account skip locked
  `.execute(database());
  const [known] = owners;
  if (!known) return null;
  await sql`select from portfolio where id = ${known.portfolioId} for share`.execute(database());
  const now = await decisionMoment();
  const due = await findDue(id, now);
  if (!due) return null;
  if (due.cancelledAt !== null || !due.isOpen) {
    const because = due.cancelledAt !== null ? 'You cancelled it.' : closedBecause;
    await endMembership(id, because, now);
    if (due.cancelledAt === null && !due.isDeleted) await tell(id, { what: 'ended', because }, now);
    await forgetMembership(due);
    return null;
  }
  const underWay = await findUnderWay(id);
  if (underWay === null && (await findPauseEnd(due.accountId, now)) !== null) {
    await endTelling(id, pausedBecause, now);
    await forgetMembership(due);
    return null;
  }
  if (underWay !== null && isPast(underWay, due, now)) {
    await giveUpRenewal(underWay, null, now);
    await forgetMembership(due);
    return null;
  }
  if (isOutOfUse(due.cardBy, due) && (underWay === null || !isAsked(underWay, due))) {
    if (underWay) await giveUpRenewal(underWay, cardOutOfUseBecause, now, cardOutOfUseBecause);
    else await endTelling(id, cardOutOfUseBecause, now);
    await forgetMembership(due);
    return null;
  }
  await sql`update membership set next_at = ${new Date(now.getTime() + leaseMilliseconds)} where id = ${id}`.execute(
    database(),
  );
  return underWay === null
    ? { reference: await openRenewal(due, now), isNew: true }
    : { reference: await takeUp(underWay, now), isNew: false };
}

async function findDue(id: number, now: Date): Promise<Due | null> {
  const { rows } = await sql<Due>`
    select membership.id, membership.account_id as "accountId", membership.portfolio_id as "portfolioId", plan_id as "planId", period, method_id as "methodId", payment_method.provider as "cardBy", membership.currency_id as "currencyId",
      membership.amount_minor as "amountMinor", next_amount_minor as "nextAmountMinor", next_amount_from as "nextAmountFrom", counted_from as "countedFrom", periods,
      period_ends_at as "periodEndsAt", cancelled_at as "cancelledAt", ${couponColumns},
      coalesce((select paid.amount_minor from customer_order paid where paid.membership_id = membership.id and status = 'paid' order by paid.id desc limit 1), 0) as "lastMinor",
      (portfolio.id is null or not ${isClosed}) and account.deleted_at is null as "isOpen", account.deleted_at is not null as "isDeleted", account.demo, tips_promised as "tipsPromised", profit_or_free as "profitOrFree"
    from membership join plan on plan.id = plan_id left join portfolio on portfolio.id = membership.portfolio_id join account on account.id = membership.account_id left join payment_method on payment_method.id = method_id
    where membership.id = ${id} and next_at <= ${now} and ended_at is null for update of membership
  `.execute(database());
  return rows[0] ?? null;
}

async function findUnderWay(id: number): Promise<HeldOrder | null> {
  const { rows } = await sql<{ reference: string }>`
    select reference from customer_order where membership_id = ${id} and kind = 'renewal' and status = 'processing' for update
  `.execute(database());
  return rows[0] ? findOrder(rows[0].reference) : null;
}

/** Whether a renewal was asked for where the card of its membership is known, and may be paid there yet. */
const isAsked = ({ payment }: HeldOrder, { cardBy }: Due): boolean =>
  payment.provider === cardBy && payment.status !== 'failed' && payment.status !== 'cancelled';

/** The renewal that is under way; with a new attempt where the last one failed, unless its member takes a break. */
async function takeUp(order: HeldOrder, now: Date): Promise<string> {
  const hasFailed = order.payment.status === 'failed' || order.payment.status === 'cancelled';
  if (hasFailed && (await findPauseEnd(order.accountId, now)) === null) await tryAgain(order, now);
  return order.reference;
}

/** Gives up the renewal of a member who takes a break, and ends the membership; what was charged before that is given back. */
async function stopRenewal(id: number, reference: string): Promise<void> {
  await closeOrder(reference, 'cancelled');
  await transact(async () => {
    const order = await findOrder(reference);
    if (!order || !isSettled(order.status)) return;
    await sql`select from account where id = ${order.accountId} for no key update`.execute(database());
    await sql`select from membership where id = ${id} for update`.execute(database());
    await endTelling(id, pausedBecause, await decisionMoment());
    await forgetMembership(order);
  });
}

async function openRenewal(due: Due, now: Date): Promise<string> {
  const { accountId, portfolioId, planId, currencyId, methodId, period, coupon, isCouponCurrency, lastMinor } = due;
  const periodNumber = periodAfter(due.countedFrom, period, due.periods, now);
  const startsAt =
    periodNumber === due.periods + 1 ? due.periodEndsAt : afterPeriods(due.countedFrom, period, periodNumber - 1);
  const fullMinor = renewalPrice(due, startsAt);
  const price = (payment: number) => discounted(fullMinor, coupon, { payment, isCouponCurrency });
  const amountMinor = price(due.payments + 1);
  const taxMinor = taxIn(amountMinor, await readTaxRate(accountId, now));
  const terms: Terms = {
    period,
    currencyId,
    fullMinor,
    amountMinor,
    trialDays: 0,
    renewsAt: afterPeriods(due.countedFrom, period, periodNumber).toISOString(),
    renewalMinor: price(due.payments + 2),
    // Product §8: a renewal that follows a trial or a lower price can be taken back as a first payment can.
    coolingOffDays: amountMinor > lastMinor ? coolingOffDays : 0,
    taxMinor,
    coupon: coupon?.code ?? null,
    couponPeriods: coupon?.periods ?? null,
    tipsPromised: due.tipsPromised,
    profitOrFree: due.profitOrFree,
  };
  // With blanks, which no member's key has: nobody can take it beforehand.
  const key = `renewal ${due.id} ${periodNumber} ${createHash('sha256').update(due.periodEndsAt.toISOString()).digest('hex').slice(0, 8)}`;
  return openOrder(
    {
      accountId,
      portfolioId,
      planId,
      membershipId: due.id,
      kind: 'renewal',
      periodNumber,
      periodStartsAt: startsAt,
      currencyId,
      fullMinor,
      amountMinor,
      taxMinor,
      couponId: coupon?.id ?? null,
      terms,
      idempotencyKey: key,
      requestHash: key,
      expiresAt: new Date(now.getTime() + leaseMilliseconds),
      methodId,
    },
    now,
  );
}

/** True where the member of a renewal that is taken up again takes a break; asked last of all. What is charged to one that begins meanwhile goes back when the answer is taken. */
const takesBreak = async ({ accountId }: HeldOrder) => (await findPauseEnd(accountId, await decisionMoment())) !== null;

/** Has a renewal charged; one that was asked for before is read as it stands. */
async function ask({ reference, payment, amountMinor, currencyId, accountId }: HeldOrder) {
  const at = providerNamed(payment.provider);
  if (payment.status !== 'started') return at.read(payment.reference);
  if (payment.method === null) throw new Error('The means of payment of a renewal is gone.');
  return at.charge({
    reference: payment.reference,
    amountMinor,
    currencyId,
    description: `Tipledger renewal ${reference}`,
    customer: String(accountId),
    method: payment.method,
  });
}
