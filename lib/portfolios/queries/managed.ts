import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import type { ManagedPortfolio, OwnPortfolio } from '../schema/managed';
import { portfolioReferenceSchema } from '../schema/portfolios';
import { getPortfolio, sellsPlans } from './portfolios';

const weekMilliseconds = 7 * 86_400_000;
const keptSeconds = 60;

/** Spec §7: GET /user/portfolio: the portfolios that the viewer manages, the oldest first; weeks are the last and the next seven days. Failure 'unauthorised' for a guest. */
export async function listManagedPortfolios(viewer: Viewer, now: Date): Promise<ManagedPortfolio[]> {
  return readManaged(viewer, sql`true`, now);
}

/** Ours (0071): the same portfolios in the same order, as every page of their owner needs them; whatever changes one drops what is kept of its owner. Failure 'unauthorised' for a guest. */
export async function listOwnPortfolios(viewer: Viewer): Promise<OwnPortfolio[]> {
  requireMember(viewer);
  reads([`account:${viewer.accountId}`], keptSeconds);
  const { rows } = await sql<OwnPortfolio>`
    select reference, name, visibility as type, default_tip_stake_hundredths::float8 / 100 as "defaultTipStake", ${sellsPlans} as sells
    from portfolio where owner_id = ${viewer.accountId} and abandoned_at is null order by id
  `.execute(database());
  return rows;
}

/** Spec §7: GET /user/portfolio/{ref}; Failure 'missing' as with `getPortfolio` and once it was abandoned, 'forbidden' for a portfolio that is not the viewer's. */
export async function getManagedPortfolio(viewer: Viewer, reference: string, now: Date): Promise<ManagedPortfolio> {
  const { id } = await getPortfolio(viewer, reference);
  if (!isOwner(viewer, { id })) throw new Failure('forbidden', 'Only the owner of a portfolio manages it.');
  const [portfolio] = await readManaged(viewer, sql`portfolio.id = ${id}`, now);
  if (!portfolio)
    throw new Failure(
      'missing',
      'This portfolio was abandoned and is managed no longer. Its record stays where it was.',
    );
  return portfolio;
}

/** A portfolio that the viewer has abandoned, by its reference; null when there is none. */
export async function findOwnAbandoned(
  viewer: Viewer,
  reference: string,
): Promise<{ reference: string; name: string } | null> {
  if (viewer.kind === 'guest' || !portfolioReferenceSchema.safeParse(reference).success) return null;
  const { rows } = await sql<{ reference: string; name: string }>`
    select reference, name from portfolio where owner_id = ${viewer.accountId} and reference = ${reference} and abandoned_at is not null
  `.execute(database());
  return rows[0] ?? null;
}

async function readManaged(viewer: Viewer, which: RawBuilder<unknown>, now: Date): Promise<ManagedPortfolio[]> {
  requireMember(viewer);
  const [weekAgo, inAWeek] = [-1, 1].map((weeks) => new Date(now.getTime() + weeks * weekMilliseconds));
  const { rows } = await sql<ManagedPortfolio>`
    select reference, portfolio.id, name, visibility as type, coalesce(popularity.followers, 0) as followers,
      (select count(*)::int from follow where portfolio_id = portfolio.id and created_at > ${weekAgo} and created_at <= ${now}) as "followersThisWeek",
      members.now as "premiumMembers", members.new as "premiumMembersThisWeek", members.leaving as "premiumMembersExpiringThisWeek",
      coalesce((select sum(amount_minor) from payout where portfolio_id = portfolio.id and status = 'paid' and currency_id = (select main_currency_id from portfolio_sale where portfolio_id = portfolio.id)), 0)::float8 as "totalPayout",
      welcome_message as "welcomeMessage", premium_welcome_message as "premiumWelcomeMessage", default_tip_stake_hundredths::float8 / 100 as "defaultTipStake",
      (select coupon.id from coupon where coupon.portfolio_id = portfolio.id and withdrawn_at is null and (ends_at is null or ends_at > ${now})
        and (most_uses is null or most_uses > (select count(*) from customer_order used where used.coupon_id = coupon.id and used.kind = 'first' and used.status in ('open', 'processing', 'paid')))
        order by coupon.id desc limit 1) as "couponId", tipledger_pro as "tipledgerPro", description, picture, demo, ${sellsPlans} as sells
    from portfolio
    left join portfolio_followers popularity on popularity.portfolio_id = portfolio.id
    cross join lateral (
      select count(distinct account_id)::int as now, count(distinct account_id) filter (where starts_at > ${weekAgo})::int as new,
        count(distinct account_id) filter (where ends_at <= ${inAWeek} and (plan_id is null or cancelled_at is not null or past_due_at is not null))::int as leaving
      from membership where portfolio_id = portfolio.id and starts_at <= ${now} and ends_at > ${now}
    ) members
    where owner_id = ${viewer.accountId} and abandoned_at is null and ${which} order by portfolio.id
  `.execute(database());
  return rows;
}
