import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { readPayouts } from '@/lib/money/queries';
import type { MoneyCurrencyId, OwnPayout } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import type { EarningBalance, EarningPosting, Earnings } from '../schema/memberships';
import type { PlanPeriod } from '../schema/plans';

async function ownId(viewer: Viewer, reference: string): Promise<{ id: number; owner: number }> {
  const portfolio = await getPortfolio(viewer, reference);
  if (viewer.kind === 'guest' || !isOwner(viewer, portfolio))
    throw new Failure('forbidden', 'Only the owner of a portfolio sees what it earns.');
  return { id: portfolio.id, owner: viewer.accountId };
}

const thirtyDays = 30 * 86_400_000;

async function readBalances(portfolioIds: readonly number[]): Promise<(EarningBalance & { portfolioId: number })[]> {
  const { rows } = await sql<EarningBalance & { portfolioId: number }>`
    select portfolio_id as "portfolioId", money_account.currency_id as "currencyId", coalesce(sum(amount_minor) filter (where money_account.kind = 'held'), 0)::float8 as "heldMinor",
      coalesce(sum(amount_minor) filter (where money_account.kind = 'payable'), 0)::float8 as "payableMinor",
      coalesce(sum(amount_minor) filter (where money_account.kind = 'payouts'), 0)::float8 as "onTheWayMinor",
      coalesce(-sum(amount_minor) filter (where money_account.kind = 'payouts' and posting.kind = 'paid-out'), 0)::float8 as "paidMinor"
    from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
    where portfolio_id = any(${[...portfolioIds]}::int[]) group by portfolio_id, money_account.currency_id order by 1, 2
  `.execute(database());
  return rows;
}

// What affiliates and providers take is the site's to pay, and so booked without the portfolio; its orders lead to it.
const asideKinds = sql`('affiliate', 'affiliate-back', 'fee')`;

// A fee that its provider told of later stands with the sale that it is of.
const monthOf = sql`
  to_char(case when posting.kind = 'fee' then coalesce((select min(sale.at) from posting sale where sale.order_id = posting.order_id and sale.kind = 'sale'), posting.at) else posting.at end at time zone 'UTC', 'YYYY-MM')`;

const [postingsOfRow, postingsOfAll] = [20, 400];

type RowPosting = Omit<EarningPosting, 'at'> & {
  at: Date;
  month: string;
  period: PlanPeriod | null;
  currencyId: MoneyCurrencyId;
  all: number;
};

const postingsOfPlans = (id: number) => sql`
  select posting.id, posting.at, posting.kind, customer_order.reference, customer_order.currency_id, period, ${monthOf} as month
  from customer_order join plan on plan.id = plan_id join posting on order_id = customer_order.id
  where customer_order.portfolio_id = ${id} and (posting.kind in ('sale', 'refund', 'chargeback') or posting.kind in ${asideKinds})`;

const postingsOfShares = (id: number) => sql`
  select posting.id, posting.at, posting.kind, customer_order.reference, customer_order.currency_id, null::text as period, to_char(posting.at at time zone 'UTC', 'YYYY-MM') as month
  from posting join customer_order on customer_order.id = order_id where posting.portfolio_id = ${id} and posting.kind in ('share', 'share-back')`;

/** The newest of postings by their rows of a portfolio's earnings, so many of each and of all, and of each row at least the newest, which tells how many it has. */
async function readPostings(from: RawBuilder<unknown>): Promise<RowPosting[]> {
  const { rows } = await sql<RowPosting>`
    select posting.at, posting.kind, posting.reference as "order", month, period, posting.currency_id as "currencyId", "all"::int as "all",
      (select jsonb_agg(jsonb_build_object('account', money_account.kind, 'currencyId', money_account.currency_id, 'amountMinor', amount_minor) order by money_account.id)
        from posting_line join money_account on money_account.id = account_id where posting_id = posting.id) as lines
    from (
      select *, row_number() over (order by month desc, id desc) as newest from (
      select *, row_number() over (partition by month, period, currency_id order by id desc) as place, count(*) over (partition by month, period, currency_id) as "all" from (
        ${from}
      ) each) counted where place <= ${postingsOfRow}
    ) posting where newest <= ${postingsOfAll} or place = 1 order by month desc, posting.id desc
  `.execute(database());
  return rows;
}

type EarningRow = { month: string; period?: PlanPeriod | null; currencyId: number };

const rowOf = ({ month, period = null, currencyId }: EarningRow) => `${month} ${period} ${currencyId}`;

/** A row of the earnings with the newest of the postings behind it. */
function withPostings<Of extends EarningRow>(row: Of, postings: readonly RowPosting[]) {
  const own = postings.filter((posting) => rowOf(posting) === rowOf(row));
  return {
    ...row,
    postings: own.map(({ at, kind, order, lines }) => ({ at: at.toISOString(), kind, order, lines })),
    morePostings: (own[0]?.all ?? 0) - own.length,
  };
}

/** Spec §7: what a portfolio of the viewer's has earned: held, payable, on the way and paid out, by month and plan, and by month of Pro, down to the postings, and who comes and goes; a closed one too. Failure 'missing' as with `getPortfolio`, 'forbidden' for another's. */
export async function getEarnings(viewer: Viewer, reference: string, now: Date): Promise<Earnings> {
  const { id, owner } = await ownId(viewer, reference);
  const from = new Date(now.getTime() - thirtyDays);
  const balances = await readBalances([id]);
  const payouts = await readPayouts(owner, [id]);
  const months = await sql<Omit<Earnings['months'][number], 'postings' | 'morePostings'>>`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month, period, money_account.currency_id as "currencyId",
      count(distinct posting.id) filter (where posting.kind = 'sale')::int as sales,
      coalesce(-sum(posting_line.amount_minor) filter (where posting.kind = 'sale' and money_account.kind = 'clearing'), 0)::float8 as "soldMinor",
      coalesce(sum(full_minor - customer_order.amount_minor) filter (where posting.kind = 'sale' and money_account.kind = 'clearing'), 0)::float8 as "discountMinor",
      coalesce(sum(posting_line.amount_minor) filter (where posting.kind = 'refund' and money_account.kind = 'refunds'), 0)::float8 as "refundedMinor",
      coalesce(sum(posting_line.amount_minor) filter (where posting.kind = 'chargeback' and money_account.kind = 'chargebacks'), 0)::float8 as "chargedBackMinor",
      coalesce(sum(posting_line.amount_minor) filter (where money_account.kind = 'platform' and posting.kind in ('sale', 'refund', 'chargeback')), 0)::float8 as "feeMinor",
      coalesce(sum(posting_line.amount_minor) filter (where money_account.kind in ('affiliate-held', 'affiliate-payable')), 0)::float8 as "affiliateMinor",
      coalesce(sum(posting_line.amount_minor) filter (where money_account.kind in ('held', 'payable') and posting.kind in ('sale', 'refund', 'chargeback')), 0)::float8 as "earnedMinor"
    from customer_order join plan on plan.id = plan_id join posting on order_id = customer_order.id
    join posting_line on posting_id = posting.id join money_account on money_account.id = posting_line.account_id
    where customer_order.portfolio_id = ${id} and posting.kind in ('sale', 'refund', 'chargeback', 'affiliate', 'affiliate-back') group by 1, 2, 3 order by 1 desc, 2, 3
  `.execute(database());
  const postings = await readPostings(postingsOfPlans(id));
  const members = await sql<Earnings['members']>`
    select count(*) filter (where starts_at <= ${now} and ends_at > ${now})::int as now, count(*) filter (where starts_at > ${from})::int as new,
      count(*) filter (where ended_at > ${from})::int as left,
      count(*) filter (where ended_at is null and cancelled_at is not null)::int as leaving,
      round(100.0 * count(*) filter (where starts_at <= ${from} and ended_at > ${from})
        / nullif(count(*) filter (where starts_at <= ${from} and (ended_at is null or ended_at > ${from})), 0), 1)::float8 as "churnPercent"
    from membership where portfolio_id = ${id} and plan_id is not null
  `.execute(database());
  const shares = await sql<Omit<Earnings['shares'][number], 'postings' | 'morePostings'>>`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month, money_account.currency_id as "currencyId", sum(posting_line.amount_minor)::float8 as "earnedMinor"
    from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
    where posting.portfolio_id = ${id} and posting.kind in ('share', 'share-back') and money_account.kind = 'payable' group by 1, 2 order by 1 desc, 2
  `.execute(database());
  const sharePostings = await readPostings(postingsOfShares(id));
  const promises = await sql<Earnings['promises']>`
    select count(*) filter (where kept)::int as kept, count(*) filter (where not kept)::int as missed
    from guarantee_verdict join customer_order on customer_order.id = order_id where portfolio_id = ${id}
  `.execute(database());
  const [found] = members.rows;
  if (!found) throw new Error('The members were not counted.');
  return {
    balances: balances.map(({ portfolioId: _, ...balance }) => balance),
    payouts: payouts.map(({ portfolioId: _, ...payout }) => payout),
    months: months.rows.map((month) => withPostings(month, postings)),
    members: found,
    shares: shares.rows.map((share) => withPostings(share, sharePostings)),
    promises: promises.rows[0] ?? { kept: 0, missed: 0 },
  };
}

/** Product §8: what the viewer has earned with a portfolio of theirs and has neither been paid nor asked for, by currency in minor units; empty where that is nothing. Failure as with `getEarnings`. */
export async function listUnpaidOf(
  viewer: Viewer,
  reference: string,
): Promise<{ currencyId: MoneyCurrencyId; amountMinor: number }[]> {
  const { id } = await ownId(viewer, reference);
  return (await readBalances([id])).flatMap(({ currencyId, heldMinor, payableMinor }) =>
    heldMinor + payableMinor > 0 ? [{ currencyId, amountMinor: heldMinor + payableMinor }] : [],
  );
}

/** A closed portfolio that is still owed something, or was paid out to. */
export type ClosedEarnings = { reference: string; name: string; balances: EarningBalance[]; payouts: OwnPayout[] };

/** Product §8: what is owed and was paid to the viewer for portfolios that are closed, the oldest first; those of which neither is true are left out. Failure 'unauthorised' for a guest. */
export async function listClosedEarnings(viewer: Viewer): Promise<ClosedEarnings[]> {
  requireMember(viewer);
  const { rows } = await sql<{ id: number; reference: string; name: string }>`
    select id, reference, name from portfolio where owner_id = ${viewer.accountId} and abandoned_at is not null order by id
  `.execute(database());
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [balances, payouts] = [await readBalances(ids), await readPayouts(viewer.accountId, ids)];
  return rows.flatMap(({ id, ...portfolio }) => {
    const own = {
      ...portfolio,
      balances: balances.flatMap(({ portfolioId, ...balance }) => (portfolioId === id ? [balance] : [])),
      payouts: payouts.flatMap(({ portfolioId, ...payout }) => (portfolioId === id ? [payout] : [])),
    };
    const isOwed = own.balances.some(
      ({ heldMinor, payableMinor, onTheWayMinor }) => heldMinor !== 0 || payableMinor !== 0 || onTheWayMinor !== 0,
    );
    return isOwed || own.payouts.length > 0 ? [own] : [];
  });
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

/** Product §8: every line of the postings of a portfolio of the viewer's, with those of its affiliates and providers, as CSV, the oldest first, in minor units. Failure as with `getEarnings`, before the first line. */
export async function exportEarnings(viewer: Viewer, reference: string): Promise<AsyncGenerator<string>> {
  return linesOf((await ownId(viewer, reference)).id);
}

async function* linesOf(id: number): AsyncGenerator<string> {
  yield 'at,kind,order,account,currency_id,amount_minor,coupon,discount_minor\r\n';
  for (let after = 0; ; ) {
    const { rows } = await sql<Line & { id: number }>`
      select posting.id, posting.at, posting.kind, reference as "order", money_account.kind as account, money_account.currency_id as currency, posting_line.amount_minor::float8 as minor,
        case when posting.kind = 'sale' then terms ->> 'coupon' end as coupon, case when posting.kind = 'sale' and money_account.kind = 'clearing' then full_minor - customer_order.amount_minor end as discount
      from (
        select * from (
          (select * from posting where portfolio_id = ${id} and id > ${after} order by id limit ${pageSize})
          union all
          (select posting.* from customer_order aside join posting on order_id = aside.id
            where aside.portfolio_id = ${id} and posting.kind in ${asideKinds} and posting.id > ${after} order by posting.id limit ${pageSize})
        ) both_kinds order by id limit ${pageSize}
      ) posting
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
  const { id } = await ownId(viewer, reference);
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
