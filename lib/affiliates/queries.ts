import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { readPayouts } from '@/lib/money/queries';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import type { Affiliate, Fees } from './schema';

const keptSeconds = 600;

/** Product §8: what staff pay for a new buyer's first paid membership, by currency; empty while nothing was set. */
export async function listFees(): Promise<Fees['fees']> {
  return cached('affiliate-fees', keptSeconds, ['affiliate-fees'], readFees);
}

/** The fees as the transaction that the caller stands in has them. */
export async function readFees(): Promise<Fees['fees']> {
  const { rows } = await sql<Fees['fees'][number]>`
    select currency_id as "currencyId", amount_minor as "amountMinor" from affiliate_fee order by currency_id
  `.execute(database());
  return rows;
}

/** Product §8: where the viewer stands as an affiliate. Failure 'unauthorised' for a guest. */
export async function getAffiliate(viewer: Viewer): Promise<Affiliate> {
  requireMember(viewer);
  const { accountId } = viewer;
  const [code, counts, balances, months, fees, payouts] = await Promise.all([
    sql<{ code: string | null }>`select affiliate_reference as code from account where id = ${accountId}`.execute(
      database(),
    ),
    sql<Pick<Affiliate, 'visits' | 'signUps' | 'sales' | 'returned'>>`
      select (select coalesce(sum(visits), 0)::int from affiliate_visit where account_id = ${accountId}) as visits,
        (select count(*)::int from referral where affiliate_id = ${accountId}) as "signUps",
        (select count(*)::int from ${postingsOf(accountId, 'affiliate')} fee) as sales, (select count(*)::int from ${postingsOf(accountId, 'affiliate-back')} fee) as returned
    `.execute(database()),
    sql<Affiliate['balances'][number]>`
      select money_account.currency_id as "currencyId", coalesce(sum(amount_minor) filter (where money_account.kind = 'affiliate-held'), 0)::int as "heldMinor",
        coalesce(sum(amount_minor) filter (where money_account.kind = 'affiliate-payable'), 0)::int as "payableMinor",
        coalesce((${payoutsOf(accountId)} and status in ('asked', 'approved')), 0)::float8 as "onTheWayMinor", coalesce((${payoutsOf(accountId)} and status = 'paid'), 0)::float8 as "paidMinor"
      from money_account join posting_line on posting_line.account_id = money_account.id
      where owner_id = ${accountId} and money_account.kind in ('affiliate-held', 'affiliate-payable') group by money_account.currency_id order by 1
    `.execute(database()),
    sql<Affiliate['months'][number]>`
      select month, sum(visits)::int as visits, sum("signUps")::int as "signUps", sum(sales)::int as sales from (
        select to_char(day, 'YYYY-MM') as month, visits, 0 as "signUps", 0 as sales from affiliate_visit where account_id = ${accountId}
        union all select to_char(at at time zone 'UTC', 'YYYY-MM'), 0, 1, 0 from referral where affiliate_id = ${accountId}
        union all select to_char(at at time zone 'UTC', 'YYYY-MM'), 0, 0, 1 from ${postingsOf(accountId, 'affiliate')} fee
      ) each group by month order by month desc limit 24
    `.execute(database()),
    listFees(),
    readPayouts(accountId, null),
  ]);
  const { visits = 0, signUps = 0, sales = 0, returned = 0 } = counts.rows[0] ?? {};
  return {
    code: code.rows[0]?.code ?? null,
    fees,
    visits,
    signUps,
    sales,
    returned,
    balances: balances.rows,
    payouts: payouts.map(({ portfolioId: _, ...payout }) => payout),
    months: months.rows,
  };
}

const postingsOf = (accountId: number, kind: 'affiliate' | 'affiliate-back') => sql`(
  select posting.id, at from money_account join posting_line on posting_line.account_id = money_account.id join posting on posting.id = posting_id
  where owner_id = ${accountId} and money_account.kind in ('affiliate-held', 'affiliate-payable') and posting.kind = ${kind})`;

const payoutsOf = (accountId: number) => sql`
  select sum(payout.amount_minor) from payout where payout.owner_id = ${accountId} and payout.portfolio_id is null and payout.currency_id = money_account.currency_id`;
