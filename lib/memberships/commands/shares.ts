import 'server-only';
import { sql } from 'kysely';
import { post } from '@/lib/money/commands';
import { coolingOffDays } from '@/lib/money/rules';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { throughEach } from '@/lib/platform/batches';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { afterPeriods, daysLater } from '../rules/calendar';
import { inProportion, shareByDays, shareUntil, type TeamDays } from '../rules/pro';
import type { PlanPeriod } from '../schema/plans';

type Sold = {
  paymentId: number;
  orderId: number;
  accountId: number;
  currencyId: MoneyCurrencyId;
  poolMinor: number;
  leftMinor: number;
  period: PlanPeriod;
  periodNumber: number;
  countedFrom: Date;
  endedAt: Date | null;
  sharedUntil: Date | null;
};

const batch = 200;

/**
 * Product §8: shares what the teams of Pro earned by days, each payment once for each time: every thirty days once cooling-off is over, the rest
 * when its period or the membership is over. Nobody is in the team the whole time: the platform keeps it. Returns how many payments it looked at.
 */
export async function shareProEarnings(now: Date): Promise<number> {
  try {
    return await throughEach(
      (after) => listUnshared(after, now),
      ({ id, accountId }) => transact(() => shareOne(id, accountId)),
      ({ id }, error) => log.error({ event: 'sharing_failed', payment: id, err: error }),
    );
  } finally {
    await sql`delete from earning_due where kind = 'pro' and ${leftOf(sql`earning_due.payment_id`)} <= 0`.execute(
      database(),
    );
  }
}

type Unshared = { id: number; accountId: number };

// Those after a payment: what has no share due yet, or nobody in its team, stays among them and must not keep the others from their turn.
async function listUnshared(after: number, now: Date): Promise<Unshared[]> {
  const { rows } = await sql<Unshared>`
    select due.payment_id as id, customer_order.account_id as "accountId"
    from (select distinct payment_id from earning_due where kind = 'pro' and payment_id > ${after}) due
    cross join lateral (select at, order_id, portfolio_id from posting where payment_id = due.payment_id and kind = 'sale' limit 1) sale
    join customer_order on customer_order.id = sale.order_id join membership on membership.id = membership_id
    where sale.portfolio_id is null and customer_order.portfolio_id is null
      and (sale.at <= ${daysLater(now, -coolingOffDays)} or membership.ended_at <= ${now}) and ${leftOf(sql`due.payment_id`)} > 0
    order by 1 limit ${batch}
  `.execute(database());
  return rows;
}

const leftOf = (payment: ReturnType<typeof sql>) => sql`
  (select coalesce(sum(amount_minor), 0)::int from posting about join posting_line on posting_id = about.id join money_account on money_account.id = posting_line.account_id
    where about.payment_id = ${payment} and money_account.kind = 'pro')`;

async function shareOne(paymentId: number, accountId: number): Promise<void> {
  // A refund of it, and a change of the team, are decided under the same lock.
  await sql`select from account where id = ${accountId} for no key update`.execute(database());
  const now = await decisionMoment();
  const sold = await findSold(paymentId);
  if (!sold || sold.leftMinor <= 0) return;
  const { countedFrom, period, periodNumber, endedAt, sharedUntil, poolMinor, leftMinor } = sold;
  const [startsAt, endsAt] = [periodNumber - 1, periodNumber].map((count) => afterPeriods(countedFrom, period, count));
  if (!startsAt || !endsAt) return;
  const since = sharedUntil ?? startsAt;
  const { until, isLast } = shareUntil({ startsAt, endsAt, endedAt }, now);
  if (until <= since) return;
  const earned = (poolMinor * (until.getTime() - startsAt.getTime())) / (endsAt.getTime() - startsAt.getTime());
  const amountMinor = isLast ? leftMinor : Math.min(leftMinor, Math.floor(earned) - (poolMinor - leftMinor));
  const team = await listTeamDays(accountId, since, until);
  if (amountMinor <= 0 || (team.length === 0 && !isLast)) return;
  await sql`insert into pro_share (payment_id, since, until, amount_minor) values (${paymentId}, ${since}, ${until}, ${amountMinor})`.execute(
    database(),
  );
  const about = { kind: 'share' as const, currencyId: sold.currencyId, orderId: sold.orderId, paymentId };
  const key = `share:${paymentId}:${until.toISOString()}`;
  if (team.length === 0)
    return post(
      { ...about, key: `${key}:none` },
      [
        { owner: null, kind: 'pro', amountMinor: -amountMinor },
        { owner: null, kind: 'platform', amountMinor },
      ],
      now,
    );
  for (const part of shareByDays(amountMinor, team))
    await post(
      { ...about, key: `${key}:${part.portfolioId}`, portfolioId: part.portfolioId },
      [
        { owner: null, kind: 'pro', amountMinor: -part.amountMinor },
        { owner: part.owner, kind: 'payable', amountMinor: part.amountMinor },
      ],
      now,
    );
}

async function findSold(paymentId: number): Promise<Sold | null> {
  const { rows } = await sql<Sold>`
    select payment.id as "paymentId", order_id as "orderId", customer_order.account_id as "accountId", customer_order.currency_id as "currencyId", ${leftOf(sql`payment.id`)} as "leftMinor",
      (select posting_line.amount_minor::int from posting join posting_line on posting_id = posting.id join money_account on money_account.id = posting_line.account_id
        where posting.key = 'sale:' || payment.id and money_account.kind = 'pro') as "poolMinor",
      period, period_number as "periodNumber", counted_from as "countedFrom", ended_at as "endedAt",
      (select max(until) from pro_share where payment_id = payment.id) as "sharedUntil"
    from payment join customer_order on customer_order.id = order_id join membership on membership.id = membership_id join plan on plan.id = customer_order.plan_id
    where payment.id = ${paymentId}
  `.execute(database());
  return rows[0] ?? null;
}

/** Which portfolios were in a member's team for how long of a time; one that left Pro or was closed counts until then. */
async function listTeamDays(accountId: number, since: Date, until: Date): Promise<TeamDays[]> {
  const { rows } = await sql<TeamDays>`
    select portfolio_id as "portfolioId", owner_id as owner, sum(seconds)::float8 as seconds
    from pro_team join portfolio on portfolio.id = portfolio_id
    cross join lateral (select extract(epoch from least(coalesce(left_at, ${until}), coalesce(abandoned_at, ${until}), ${until}) - greatest(joined_at, ${since})) as seconds) stay
    where pro_team.account_id = ${accountId} and seconds > 0 group by portfolio_id, owner_id order by portfolio_id
  `.execute(database());
  return rows;
}

/**
 * Product §8: covers what a refund or a chargeback of a payment for Pro took beyond what was still to be shared: those who were given a share give
 * it back in proportion, and may owe it. Nothing where enough is left. Belongs into the transaction that books the refund or the chargeback.
 */
export async function takeBackShares(paymentId: number, now: Date): Promise<void> {
  const { rows: left } = await sql<{ minor: number }>`select ${leftOf(sql`${paymentId}::int`)} as minor`.execute(
    database(),
  );
  const missing = -(left[0]?.minor ?? 0);
  if (missing <= 0) return;
  const { rows } = await sql<Shared>`
    select money_account.owner_id as owner, portfolio_id as "portfolioId", order_id as "orderId", money_account.currency_id as "currencyId", sum(amount_minor)::int as "amountMinor",
      (count(*) filter (where posting.kind = 'share-back'))::int as "takenBefore"
    from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
    where payment_id = ${paymentId} and posting.kind in ('share', 'share-back') and money_account.kind <> 'pro' group by 1, 2, 3, 4 order by 2
  `.execute(database());
  for (const { amountMinor, ...shared } of inProportion(missing, rows)) {
    const { owner, portfolioId, orderId, currencyId, takenBefore } = shared;
    await post(
      {
        key: `share-back:${paymentId}:${portfolioId ?? 'none'}:${takenBefore}`,
        kind: 'share-back',
        currencyId,
        orderId,
        paymentId,
        portfolioId,
      },
      [
        { owner, kind: owner === null ? 'platform' : 'payable', amountMinor: -amountMinor },
        { owner: null, kind: 'pro', amountMinor },
      ],
      now,
    );
  }
}

type Shared = {
  owner: number | null;
  portfolioId: number | null;
  orderId: number;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
  takenBefore: number;
};
