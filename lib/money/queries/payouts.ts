import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import type { MoneyCurrencyId } from '../schema/currencies';
import type { OwnPayout, PayoutChoice } from '../schema/payouts';

const mostPayouts = 100;

/** Product §8: the payouts of an owner for some of their portfolios, or as an affiliate where null stands for them, the newest first, 100 at most; each with the id of its portfolio. The caller has looked whose they are. */
export async function readPayouts(
  owner: number,
  portfolioIds: readonly number[] | null,
): Promise<(OwnPayout & { portfolioId: number | null })[]> {
  const { rows } = await sql<
    Omit<OwnPayout, 'at' | 'changedAt'> & { portfolioId: number | null; at: Date; changedAt: Date }
  >`
    select portfolio_id as "portfolioId", created_at as at, changed_at as "changedAt", currency_id as "currencyId", amount_minor as "amountMinor", status, case when status = 'failed' then because end as because
    from payout where owner_id = ${owner} and ${portfolioIds === null ? sql`portfolio_id is null` : sql`portfolio_id = any(${[...portfolioIds]}::int[])`}
    order by id desc limit ${mostPayouts}
  `.execute(database());
  return rows.map(({ at, changedAt, ...row }) => ({
    ...row,
    at: at.toISOString(),
    changedAt: changedAt.toISOString(),
  }));
}

/** Product §8: what the viewer has earned, as a tipster and as an affiliate, and has not been paid nor asked for, by currency in minor units; empty where that is nothing. Failure 'unauthorised' for a guest. */
export async function listUnpaid(viewer: Viewer): Promise<{ currencyId: MoneyCurrencyId; amountMinor: number }[]> {
  requireMember(viewer);
  const { rows } = await sql<{ currencyId: MoneyCurrencyId; amountMinor: number }>`
    select currency_id as "currencyId", sum(amount_minor)::float8 as "amountMinor" from money_account join money_balance on account_id = money_account.id
    where owner_id = ${viewer.accountId} and kind in ('held', 'payable', 'affiliate-held', 'affiliate-payable') group by currency_id having sum(amount_minor) > 0 order by currency_id
  `.execute(database());
  return rows;
}

/** Product §8: whether what is payable to the viewer is requested by itself each month; not so until they choose it. Failure 'unauthorised' for a guest. */
export async function getPayoutChoice(viewer: Viewer): Promise<PayoutChoice> {
  requireMember(viewer);
  const { rows } = await sql`select from monthly_payout where account_id = ${viewer.accountId}`.execute(database());
  return { monthly: rows.length > 0 };
}
