import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { findPayPages } from '@/lib/money/queries';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { proName } from '../rules/pro';
import type { OrderView } from '../schema/memberships';
import { isClosed } from './plans';

type Row = Omit<OrderView, 'payUrl' | '_expires'> & { expiresAt: Date; payment: string };

async function readOrders(viewer: Viewer, which: RawBuilder<unknown>): Promise<OrderView[]> {
  requireMember(viewer);
  const now = await decisionMoment();
  const { rows } = await sql<Row>`
    select customer_order.reference, status, because, portfolio.reference as "portfolioReference", coalesce(portfolio.name, ${proName}) as "portfolioName", terms, customer_order.amount_minor as "amountMinor",
      tax_minor as "taxMinor", customer_order.currency_id as "currencyId", membership.reference as membership,
      coalesce(membership.ended_at is null and (membership.ends_at > ${now} or membership.past_due_at is not null), false) as runs,
      coalesce(${isClosed}, false) as closed, expires_at as "expiresAt",
      customer_order.amount_minor > 0 and exists (select from payment where order_id = customer_order.id and status in ('succeeded', 'disputed')) as charged,
      (select coalesce(sum(refund.amount_minor), 0)::int from refund join payment on payment.id = payment_id where order_id = customer_order.id) as "givenBackMinor",
      (select payment.reference from payment where order_id = customer_order.id order by attempt desc limit 1) as payment
    from customer_order left join portfolio on portfolio.id = customer_order.portfolio_id left join membership on membership.id = membership_id
    where customer_order.account_id = ${viewer.accountId} and kind = 'first' and ${which} order by customer_order.id desc
  `.execute(database());
  const pages = await findPayPages(rows.map(({ payment }) => payment));
  return rows.map(({ expiresAt, payment, ...order }) => ({
    ...order,
    payUrl: order.status === 'open' ? (pages.get(payment) ?? null) : null,
    _expires: expiresAt.toISOString(),
  }));
}

/** An order of the viewer's. Failure 'unauthorised' for a guest, 'missing' for another's. */
export async function getOrder(viewer: Viewer, reference: string): Promise<OrderView> {
  const [order] = await readOrders(viewer, sql`customer_order.reference = ${reference}`);
  if (!order) throw new Failure('missing', 'You have no such order.');
  return order;
}

/** The orders of the viewer's that wait to be paid or are being paid. Failure 'unauthorised' for a guest. */
export async function listWaitingOrders(viewer: Viewer): Promise<OrderView[]> {
  return readOrders(viewer, sql`status in ('open', 'processing')`);
}
