import 'server-only';
import { sql } from 'kysely';
import { post } from '@/lib/money/commands';
import { coolingOffDays } from '@/lib/money/rules';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { database, transact } from '@/lib/platform/database';
import { decisionMoment } from '@/lib/platform/moment';
import { daysLater } from '../rules/calendar';

const batch = 500;

type Held = {
  paymentId: number;
  orderId: number;
  portfolioId: number;
  owner: number;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
};

/** Product §8: makes payable what tipsters earned by sales whose cooling-off is over: what is left of each, once. Returns how many sales it looked at. */
export async function releaseEarnings(now: Date): Promise<number> {
  return transact(async () => {
    const { rows } = await sql<{ paymentId: number; orderId: number; portfolioId: number; postingIds: number[] }>`
      select due.payment_id as "paymentId", sale.order_id as "orderId", sale.portfolio_id as "portfolioId", array_agg(due.posting_id) as "postingIds"
      from earning_due due cross join lateral (select id, at, order_id, portfolio_id from posting where payment_id = due.payment_id and kind = 'sale' limit 1) sale
      where due.kind = 'held' and sale.at <= ${daysLater(now, -coolingOffDays)} group by sale.id, due.payment_id, sale.order_id, sale.portfolio_id order by sale.id limit ${batch}
    `.execute(database());
    const at = await decisionMoment();
    for (const sale of rows) {
      // A refund of it is decided under the same lock.
      await sql`select from portfolio where id = ${sale.portfolioId} for update`.execute(database());
      const held = await sql<Held>`
        select owner_id as owner, money_account.currency_id as "currencyId", coalesce(sum(amount_minor), 0)::int as "amountMinor"
        from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
        where payment_id = ${sale.paymentId} and money_account.kind = 'held' group by owner_id, money_account.currency_id
      `.execute(database());
      for (const { owner, currencyId, amountMinor } of held.rows.filter((each) => each.amountMinor !== 0))
        await post(
          {
            key: `release:${sale.paymentId}`,
            kind: 'release',
            currencyId,
            orderId: sale.orderId,
            paymentId: sale.paymentId,
            portfolioId: sale.portfolioId,
          },
          [
            { owner, kind: 'held', amountMinor: -amountMinor },
            { owner, kind: 'payable', amountMinor },
          ],
          at,
        );
    }
    // What is booked meanwhile is still due.
    await sql`delete from earning_due where kind = 'held' and posting_id = any(${rows.flatMap(({ postingIds }) => postingIds)}::int[])`.execute(
      database(),
    );
    return rows.length;
  });
}
