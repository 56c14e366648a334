import 'server-only';
import { sql } from 'kysely';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import type { Earnings } from '../schema/memberships';

async function ownId(viewer: Viewer, reference: string): Promise<number> {
  const portfolio = await getPortfolio(viewer, reference);
  if (!isOwner(viewer, portfolio)) throw new Failure('forbidden', 'Only the owner of a portfolio sees what it earns.');
  return portfolio.id;
}

const thirtyDays = 30 * 86_400_000;

/** Spec §7: what a portfolio of the viewer's has earned: held, payable and paid out, by month and plan, and who comes and goes. Failure 'missing' as with `getPortfolio`, 'forbidden' for another's. */
export async function getEarnings(viewer: Viewer, reference: string, now: Date): Promise<Earnings> {
  const id = await ownId(viewer, reference);
  const from = new Date(now.getTime() - thirtyDays);
  const balances = await sql<Earnings['balances'][number]>`
    select money_account.currency_id as "currencyId", coalesce(sum(amount_minor) filter (where money_account.kind = 'held'), 0)::float8 as "heldMinor",
      coalesce(sum(amount_minor) filter (where money_account.kind = 'payable'), 0)::float8 as "payableMinor",
      coalesce(-sum(amount_minor) filter (where money_account.kind = 'payouts' and posting.kind = 'paid-out'), 0)::float8 as "paidMinor"
    from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
    where portfolio_id = ${id} group by money_account.currency_id order by 1
  `.execute(database());
  const months = await sql<Earnings['months'][number]>`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month, period, money_account.currency_id as "currencyId",
      count(distinct posting.id) filter (where posting.kind = 'sale')::int as sales,
      coalesce(-sum(posting_line.amount_minor) filter (where posting.kind = 'sale' and money_account.kind = 'clearing'), 0)::float8 as "soldMinor",
      coalesce(sum(full_minor - customer_order.amount_minor) filter (where posting.kind = 'sale' and money_account.kind = 'clearing'), 0)::float8 as "discountMinor",
      coalesce(sum(posting_line.amount_minor) filter (where posting.kind = 'refund' and money_account.kind = 'refunds'), 0)::float8 as "refundedMinor",
      coalesce(sum(posting_line.amount_minor) filter (where posting.kind = 'chargeback' and money_account.kind = 'chargebacks'), 0)::float8 as "chargedBackMinor",
      coalesce(sum(posting_line.amount_minor) filter (where money_account.kind = 'platform'), 0)::float8 as "feeMinor",
      coalesce(sum(posting_line.amount_minor) filter (where money_account.kind in ('held', 'payable') and posting.kind in ('sale', 'refund', 'chargeback')), 0)::float8 as "earnedMinor"
    from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
    join customer_order on customer_order.id = order_id join plan on plan.id = plan_id
    where posting.portfolio_id = ${id} and posting.kind in ('sale', 'refund', 'chargeback') group by 1, 2, 3 order by 1 desc, 2, 3
  `.execute(database());
  const members = await sql<Earnings['members']>`
    select count(*) filter (where starts_at <= ${now} and ends_at > ${now})::int as now, count(*) filter (where starts_at > ${from})::int as new,
      count(*) filter (where ended_at > ${from})::int as left,
      count(*) filter (where ended_at is null and cancelled_at is not null)::int as leaving,
      round(100.0 * count(*) filter (where starts_at <= ${from} and ended_at > ${from})
        / nullif(count(*) filter (where starts_at <= ${from} and (ended_at is null or ended_at > ${from})), 0), 1)::float8 as "churnPercent"
    from membership where portfolio_id = ${id} and plan_id is not null
  `.execute(database());
  const shares = await sql<Earnings['shares'][number]>`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month, money_account.currency_id as "currencyId", sum(posting_line.amount_minor)::float8 as "earnedMinor"
    from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
    where posting.portfolio_id = ${id} and posting.kind in ('share', 'share-back') and money_account.kind = 'payable' group by 1, 2 order by 1 desc, 2
  `.execute(database());
  const promises = await sql<Earnings['promises']>`
    select count(*) filter (where kept)::int as kept, count(*) filter (where not kept)::int as missed
    from guarantee_verdict join customer_order on customer_order.id = order_id where portfolio_id = ${id}
  `.execute(database());
  const [found] = members.rows;
  if (!found) throw new Error('The members were not counted.');
  return {
    balances: balances.rows,
    months: months.rows,
    members: found,
    shares: shares.rows,
    promises: promises.rows[0] ?? { kept: 0, missed: 0 },
  };
}

type Line = {
  at: Date;
  kind: string;
  order: string | null;
  account: string;
  currency: number;
  minor: number;
  coupon: string | null;
  discount: number | null;
};

const pageSize = 1_000;

/** Product §8: every line of the postings of a portfolio of the viewer's as CSV, the oldest first, in minor units. Failure as with `getEarnings`, before the first line. */
export async function exportEarnings(viewer: Viewer, reference: string): Promise<AsyncGenerator<string>> {
  return linesOf(await ownId(viewer, reference));
}

async function* linesOf(id: number): AsyncGenerator<string> {
  yield 'at,kind,order,account,currency_id,amount_minor,coupon,discount_minor\r\n';
  for (let after = 0; ; ) {
    const { rows } = await sql<Line & { id: number }>`
      select posting.id, posting.at, posting.kind, reference as "order", money_account.kind as account, money_account.currency_id as currency, posting_line.amount_minor::float8 as minor,
        case when posting.kind = 'sale' then terms ->> 'coupon' end as coupon, case when posting.kind = 'sale' and money_account.kind = 'clearing' then full_minor - customer_order.amount_minor end as discount
      from (select * from posting where portfolio_id = ${id} and id > ${after} order by id limit ${pageSize}) posting
      join posting_line on posting_id = posting.id join money_account on money_account.id = account_id left join customer_order on customer_order.id = order_id
      order by posting.id, money_account.id
    `.execute(database());
    if (rows.length === 0) return;
    for (const { at, kind, order, account, currency, minor, coupon, discount } of rows)
      yield `${at.toISOString()},${kind},${order ?? ''},${account},${currency},${minor},${coupon ?? ''},${discount ?? ''}\r\n`;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Spec §7: a member of a portfolio of the viewer's, by the membership. Failure 'missing' where there is none, 'forbidden' for another's. */
export async function getMember(viewer: Viewer, reference: string, membership: string) {
  const id = await ownId(viewer, reference);
  const { rows } = await sql<{
    reference: string;
    username: string;
    period: string;
    startsAt: string;
    endsAt: string;
    isRunning: boolean;
  }>`
    select membership.reference, username, period, to_jsonb(starts_at) as "startsAt", to_jsonb(coalesce(membership.ended_at, period_ends_at)) as "endsAt", ended_at is null as "isRunning"
    from membership join account on account.id = account_id join plan on plan.id = plan_id where membership.portfolio_id = ${id} and membership.reference = ${membership}
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'This portfolio has no such membership.');
  const { startsAt, endsAt, ...member } = rows[0];
  return { ...member, startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() };
}
