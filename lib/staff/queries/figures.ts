import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { mailGivenUp } from '@/lib/platform/mail';
import type { CurrencyId } from '@/lib/reference/schema';
import { refuseUnlessStaff } from './log';

/** How many of what wait for a person now. */
export type Waiting = {
  payouts: number;
  disputes: number;
  differences: number;
  overdueFixtures: number;
  setAsideTips: number;
  setAsideBets: number;
  stuckMails: number;
  findings: number;
};

const overdueHours = 24;
const disputeDays = 30;

/** Product §11: what needs a person now, counted; fixtures whose result has been asked for more than a day, chargebacks of 30 days. Failure 'unauthorised' or 'forbidden' for whoever is not staff. */
export async function countWaiting(viewer: Viewer, now: Date): Promise<Waiting> {
  refuseUnlessStaff(viewer);
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const { rows } = await sql<Waiting>`
    select (select count(*)::int from payout where status = 'asked') as payouts,
      (select count(*)::int from payment where status = 'disputed' and changed_at > ${ago(24 * disputeDays)}) as disputes,
      (select count(*)::int from money_difference where closed_at is null) as differences,
      (select count(*)::int from fixture where status in ('pending', 'retry') and starts_at < ${ago(overdueHours)}) as "overdueFixtures",
      (select count(*)::int from open_tip where failure is not null) as "setAsideTips",
      (select count(*)::int from bet where failure is not null) as "setAsideBets",
      (select count(*)::int from mail_outbox where failure is not null and failure <> ${mailGivenUp}) as "stuckMails",
      (select count(*)::int from audit_finding join audit_progress using (part) where audit_finding.pass_at >= audit_progress.last_pass_at) as findings
  `.execute(database());
  if (!rows[0]) throw new Error('Nothing was counted.');
  return rows[0];
}

/** A day of the site: what came about on it, and money by currency in minor units. */
export type SiteDay = {
  day: string;
  pageViews: number;
  signUps: number;
  tips: number;
  memberships: number;
  turnover: Readonly<Record<string, number>>;
  refunds: Readonly<Record<string, number>>;
};

/** Product §11: the figures of the site day by day (UTC), the last so many days with today, from its own tables; without the demo world's people. Failure 'unauthorised' or 'forbidden' for whoever is not staff. */
export async function listSiteDays(viewer: Viewer, { days, now }: { days: number; now: Date }): Promise<SiteDay[]> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<SiteDay>`
    with day as (
      select first, first + interval '1 day' as last from generate_series(date_trunc('day', ${now}::timestamptz, 'UTC') - ${days - 1} * interval '1 day', date_trunc('day', ${now}::timestamptz, 'UTC'), interval '1 day') first
    )
    select to_char(first at time zone 'UTC', 'YYYY-MM-DD') as day,
      coalesce((select sum(views)::float8 from page_view where day = (first at time zone 'UTC')::date), 0) as "pageViews",
      (select count(*)::int from account where not demo and created_at >= first and created_at < last) as "signUps",
      (select count(*)::int from tip join portfolio on portfolio.id = portfolio_id where not demo and published_at >= first and published_at < last) as tips,
      (select count(*)::int from membership join account on account.id = account_id where not demo and plan_id is not null and starts_at >= first and starts_at < last) as memberships,
      (select coalesce(jsonb_object_agg(currency_id, amount), '{}') from (
        select currency_id, sum(customer_order.amount_minor) as amount from customer_order join account on account.id = account_id
        where not demo and status = 'paid' and customer_order.amount_minor > 0 and changed_at >= first and changed_at < last group by currency_id) paid) as turnover,
      (select coalesce(jsonb_object_agg(currency_id, amount), '{}') from (
        select payment.currency_id, sum(refund.amount_minor) as amount from refund join payment on payment.id = payment_id join customer_order on customer_order.id = order_id join account on account.id = account_id
        where not demo and refund.created_at >= first and refund.created_at < last group by payment.currency_id) given) as refunds
    from day order by first
  `.execute(database());
  return rows;
}

/** The currencies that days of the site have money in. */
export function currenciesOf(days: readonly SiteDay[]): CurrencyId[] {
  const ids = days.flatMap(({ turnover, refunds }) => [...Object.keys(turnover), ...Object.keys(refunds)]);
  return [...new Set(ids)].map((id) => Number(id) as CurrencyId).sort((a, b) => a - b);
}
