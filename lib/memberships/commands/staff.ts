import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { formatAmount } from '@/lib/amounts';
import { findOrder, recordRefund, sendRefunds } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { act } from '@/lib/staff/commands';
import type { StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { forgetMembership } from './forget';
import { soldBy } from './sold';
import { tell, tellBuyer } from './news';
import { endMembership } from './periods';
import { takeBackShares } from './shares';

/** What staff order about an order that was paid: how much goes back, in minor units, all that is left where it is null, and whether its membership ends; `seen` is how much they saw given back already. */
export type RefundByStaff = {
  staff: Viewer;
  reference: string;
  amountMinor: number | null;
  ends: boolean;
  seen?: number | undefined;
} & StaffOrder;

type Held = {
  membershipId: number | null;
  status: string;
  runs: boolean;
  given: number;
  paid: number;
  currencyId: number;
  payment: string;
};

async function hold(reference: string): Promise<Held> {
  await sql`
    select 1 from membership where id = (select membership_id from customer_order where reference = ${reference}) for update
  `.execute(database());
  const { rows } = await sql<Held>`
    select membership_id as "membershipId", customer_order.status, customer_order.amount_minor as paid, customer_order.currency_id as "currencyId", coalesce((select ended_at is null from membership where id = membership_id), false) as runs,
      coalesce((select status from payment where order_id = customer_order.id order by attempt desc limit 1), 'none') as payment,
      coalesce((select sum(refund.amount_minor) from refund join payment on payment.id = payment_id where order_id = customer_order.id), 0)::int as given
    from customer_order where reference = ${reference} for update
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such order.');
  return rows[0];
}

/**
 * Product §11: staff give back what was paid for an order, in part or all that is left, and end its membership where they say so; the provider is
 * asked afterwards. Failure 'missing', 'conflict' for an order that was not paid, was charged back, or of which nothing is left, and where other than
 * `seen` was given back by then, 'invalid' for more than is left; else as `act`.
 */
export async function refundOrder({
  staff,
  reference,
  amountMinor,
  ends,
  seen,
  ...order
}: RefundByStaff): Promise<StaffOutcome> {
  const { rows } = await sql<{ buyer: number; owner: number | null; portfolio: number | null }>`
    select account_id as buyer, owner_id as owner, portfolio_id as portfolio from customer_order left join portfolio on portfolio.id = portfolio_id
    where customer_order.reference = ${reference}
  `.execute(database());
  const [concerned] = rows;
  const accounts = concerned ? [concerned.buyer] : [];
  const others = concerned && concerned.owner !== null ? [concerned.owner] : [];
  const outcome = await act(
    { staff, action: 'order.refund', subject: { kind: 'order', id: reference }, accounts, others, ...order },
    async () => {
      if (!concerned) throw new Failure('missing', 'There is no such order.');
      if (concerned.portfolio !== null)
        await sql`select from portfolio where id = ${concerned.portfolio} for update`.execute(database());
      const held = await hold(reference);
      if (held.status !== 'paid' || held.payment !== 'succeeded')
        throw new Failure(
          'conflict',
          'This order was not paid, or its payment is disputed at the bank: nothing is refunded.',
        );
      const left = held.paid - held.given;
      if (left <= 0) throw new Failure('conflict', 'This order has already been refunded in full.');
      if (seen !== undefined && seen !== held.given)
        throw new Failure(
          'conflict',
          `Since this page was shown, the order’s refunds have come to ${formatAmount(held.given, held.currencyId)}. Nothing was refunded now. Load the page again, and refund what is still missing.`,
        );
      const back = amountMinor ?? left;
      if (back > left) {
        const why = `Only ${formatAmount(left, held.currencyId)} can still be refunded.`;
        throw new Failure('invalid', why, { amountMinor: why });
      }
      const sold = await findOrder(reference);
      if (!sold) throw new Error('The order was not read.');
      const now = await decisionMoment();
      const stops = ends && held.runs && held.membershipId !== null;
      if (stops && held.membershipId !== null) await endMembership(held.membershipId, 'Ended by staff.', now);
      const { sale, details } = await soldBy(sold);
      await recordRefund(sale, { amountMinor: back, because: 'by staff', details, ends: stops }, now);
      await takeBackShares(sold.payment.id, now);
      if (stops && held.membershipId !== null)
        await tell(
          held.membershipId,
          {
            what: 'refunded',
            amountMinor: back,
            because: 'Tipledger staff ended it and gave you a refund.',
            order: reference,
          },
          now,
        );
      else {
        const because = `Tipledger staff gave you a refund.${held.runs ? ' Your membership goes on.' : ''}`;
        await tellBuyer(sold, { what: 'given back', amountMinor: back, because }, now);
      }
      await forgetMembership({ accountId: concerned.buyer, portfolioId: concerned.portfolio });
      return {
        before: { 'given back (minor units)': held.given, 'membership runs': held.runs },
        after: { 'given back (minor units)': held.given + back, 'membership runs': held.runs && !stops },
      };
    },
  );
  // What the provider does not take now is asked for again by the job.
  if (outcome.entry !== null)
    await sendRefunds().catch((error: unknown) =>
      log.error({
        event: 'refund_failed',
        order: reference,
        message: error instanceof Error ? error.message : String(error),
      }),
    );
  return outcome;
}
