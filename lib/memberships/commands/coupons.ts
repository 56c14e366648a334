import 'server-only';
import { sql } from 'kysely';
import type { z } from 'zod';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { lockOwnPortfolio } from '@/lib/portfolios/commands';
import { listCoupons } from '../queries/coupons';
import { readSale } from '../queries/plans';
import { type Coupon, type CouponInput, couponInputSchema, couponLimits } from '../schema/coupons';

/** A coupon as it is written; the currency is of its amount. */
export type NewCoupon = Omit<z.output<typeof couponInputSchema>, 'endsAt'> & {
  currencyId: MoneyCurrencyId;
  endsAt: Date | null;
};

/** Writes a coupon of a portfolio, or of the site where none is named, in the transaction of the caller. Failure 'invalid' for an end that is past, 'conflict' for a code that was used or a coupon too many. */
export async function insertCoupon(portfolioId: number | null, given: NewCoupon, at: Date): Promise<void> {
  const { code, percent, amountMinor, currencyId, periods, plans, mostUses, onceEach, endsAt } = given;
  if (endsAt !== null && endsAt <= at)
    throw new Failure('invalid', 'This day has already passed. Choose a later day.', {
      endsAt: 'must be a day to come',
    });
  const whose = portfolioId === null ? 'The site' : 'This portfolio';
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from coupon where portfolio_id is not distinct from ${portfolioId}::int
  `.execute(database());
  if ((rows[0]?.count ?? 0) >= couponLimits.mostCoupons)
    throw new Failure('conflict', `${whose} has ${couponLimits.mostCoupons} coupons, which is the most it can have.`);
  const made = await sql`
    insert into coupon (portfolio_id, code, percent, amount_minor, currency_id, periods, plan_periods, most_uses, once_each, ends_at, created_at)
    values (${portfolioId}, ${code}, ${percent}, ${amountMinor}, ${amountMinor === null ? null : currencyId}, ${periods}, ${plans.length === 0 ? null : plans}::text[], ${mostUses}, ${onceEach},
      ${endsAt}, ${at})
    on conflict do nothing returning id
  `.execute(database());
  if (made.rows.length === 0)
    throw new Failure('conflict', `${whose} has had a coupon with this code before. Choose another code.`, {
      code: 'was used before',
    });
}

/**
 * Product §8: makes a coupon for a portfolio of the viewer's; an amount is in its main currency. A code is used once for a portfolio, also when its coupon has ended, so that an
 * old link never means something new. Gives all coupons. Failure 'missing', 'forbidden', 'invalid', and 'conflict' for a code that was used or a coupon too many.
 */
export async function createCoupon(
  viewer: Viewer,
  reference: string,
  given: CouponInput,
  key: string | undefined,
  now: Date,
): Promise<Coupon[]> {
  const input = couponInputSchema.parse(given);
  requireMember(viewer);
  return once({ accountId: viewer.accountId, key, request: ['create-coupon', reference, input] }, now, async () => {
    const portfolio = await lockOwnPortfolio(viewer, reference);
    const at = await decisionMoment();
    const { mainCurrencyId } = await readSale(portfolio.id);
    const endsAt = input.endsAt === null ? null : new Date(input.endsAt);
    await insertCoupon(portfolio.id, { ...input, currencyId: mainCurrencyId, endsAt }, at);
    return listCoupons(viewer, reference);
  });
}

/** Ends a coupon of a portfolio of the viewer's: nobody begins anything with it any more, and who did keeps what it takes off. Once or twice, it is the same. Failure 'missing', 'forbidden'. */
export async function endCoupon(
  viewer: Viewer,
  reference: string,
  code: string,
  key: string | undefined,
  now: Date,
): Promise<Coupon[]> {
  requireMember(viewer);
  return once({ accountId: viewer.accountId, key, request: ['end-coupon', reference, code] }, now, async () => {
    const portfolio = await lockOwnPortfolio(viewer, reference);
    const at = await decisionMoment();
    const { rows } = await sql`
      update coupon set withdrawn_at = coalesce(withdrawn_at, ${at}::timestamptz) where portfolio_id = ${portfolio.id} and code = ${code} returning id
    `.execute(database());
    if (rows.length === 0) throw new Failure('missing', 'This portfolio has no coupon with this code.');
    return listCoupons(viewer, reference);
  });
}
