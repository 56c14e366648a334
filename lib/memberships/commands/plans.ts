import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { arrayOf, database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { lockOwnPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { couponColumns } from '../queries/memberships';
import { getOwnPlans, ofSeller } from '../queries/plans';
import { daysLater, paymentFrom, priceNoticeDays } from '../rules/calendar';
import { type Charged, risenCharge } from '../rules/coupons';
import { type OwnPlans, type PlanPeriod, type PlansInput, plansInputSchema } from '../schema/plans';
import { type News, tellAll, type Told, toldColumns } from './news';

/**
 * Product §8: sets what the viewer's portfolio sells. A plan that is left out is taken off sale; whoever has it keeps it. A lower price holds for
 * members from their next period on, a higher one from the first period that begins in 30 days or later. Failure 'missing', 'forbidden', 'invalid', 'conflict'.
 */
export async function setPlans(
  viewer: Viewer,
  reference: string,
  given: PlansInput,
  key: string | undefined,
  now: Date,
): Promise<OwnPlans> {
  const input = plansInputSchema.parse(given);
  requireMember(viewer);
  return once({ accountId: viewer.accountId, key, request: ['set-plans', reference, input] }, now, async () => {
    const portfolio = await lockOwnPortfolio(viewer, reference);
    if (portfolio.type === PortfolioVisibility.personal)
      throw new Failure('invalid', 'A personal portfolio has no members: create another one for the public.');
    const at = await decisionMoment();
    const { mainCurrencyId, trialDays, memberLimit, plans } = input;
    await sql`
      insert into portfolio_sale (portfolio_id, main_currency_id, trial_days, member_limit, changed_at) values (${portfolio.id}, ${mainCurrencyId}, ${trialDays}, ${memberLimit}, ${at})
      on conflict (portfolio_id) do update set main_currency_id = excluded.main_currency_id, trial_days = excluded.trial_days, member_limit = excluded.member_limit, changed_at = excluded.changed_at
    `.execute(database());
    await sql`
      insert into plan (portfolio_id, period, on_sale, tips_promised, profit_or_free, created_at)
      select ${portfolio.id}, period, on_sale, tips_promised, profit_or_free, ${at} from unnest(${plans.map(({ period }) => period)}::text[], ${arrayOf(plans.map(({ onSale }) => String(onSale)))}::bool[],
        ${arrayOf(plans.map(({ tipsPromised }) => tipsPromised))}::smallint[], ${arrayOf(plans.map(({ profitOrFree }) => String(profitOrFree)))}::bool[]) given (period, on_sale, tips_promised, profit_or_free)
      on conflict (portfolio_id, period) do update set on_sale = excluded.on_sale, tips_promised = excluded.tips_promised, profit_or_free = excluded.profit_or_free
    `.execute(database());
    await sql`update plan set on_sale = false where portfolio_id = ${portfolio.id} and on_sale and period <> all(${plans.map(({ period }) => period)}::text[])`.execute(
      database(),
    );
    const prices = plans.flatMap(({ period, prices: each }) => each.map((price) => ({ period, ...price })));
    const columns = sql`${prices.map(({ period }) => period)}::text[], ${arrayOf(prices.map(({ currencyId }) => currencyId))}::smallint[], ${arrayOf(prices.map(({ amountMinor }) => amountMinor))}::int[]`;
    await sql`
      delete from plan_price using plan where plan.id = plan_id and portfolio_id = ${portfolio.id}
        and not exists (select from unnest(${columns}) given (period, currency_id, amount_minor) where given.period = plan.period and given.currency_id = plan_price.currency_id)
    `.execute(database());
    await sql`
      insert into plan_price (plan_id, currency_id, amount_minor)
      select plan.id, currency_id, amount_minor from unnest(${columns}) given (period, currency_id, amount_minor) join plan on plan.period = given.period and portfolio_id = ${portfolio.id}
      on conflict (plan_id, currency_id) do update set amount_minor = excluded.amount_minor where plan_price.amount_minor <> excluded.amount_minor
    `.execute(database());
    await followPrices(portfolio.id, at);
    await forget(['pro', 'standings', `portfolio:${reference}`, `account:${viewer.accountId}`]);
    return getOwnPlans(viewer, reference);
  });
}

/** Takes a change of prices to the memberships of a portfolio, or of Pro: a lower one at once, a higher one with notice, of which each member is told whom it would charge more, in their own amounts. Gives how many those are. */
export async function followPrices(portfolioId: number | null, now: Date): Promise<number> {
  const dearer = await takePrices(ofSeller(portfolioId), now);
  await tellAll(dearer, now);
  return dearer.length;
}

/** The same for one membership that begins by an order of before the change, or is kept after it was cancelled before the change; gives what its member is to be told. */
export async function followPrice(membershipId: number, now: Date): Promise<Dearer[]> {
  return takePrices(sql`membership.id = ${membershipId}`, now);
}

type Dearer = { told: Told; news: News };

type Followed = Told &
  Omit<Charged, 'toMinor'> & {
    period: PlanPeriod;
    countedFrom: Date;
    periods: number;
    payments: number;
    toMinor: number | null;
    from: Date;
  };

async function takePrices(of: RawBuilder<unknown>, now: Date): Promise<Dearer[]> {
  const { rows } = await sql<Followed>`
    update membership set
      amount_minor = least(membership.amount_minor, price.amount_minor),
      next_amount_minor = case when price.amount_minor > membership.amount_minor then price.amount_minor end,
      next_amount_from = case when price.amount_minor > membership.amount_minor then
        case when next_amount_minor = price.amount_minor then next_amount_from else ${daysLater(now, priceNoticeDays)}::timestamptz end end
    from plan_price price
    where price.plan_id = membership.plan_id and price.currency_id = membership.currency_id and ${of} and ended_at is null
      and coalesce(next_amount_minor, membership.amount_minor) <> price.amount_minor
      -- What is cancelled renews at no price: a higher one is told, and counts from then on, where it is kept after all.
      and (cancelled_at is null or price.amount_minor <= membership.amount_minor)
    returning ${toldColumns}, membership.amount_minor as "fromMinor", next_amount_minor as "toMinor", next_amount_from as "from",
      (select period from plan where plan.id = membership.plan_id) as period, counted_from as "countedFrom", membership.periods, ${couponColumns}
  `.execute(database());
  return rows.flatMap((row) => {
    const { toMinor, from } = row;
    if (toMinor === null) return [];
    const rise = risenCharge({ ...row, toMinor }, paymentFrom(from, row));
    return rise ? [{ told: row, news: { what: 'price' as const, ...rise, from: from.toISOString() } }] : [];
  });
}
