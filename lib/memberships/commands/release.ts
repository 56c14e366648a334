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
    const { rows } = await sql<{ paymentId: number; orderId: number; portfolioId: number }>`
      select payment_id as "paymentId", order_id as "orderId", portfolio_id as "portfolioId" from posting sale
      where kind = 'sale' and at <= ${daysLater(now, -coolingOffDays)} and not exists (select from posting where key = 'release:' || sale.payment_id)
        and 0 <> (select sum(amount_minor) from posting about join posting_line on posting_id = about.id join money_account on money_account.id = account_id
          where about.payment_id = sale.payment_id and money_account.kind = 'held')
      order by id limit ${batch}
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
    return rows.length;
  });
}
