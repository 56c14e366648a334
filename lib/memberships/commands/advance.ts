import 'server-only';
import { sql } from 'kysely';
import {
  bookProviderFees,
  findOrder,
  type HeldOrder,
  logUnreached,
  moveOrder,
  movePayment,
  providerNamed,
  sendRefunds,
} from '@/lib/money/commands';
import { isSettled, orderAfter } from '@/lib/money/rules';
import type { ProviderPayment } from '@/lib/money/schema';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { decisionMoment } from '@/lib/platform/moment';
import { forgetMembership, topicsOf } from './forget';
import { settle, settleLate, stopForDifference } from './settle';
import { chargeBack, type Order } from './sold';

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
    const next = orderAfter(told.status);
    // What failed or was cancelled took no money, of whatever amount it was.
    if (next === 'paid' && (told.amountMinor !== order.amountMinor || told.currencyId !== order.currencyId)) {
      if (await stopForDifference(order, told, now)) await forgetMembership(order);
      return false;
    }
    // All that others wait for comes last: the balances of the house, the number of a receipt, what is kept of the portfolio.
    const topics = await topicsOf(order);
    const methodId = await movePayment(order, told, now);
    const wasPaid = order.payment.status === 'succeeded' || order.payment.status === 'disputed';
    const isLate = isSettled(order.status) && next === 'paid' && !wasPaid && order.status !== 'paid';
    let isOwed = false;
    if (!isSettled(order.status)) isOwed = await settle(order, { next, told, methodId }, now);
    else if (isLate) isOwed = await settleLate(order, now);
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
