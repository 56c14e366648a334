import 'server-only';
import { sql } from 'kysely';
import {
  bookChargeback,
  bookFee,
  bookProviderFees,
  findFee,
  findOrder,
  type HeldOrder,
  issueReceipt,
  logUnreached,
  moveOrder,
  movePayment,
  type NewReceipt,
  recordRefund,
  post,
  providerNamed,
  type Sale,
  sendRefunds,
} from '@/lib/money/commands';
import { isForward, isSettled, orderAfter, saleLines } from '@/lib/money/rules';
import type { ProviderPayment } from '@/lib/money/schema';
import { findPauseEnd } from '@/lib/pauses/queries';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { newReference } from '@/lib/platform/reference';
import { readNextPrice } from '../queries/memberships';
import { isClosed } from '../queries/plans';
import { accessEndsAt, afterPeriods, daysLater } from '../rules/calendar';
import { afterCoupon } from '../rules/coupons';
import { proName } from '../rules/pro';
import { closedBecause } from '../rules/states';
import type { Terms } from '../schema/memberships';
import type { PlanPeriod } from '../schema/plans';
import { tell, tellAll, tellBuyer } from './news';
import { afterFailedRenewal, endForPause, endMembership, extend } from './periods';
import { followPrice } from './plans';
import { takeBackShares } from './shares';

type Order = HeldOrder & { terms: Terms };

/** Reads a payment of an order again from its provider, and moves it, the order and the membership on; forward only, and once, however often it is called. */
export async function advanceOrder(reference: string): Promise<void> {
  const order = await findOrder(reference);
  if (!order) return;
  const told = await providerNamed(order.payment.provider).read(order.payment.reference);
  if (told) await takeAnswer(order, told);
}

/** Closes the provider's page of an order that nobody paid, and says why; one that was paid meanwhile is paid. */
export async function closeOrder(
  reference: string,
  as: 'cancelled' | 'expired',
  because: string | null = null,
): Promise<void> {
  const order = await findOrder(reference);
  if (!order || isSettled(order.status)) return;
  const told = await providerNamed(order.payment.provider).close(order.payment.reference);
  if (told && told.status !== 'cancelled') return takeAnswer(order, told);
  await transact(async () => {
    const held = await hold(order);
    // Whoever comes after this finds the page closed before it is opened, or the order closed.
    if (!held || isSettled(held.status)) return;
    const now = await decisionMoment();
    if (told) await movePayment(held, told, now);
    await moveOrder(held.id, { status: as, because }, now);
    await forgetMembership(held);
  });
}

/** Closes what an account was about to buy; what was paid meanwhile is paid or given back, and what a provider does not answer to now is closed by the clock. */
export async function closeOrdersOf(accountId: number): Promise<void> {
  const { rows } = await sql<{ reference: string }>`
    select reference from customer_order where account_id = ${accountId} and kind = 'first' and status in ('open', 'processing')
  `.execute(database());
  for (const { reference } of rows) await closeOrder(reference, 'cancelled').catch(logUnreached);
}

/** Holds account, portfolio, membership, order and payment, in this order, and gives the order as it stands then. Who buys takes one of the portfolio's places, in turn; who renews has one. */
async function hold(order: HeldOrder): Promise<Order | null> {
  await sql`select from account where id = ${order.accountId} for no key update`.execute(database());
  if (order.portfolioId !== null) {
    const inTurn = order.kind === 'renewal' ? sql`for share` : sql`for update`;
    await sql`select from portfolio where id = ${order.portfolioId} ${inTurn}`.execute(database());
  }
  if (order.membershipId !== null)
    await sql`select from membership where id = ${order.membershipId} for update`.execute(database());
  return (await findOrder(order.reference, { hold: true })) as Order | null;
}

/** Moves a payment of an order, the order and the membership on to what its provider has answered when it was asked for that payment; forward only, and once. */
export async function takeAnswer(known: HeldOrder, told: ProviderPayment): Promise<void> {
  const { reference, payment } = known;
  const isOwed = await transact(async () => {
    const order = await hold(known);
    if (!order || order.payment.reference !== payment.reference) return false;
    const now = await decisionMoment();
    if (told.amountMinor !== order.amountMinor || told.currencyId !== order.currencyId) {
      log.error({
        event: 'payment_differs',
        order: reference,
        amountMinor: told.amountMinor,
        currencyId: told.currencyId,
      });
      return false;
    }
    // All that others wait for comes last: the balances of the house, the number of a receipt, what is kept of the portfolio.
    const topics = await topicsOf(order);
    const methodId = await movePayment(order, told, now);
    const wasPaid = order.payment.status === 'succeeded' || order.payment.status === 'disputed';
    const next = orderAfter(told.status);
    const isLate = isSettled(order.status) && next === 'paid' && !wasPaid && order.status !== 'paid';
    let isOwed = false;
    if (!isSettled(order.status)) isOwed = await settle(order, { next, told, methodId }, now);
    else if (isLate) {
      const told = (await isOfNobody(order)) ? null : afterEnd;
      isOwed = await giveBack(order, 'paid after the order had ended', now, told);
    }
    if (told.status === 'disputed' && order.payment.status !== 'disputed') await chargeBack(order, now);
    await forget(topics);
    return isOwed;
  });
  await bookFeesOf(reference, payment.reference, told);
  if (isOwed) await sendRefunds();
}

// After the receipt has its number: the balances of other currencies are locked before it, and never after.
async function bookFeesOf(reference: string, payment: string, { fees = [] }: ProviderPayment): Promise<void> {
  const order = fees.length === 0 ? null : await findOrder(reference);
  if (order?.payment.reference !== payment) return;
  const { id: paymentId, provider } = order.payment;
  await transact(async () =>
    bookProviderFees({ provider, orderId: order.id, paymentId }, fees, await decisionMoment()),
  );
}

type Outcome = { next: ReturnType<typeof orderAfter>; told: ProviderPayment; methodId: number | null };

/** Does with an order what its payment has come to; true where money is to go back. An attempt of a renewal fails once: its order stays under way, and the same answer changes nothing. */
async function settle(order: Order, { next, told, methodId }: Outcome, now: Date): Promise<boolean> {
  if (next === null || next === order.status) return false;
  if (next === 'processing') await moveOrder(order.id, { status: next }, now);
  else if (await isOfNobody(order)) return stopForDeletion(order, next, now);
  else if (await hasEnded(order)) return stopForEnd(order, next, now);
  else if (await isOfClosed(order)) return stopForClosing(order, next, now);
  else if ((await findPauseEnd(order.accountId, now)) !== null) return stopForPause(order, next, now);
  else if (next === 'paid') await pay(order, methodId, now);
  else if (order.kind === 'first') await moveOrder(order.id, { status: next, because: told.failure }, now);
  else if (isForward(order.payment.status, told.status)) await afterFailedRenewal(order, told.failure, now);
  return false;
}

/** True where the account of an order was deleted. */
async function isOfNobody({ accountId }: Order): Promise<boolean> {
  const { rows } = await sql`select from account where id = ${accountId} and deleted_at is not null`.execute(
    database(),
  );
  return rows.length > 0;
}

// Product §3: nothing is bought or renewed for an account that was deleted, and nobody is left to be told.
async function stopForDeletion(order: Order, next: ReturnType<typeof orderAfter>, now: Date): Promise<boolean> {
  const because = 'The account was deleted.';
  if (order.membershipId !== null) await endMembership(order.membershipId, because, now);
  await moveOrder(order.id, { status: 'cancelled', because }, now);
  return next === 'paid' && giveBack(order, 'paid after the account was deleted', now);
}

// Product §9: nothing is bought during a break, whenever it was begun to be; a membership whose renewal it was has ended.
async function stopForPause(order: Order, next: ReturnType<typeof orderAfter>, now: Date): Promise<boolean> {
  if (order.membershipId !== null) await endForPause(order.membershipId, now);
  await moveOrder(order.id, { status: 'cancelled', because: 'You took a break from betting.' }, now);
  return (
    next === 'paid' && giveBack(order, 'paid during a break from betting', now, 'You are taking a break from betting.')
  );
}

/** True where the portfolio of an order was closed; the caller holds it. */
async function isOfClosed({ portfolioId }: Order): Promise<boolean> {
  const { rows } = await sql`select from portfolio where id = ${portfolioId} and ${isClosed}`.execute(database());
  return rows.length > 0;
}

// Product §8: a portfolio that is closed sells nothing any more, whatever was ordered of it before: what is paid for it goes back whole.
async function stopForClosing(order: Order, next: ReturnType<typeof orderAfter>, now: Date): Promise<boolean> {
  const { membershipId, amountMinor, reference } = order;
  const because = closedBecause;
  const isRefunded = next === 'paid' && amountMinor > 0;
  if (membershipId !== null) await endMembership(membershipId, because, now);
  await moveOrder(order.id, { status: 'cancelled', because }, now);
  if (isRefunded)
    await giveBack(order, 'paid after the portfolio was closed', now, membershipId === null ? because : null);
  if (membershipId !== null)
    await tell(
      membershipId,
      isRefunded ? { what: 'refunded', amountMinor, because, order: reference } : { what: 'ended', because },
      now,
    );
  return isRefunded;
}

/** True of a renewal whose membership ended while it was charged. */
async function hasEnded({ kind, membershipId }: Order): Promise<boolean> {
  if (kind !== 'renewal') return false;
  const { rows } = await sql`select from membership where id = ${membershipId} and ended_at is not null`.execute(
    database(),
  );
  return rows.length > 0;
}

// What was charged while a membership ended opens nothing any more: it goes back whole, and its member is told why it came and went.
async function stopForEnd(order: Order, next: ReturnType<typeof orderAfter>, now: Date): Promise<boolean> {
  const because = 'The membership ended while it was being renewed.';
  await moveOrder(order.id, { status: 'cancelled', because }, now);
  if (next !== 'paid' || !(await giveBack(order, 'paid after the membership had ended', now))) return false;
  const { membershipId, amountMinor, reference } = order;
  await tell(membershipId ?? 0, { what: 'refunded', amountMinor, because, order: reference }, now);
  return true;
}

async function pay(order: Order, methodId: number | null, now: Date): Promise<void> {
  const membershipId = order.membershipId ?? (await begin(order, methodId, now));
  const { amountMinor: paidMinor, terms, reference } = order;
  const paid = { paidMinor, order: reference };
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
  await moveOrder(order.id, { status: 'paid', membershipId }, now);
  if (order.amountMinor === 0) return;
  await bookSale(order, now);
}

async function bookSale(order: Order, now: Date, { opened = true } = {}): Promise<void> {
  const { sale, details } = await soldBy(order);
  // Product §8: a fee is for a membership, and there is none where the payment goes back at once.
  const fee = opened ? await findFee(sale) : null;
  const { accountId, currencyId, amountMinor, taxMinor } = sale;
  await post(
    {
      key: `sale:${order.payment.id}`,
      kind: 'sale',
      currencyId,
      orderId: order.id,
      paymentId: order.payment.id,
      portfolioId: order.portfolioId,
    },
    saleLines(sale),
    now,
  );
  if (fee) await bookFee(sale, fee, now);
  await issueReceipt({ accountId, orderId: order.id, currencyId, amountMinor, taxMinor, details }, now);
}

/** The sale that an order was, with who earned by it (nobody yet where Pro was sold), and what a receipt says of it. */
export async function soldBy(order: HeldOrder): Promise<{ sale: Sale; details: NewReceipt['details'] }> {
  const { rows } = await sql<{ owner: number | null; name: string | null; countedFrom: Date | null }>`
    select owner_id as owner, portfolio.name, counted_from as "countedFrom"
    from customer_order left join portfolio on portfolio.id = customer_order.portfolio_id left join membership on membership.id = membership_id where customer_order.id = ${order.id}
  `.execute(database());
  const { owner = null, name = null, countedFrom = null } = rows[0] ?? {};
  const period = order.terms.period as PlanPeriod;
  // Not the one that runs: a refund may be of an earlier one.
  const periodAt = (count: number) => countedFrom && afterPeriods(countedFrom, period, count).toISOString();
  const { accountId, portfolioId, currencyId, amountMinor, taxMinor, id: orderId, payment, terms } = order;
  return {
    sale: { orderId, paymentId: payment.id, accountId, portfolioId, owner, currencyId, amountMinor, taxMinor },
    details: {
      description: `Membership of ${name ?? proName}, one ${period}`,
      periodStartsAt: periodAt(order.periodNumber - 1),
      periodEndsAt: periodAt(order.periodNumber),
      coupon: (terms as Terms).coupon,
      discountMinor: order.fullMinor - amountMinor,
    },
  };
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

const afterEnd = 'Your payment arrived after the order had ended, so it bought nothing.';

// Paid although the order had ended: nobody gets anything for it, so that it goes back whole, and its payer is told why where `told` says it. True where there is something to give back.
async function giveBack(order: Order, because: string, now: Date, told: string | null = null): Promise<boolean> {
  if (order.amountMinor === 0) return false;
  await bookSale(order, now, { opened: false });
  const { sale, details } = await soldBy(order);
  const { amountMinor } = order;
  await recordRefund(sale, { amountMinor, because, details }, now);
  if (told !== null) await tellBuyer(order, { amountMinor, because: told }, now);
  return true;
}

async function chargeBack(order: Order, now: Date): Promise<void> {
  await bookChargeback((await soldBy(order)).sale, now);
  await takeBackShares(order.payment.id, now);
  await sql`
    update membership set ended_at = ${now}, ended_because = 'The payment was disputed at the bank.', next_at = null,
      ends_at = greatest(starts_at, least(ends_at, ${now}))
    where id = (select membership_id from customer_order where id = ${order.id}) and ended_at is null
  `.execute(database());
}

type Concerned = { accountId: number; portfolioId: number | null };

/** Drops what was kept of a portfolio and of a member, so that every page and every open tab sees at once who is in and who is not. */
export async function forgetMembership(concerned: Concerned): Promise<void> {
  await forget(await topicsOf(concerned));
}

async function topicsOf({ accountId, portfolioId }: Concerned): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`select reference from portfolio where id = ${portfolioId}`.execute(
    database(),
  );
  return [...rows.map(({ reference }) => `portfolio:${reference}`), `account:${accountId}`];
}
