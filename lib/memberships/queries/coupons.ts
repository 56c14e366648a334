import 'server-only';
import { sql } from 'kysely';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import type { CouponState, CouponTerms } from '../rules/coupons';
import type { Coupon } from '../schema/coupons';

/** What is known of a coupon at a checkout, with its id. */
export type FoundCoupon = CouponTerms & CouponState & { id: number };

/**
 * The coupons of a code for a portfolio, its own before one of the site, or for Pro where none is named, with how often each was used. What the buyer orders there
 * already is no use more. Where they are held, nobody else uses them until the transaction ends.
 */
export async function findCoupons(
  accountId: number,
  portfolioId: number | null,
  given: string,
  { hold = false }: { hold?: boolean },
): Promise<FoundCoupon[]> {
  const code = given.trim().toUpperCase();
  const which = sql`code = ${code} and (portfolio_id = ${portfolioId}::int or portfolio_id is null)`;
  // Held by a statement of its own: what is counted after it is counted as it stands then.
  if (hold) await sql`select from coupon where ${which} order by id for update`.execute(database());
  const { rows } = await sql<FoundCoupon>`
    select id, code, percent, amount_minor as "amountMinor", currency_id as "currencyId", periods, plan_periods as "planPeriods", most_uses as "mostUses", once_each as "onceEach",
      ends_at as "endsAt", withdrawn_at as "withdrawnAt", uses, "ownUses"
    from coupon cross join lateral (
      select count(*)::int as uses, (count(*) filter (where account_id = ${accountId}))::int as "ownUses" from customer_order used
      where used.coupon_id = coupon.id and used.kind = 'first' and used.status in ('open', 'processing', 'paid')
        and not (used.account_id = ${accountId} and used.portfolio_id is not distinct from ${portfolioId}::int and used.status <> 'paid')
    ) counted
    where ${which} order by portfolio_id nulls last
  `.execute(database());
  return rows;
}

type Row = Omit<Coupon, 'endsAt' | 'endedAt'> & { endsAt: Date | null; endedAt: Date | null };

/** The coupons of a portfolio of the viewer's, the newest first. Failure 'missing' as with `getPortfolio`, 'forbidden' for another's. */
export async function listCoupons(viewer: Viewer, reference: string): Promise<Coupon[]> {
  const portfolio = await getPortfolio(viewer, reference);
  if (!isOwner(viewer, portfolio)) throw new Failure('forbidden', 'Only the owner of a portfolio sees its coupons.');
  const { rows } = await sql<Row>`
    select id, code, percent, amount_minor as "amountMinor", currency_id as "currencyId", periods, coalesce(plan_periods, '{}') as plans, most_uses as "mostUses", once_each as "onceEach",
      ends_at as "endsAt", withdrawn_at as "endedAt",
      (select count(*)::int from customer_order used where used.coupon_id = coupon.id and used.kind = 'first' and used.status in ('open', 'processing', 'paid')) as uses
    from coupon where portfolio_id = ${portfolio.id} order by id desc
  `.execute(database());
  return rows.map(({ endsAt, endedAt, ...coupon }) => ({
    ...coupon,
    endsAt: endsAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  }));
}
