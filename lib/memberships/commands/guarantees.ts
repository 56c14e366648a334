import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { findOrder, type HeldOrder, recordRefund, sendRefunds } from '@/lib/money/commands';
import { throughAll } from '@/lib/platform/batches';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { hundredthsOf } from '@/lib/stats/rules';
import { readPublished } from '../queries/guarantees';
import { afterPeriods, daysLater } from '../rules/calendar';
import { keepsPromises, periodRecord, periodTip } from '../rules/guarantees';
import type { PlanPeriod, Promises } from '../schema/plans';
import { forgetMembership } from './forget';
import { soldBy } from './sold';
import { tell } from './news';

const batch = 200;
// Ours (0074): tips that are not settled by then are not waited for any more.
const waitDays = 14;

type Promised = {
  orderId: number;
  reference: string;
  membershipId: number;
  accountId: number;
  portfolioId: number;
  period: PlanPeriod;
  periodNumber: number;
  countedFrom: Date;
  promises: Promises;
  isOver: boolean;
  /** Whole, or for the days that were left when the membership ended before its period did: a part that staff gave while it went on keeps the promise, and so does what a guarantee gave. */
  wasGivenBack: boolean;
  next: { reference: string; status: string; amountMinor: number } | null;
};

/**
 * Product §8: judges the periods that were sold with a promise, from the record and once each, when their tips are settled, two weeks after
 * their end at the latest, those of a membership in their order. Where a promise was missed the next period is given back, or, where none follows, the one that missed it. Returns how many it looked at.
 */
export async function judgeGuarantees(now: Date): Promise<number> {
  let given = 0;
  const looked = await throughAll(
    (after) => listUnjudged(after, now),
    (each) =>
      transact(() => judge(each))
        .then((isGiven) => void (given += isGiven ? 1 : 0))
        .catch((error: unknown) =>
          log.error({
            event: 'guarantee_failed',
            order: each.reference,
            message: error instanceof Error ? error.message : String(error),
          }),
        ),
  );
  if (given > 0) await sendRefunds();
  return looked;
}

type Asked = { id: number; reference: string; accountId: number; portfolioId: number; membershipId: number };

const periodsLater = (count: RawBuilder<unknown>) =>
  sql`counted_from + ${count} * case period when 'week' then interval '7 days' when 'month' then interval '1 month' when 'quarter' then interval '3 months' else interval '1 year' end`;

const isUnjudged = (order: RawBuilder<unknown>) =>
  sql`${order}.status = 'paid' and ${order}.amount_minor > 0 and ((${order}.terms ->> 'tipsPromised') is not null or (${order}.terms ->> 'profitOrFree')::bool) and not exists (select from guarantee_verdict where order_id = ${order}.id)`;

// Those after an order: one that waits for its next payment stays among them and must not keep the others from their turn. Those that wait for tips, or for a period before
// them, are left out, since looking at one holds its portfolio.
async function listUnjudged(after: number, now: Date): Promise<Asked[]> {
  const [startsAt, endsAt] = [periodsLater(sql`(period_number - 1)`), periodsLater(sql`period_number`)];
  const { rows } = await sql<Asked>`
    select customer_order.id, customer_order.reference, customer_order.account_id as "accountId", customer_order.portfolio_id as "portfolioId", membership_id as "membershipId"
    from (
      select id from customer_order sold where ${isUnjudged(sql`sold`)} and id > ${after} and not exists (
        select from customer_order before where before.membership_id = sold.membership_id and before.period_number < sold.period_number and ${isUnjudged(sql`before`)})
    ) due join customer_order on customer_order.id = due.id join membership on membership.id = membership_id join plan on plan.id = customer_order.plan_id
    where ${endsAt} <= ${now}
      and (${endsAt} <= ${daysLater(now, -waitDays)} or not exists (select from tip where tip.portfolio_id = customer_order.portfolio_id
        and published_at >= ${startsAt} and published_at < ${endsAt} and not exists (select from tip_settlement where tip_id = tip.id)))
    order by customer_order.id limit ${batch}
  `.execute(database());
  return rows;
}

async function judge({ reference, accountId, portfolioId, membershipId }: Asked): Promise<boolean> {
  await sql`select from account where id = ${accountId} for no key update`.execute(database());
  await sql`select from portfolio where id = ${portfolioId} for update`.execute(database());
  await sql`select from membership where id = ${membershipId} for update`.execute(database());
  const now = await decisionMoment();
  const promised = await findPromised(reference);
  if (!promised) return false;
  const { countedFrom, period, periodNumber, promises, isOver, wasGivenBack, next, orderId } = promised;
  const startsAt = afterPeriods(countedFrom, period, periodNumber - 1);
  const endsAt = afterPeriods(countedFrom, period, periodNumber);
  const record = periodRecord((await readPublished(portfolioId, startsAt, endsAt)).map(periodTip));
  if (endsAt > now || (record.open > 0 && daysLater(endsAt, waitDays) > now)) return false;
  const kept = keepsPromises(promises, record);
  // Whether another period follows is not known before it was charged.
  if (!kept && !wasGivenBack && !isOver && next?.status !== 'paid') return false;
  const back = kept || wasGivenBack ? null : await findOrder(next?.status === 'paid' ? next.reference : reference);
  const because =
    promises.tipsPromised !== null && record.tips < promises.tipsPromised
      ? `${record.tips} of ${promises.tipsPromised} promised tips were settled.`
      : 'The period shows no profit at followers’ prices.';
  const amountMinor = back?.payment.status === 'succeeded' ? await giveBack(back, because, now) : 0;
  await sql`
    insert into guarantee_verdict (order_id, tips, profit_hundredths, kept, refunded_payment_id, at)
    values (${orderId}, ${record.tips}, ${Number(hundredthsOf(record.profitMicrounits))}, ${kept}, ${amountMinor > 0 ? back?.payment.id : null}, ${now})
  `.execute(database());
  if (amountMinor === 0) return false;
  await tell(membershipId, { what: 'guarantee', amountMinor, because, order: back?.reference ?? reference }, now);
  await forgetMembership({ accountId, portfolioId });
  return true;
}

// What staff gave back of it before is not given twice, nor told.
async function giveBack(order: HeldOrder, because: string, now: Date): Promise<number> {
  const { sale, details } = await soldBy(order);
  return recordRefund(sale, { amountMinor: order.amountMinor, because, details }, now);
}

async function findPromised(reference: string): Promise<Promised | null> {
  const { rows } = await sql<Promised>`
    select own.id as "orderId", own.reference, membership.id as "membershipId", own.account_id as "accountId", own.portfolio_id as "portfolioId", period, own.period_number as "periodNumber",
      counted_from as "countedFrom", membership.ended_at is not null as "isOver",
      jsonb_build_object('tipsPromised', (own.terms ->> 'tipsPromised')::int, 'profitOrFree', coalesce((own.terms ->> 'profitOrFree')::bool, false)) as promises,
      given.minor >= own.amount_minor or (given.minor > 0 and membership.ended_at < ${periodsLater(sql`own.period_number`)}) as "wasGivenBack",
      (select jsonb_build_object('reference', next.reference, 'status', next.status, 'amountMinor', next.amount_minor) from customer_order next
        where next.membership_id = membership.id and next.period_number > own.period_number order by next.period_number, next.id desc limit 1) as next
    from customer_order own join membership on membership.id = own.membership_id join plan on plan.id = own.plan_id
    cross join lateral (
      select coalesce(sum(refund.amount_minor), 0)::int as minor from refund join payment on payment.id = payment_id where order_id = own.id and not exists (
        select from guarantee_verdict verdict join customer_order judged on judged.id = verdict.order_id where judged.membership_id = membership.id and refunded_payment_id = payment.id)
    ) given
    where own.reference = ${reference} and not exists (select from guarantee_verdict where order_id = own.id)
  `.execute(database());
  return rows[0] ?? null;
}
