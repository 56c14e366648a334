import 'server-only';
import { sql } from 'kysely';
import {
  bookChargeback,
  bookFee,
  findFee,
  type HeldOrder,
  issueReceipt,
  type NewReceipt,
  post,
  recordRefund,
  type Sale,
} from '@/lib/money/commands';
import { saleLines } from '@/lib/money/rules';
import { database } from '@/lib/platform/database';
import { afterPeriods } from '../rules/calendar';
import { proName } from '../rules/pro';
import type { Terms } from '../schema/memberships';
import type { PlanPeriod } from '../schema/plans';
import { tell } from './news';
import { endMembership } from './periods';
import { takeBackShares } from './shares';

/** An order of a membership, with the terms that it was made on. */
export type Order = HeldOrder & { terms: Terms };

/** Books what was paid for an order, with its receipt, and with the fee of its affiliate where it opens a membership. */
export async function bookSale(order: Order, now: Date, { opened = true } = {}): Promise<void> {
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

/** Has what was paid for an order that opens nothing go back whole, of which nobody gets anything; the caller tells its payer. True where there is something to give back. */
export async function giveBack(order: Order, because: string, now: Date): Promise<boolean> {
  if (order.amountMinor === 0) return false;
  await bookSale(order, now, { opened: false });
  const { sale, details } = await soldBy(order);
  await recordRefund(sale, { amountMinor: order.amountMinor, because, details }, now);
  return true;
}

const disputedBecause = 'The payment was disputed at the bank.';

/** Takes back what was earned by a payment that was disputed at the bank, ends its membership, and tells its member, where there is still somebody. */
export async function chargeBack(order: Order, now: Date): Promise<void> {
  await bookChargeback((await soldBy(order)).sale, now);
  await takeBackShares(order.payment.id, now);
  // An order that was paid and disputed at once has begun its membership just now.
  const { rows } = await sql<{ id: number | null }>`
    select membership_id as id from customer_order where id = ${order.id}
  `.execute(database());
  const id = rows[0]?.id ?? null;
  if (id === null || !(await endMembership(id, disputedBecause, now)) || (await isOfNobody(order))) return;
  await tell(id, { what: 'ended', because: disputedBecause }, now);
}

/** True where the account of an order was deleted. */
export async function isOfNobody({ accountId }: Pick<Order, 'accountId'>): Promise<boolean> {
  const { rows } = await sql`select from account where id = ${accountId} and deleted_at is not null`.execute(
    database(),
  );
  return rows.length > 0;
}
