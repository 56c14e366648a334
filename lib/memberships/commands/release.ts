import 'server-only';
import { sql } from 'kysely';
import { post } from '@/lib/money/commands';
import { coolingOffDays } from '@/lib/money/rules';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { throughEach } from '@/lib/platform/batches';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { daysLater } from '../rules/calendar';

const batch = 500;

type Held = {
  owner: number;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
};

/** A sale by its posting, with the postings after which something is held of it. */
type Due = { id: number; paymentId: number; orderId: number; portfolioId: number; postingIds: number[] };

/**
 * Product §8: makes payable what tipsters earned by sales whose cooling-off is over: what is left of each, once. Each is released by itself, so that
 * one that fails keeps no other from its turn; its error is thrown behind all others. Returns how many sales it looked at.
 */
export async function releaseEarnings(now: Date): Promise<number> {
  return throughEach(
    (after) => listDue(after, now),
    (sale) => transact(() => releaseOne(sale)),
    ({ paymentId }, error) => log.error({ event: 'release_failed', payment: paymentId, err: error }),
  );
}

async function listDue(after: number, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select sale.id, due.payment_id as "paymentId", sale.order_id as "orderId", sale.portfolio_id as "portfolioId", array_agg(due.posting_id) as "postingIds"
    from earning_due due cross join lateral (select id, at, order_id, portfolio_id from posting where payment_id = due.payment_id and kind = 'sale' limit 1) sale
    where due.kind = 'held' and sale.at <= ${daysLater(now, -coolingOffDays)} and sale.id > ${after}
    group by sale.id, due.payment_id, sale.order_id, sale.portfolio_id order by sale.id limit ${batch}
  `.execute(database());
  return rows;
}

async function releaseOne({ paymentId, orderId, portfolioId, postingIds }: Due): Promise<void> {
  // A refund of it is decided under the same lock.
  await sql`select from portfolio where id = ${portfolioId} for update`.execute(database());
  const at = await decisionMoment();
  const { rows: held } = await sql<Held>`
    select owner_id as owner, money_account.currency_id as "currencyId", coalesce(sum(amount_minor), 0)::int as "amountMinor"
    from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
    where payment_id = ${paymentId} and money_account.kind = 'held' group by owner_id, money_account.currency_id
  `.execute(database());
  for (const { owner, currencyId, amountMinor } of held.filter((each) => each.amountMinor !== 0))
    await post(
      { key: `release:${paymentId}`, kind: 'release', currencyId, orderId, paymentId, portfolioId },
      [
        { owner, kind: 'held', amountMinor: -amountMinor },
        { owner, kind: 'payable', amountMinor },
      ],
      at,
    );
  // What is booked meanwhile is still due.
  await sql`delete from earning_due where kind = 'held' and posting_id = any(${postingIds}::int[])`.execute(database());
}
