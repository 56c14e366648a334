import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { isOutOfUse, listReceipts } from '@/lib/money/queries';
import { findPauseEnd } from '@/lib/pauses/queries';
import { database } from '@/lib/platform/database';
import { type CoolingOff, refundNow } from '../rules/cooling-off';
import { afterCoupon, discounted, type CouponTerms } from '../rules/coupons';
import { renewalPrice } from '../rules/plans';
import { proName } from '../rules/pro';
import { stateOf } from '../rules/states';
import type { Memberships, MembershipView } from '../schema/memberships';
import type { PlanPeriod } from '../schema/plans';

type Row = Pick<MembershipView, 'reference' | 'portfolioReference' | 'name' | 'demo' | 'currencyId'> & {
  period: PlanPeriod | null;
  startsAt: Date;
  endsAt: Date;
  payments: number;
  amountMinor: number | null;
  nextAmountMinor: number | null;
  nextAmountFrom: Date | null;
  periodEndsAt: Date | null;
  trialEndsAt: Date | null;
  cancelledAt: Date | null;
  pastDueAt: Date | null;
  endedAt: Date | null;
  because: string | null;
  coupon: CouponTerms | null;
  isCouponCurrency: boolean;
  card: MembershipView['card'];
  cardBy: string | null;
  isMadeUp: boolean;
  promised: MembershipView['promised'];
  verdict: MembershipView['verdict'];
  cooling: CoolingOff | null;
};

/** The coupon that a membership has kept, with its id, whether it is in the currency of the membership, and of how many payments it can have taken something off, as columns of a statement. */
export const couponColumns = sql`
  coalesce(membership.currency_id = (select coupon.currency_id from coupon where coupon.id = membership.coupon_id), false) as "isCouponCurrency",
  (select count(*)::int from customer_order paid where paid.membership_id = membership.id and status = 'paid' and period_number > 0) as payments,
  (select jsonb_build_object('id', coupon.id, 'code', code, 'percent', percent, 'amountMinor', coupon.amount_minor, 'periods', coupon.periods) from coupon where coupon.id = membership.coupon_id) as coupon`;

/** Product §8: the memberships of the viewer, those that run and those that ended, with all receipts. Failure 'unauthorised' for a guest. */
export async function listMemberships(viewer: Viewer, now: Date): Promise<Memberships> {
  requireMember(viewer);
  const { rows } = await sql<Row>`
    select membership.reference, portfolio.reference as "portfolioReference", coalesce(portfolio.name, ${proName}) as name, coalesce(portfolio.demo, false) as demo, period, membership.currency_id as "currencyId", membership.starts_at as "startsAt",
      membership.ends_at as "endsAt", membership.amount_minor as "amountMinor", next_amount_minor as "nextAmountMinor", next_amount_from as "nextAmountFrom",
      period_ends_at as "periodEndsAt", trial_ends_at as "trialEndsAt", cancelled_at as "cancelledAt", past_due_at as "pastDueAt", membership.ended_at as "endedAt", ended_because as because,
      (select jsonb_build_object('label', label, 'expires', expires) from payment_method where payment_method.id = method_id) as card,
      (select provider from payment_method where payment_method.id = method_id) as "cardBy", (select account.demo from account where account.id = account_id) as "isMadeUp", ${couponColumns},
      ${coolingOff} as cooling,
      (select jsonb_build_object('tipsPromised', (terms ->> 'tipsPromised')::int, 'profitOrFree', coalesce((terms ->> 'profitOrFree')::bool, false))
        from customer_order paid where paid.membership_id = membership.id and status = 'paid' order by paid.id desc limit 1) as promised,
      (select jsonb_build_object('kept', kept, 'tips', tips, 'profitHundredths', profit_hundredths, 'at', verdict.at)
        from guarantee_verdict verdict join customer_order judged on judged.id = order_id where judged.membership_id = membership.id order by verdict.order_id desc limit 1) as verdict
    from membership left join portfolio on portfolio.id = membership.portfolio_id left join plan on plan.id = plan_id
    where account_id = ${viewer.accountId} and membership.starts_at <= ${now} order by membership.ends_at, membership.id
  `.execute(database());
  const pausedUntil = await findPauseEnd(viewer.accountId, now);
  const all = rows.map((row) => viewOf(row, pausedUntil, now));
  return {
    running: lastOfEach(all.filter(({ state }) => state !== 'ended')),
    past: all.filter(({ state }) => state === 'ended').toReversed(),
    receipts: await listReceipts(viewer),
  };
}

// Of several that were given for one portfolio the last one counts.
function lastOfEach(running: readonly MembershipView[]): MembershipView[] {
  return running.filter(
    ({ reference, portfolioReference, endsAt }, index) =>
      reference !== null ||
      !running.some(
        (other, place) =>
          other.portfolioReference === portfolioReference &&
          (other.endsAt > endsAt || (other.endsAt === endsAt && place > index)),
      ),
  );
}

function viewOf(row: Row, pausedUntil: Date | null, now: Date): MembershipView {
  const { reference, portfolioReference, name, demo, period, currencyId, startsAt, endsAt, because, cooling } = row;
  const state = stateOf(row, now);
  const isStopped = pausedUntil !== null && row.periodEndsAt !== null && pausedUntil > row.periodEndsAt;
  const wouldRenew =
    row.periodEndsAt !== null && !isStopped && (state === 'trial' || state === 'active' || state === 'past due');
  const needsCard = wouldRenew && isOutOfUse(row.cardBy, { demo: row.isMadeUp });
  const renews = wouldRenew && !needsCard;
  const refund = cooling !== null && state !== 'ended' ? refundNow(cooling, now) : null;
  const next = renews && row.amountMinor !== null ? nextPrice(row, row.periodEndsAt as Date) : null;
  return {
    reference,
    portfolioReference,
    name,
    demo,
    state,
    startsAt: startsAt.toISOString(),
    endsAt: (state === 'ended' ? (row.endedAt ?? endsAt) : (row.periodEndsAt ?? endsAt)).toISOString(),
    period,
    currencyId,
    renewalMinor: next?.renewalMinor ?? null,
    afterCoupon: next && afterCoupon(row.coupon?.periods, next),
    renewsAt: renews ? (row.periodEndsAt as Date).toISOString() : null,
    refundMinor: refund && refund.amountMinor,
    refundUntil: refund && refund.until.toISOString(),
    because,
    card: renews ? row.card : null,
    needsCard,
    promised: row.promised && (row.promised.tipsPromised !== null || row.promised.profitOrFree) ? row.promised : null,
    verdict: row.verdict && { ...row.verdict, at: new Date(row.verdict.at).toISOString() },
  };
}

type Priced = Pick<
  Row,
  'amountMinor' | 'nextAmountMinor' | 'nextAmountFrom' | 'coupon' | 'payments' | 'isCouponCurrency'
>;

/** What the next period of a membership costs, with its coupon and without, in minor units. */
type NextPrice = { renewalMinor: number; fullMinor: number };

/** What the next period of a membership costs, as it stands in the caller's transaction. */
export async function readNextPrice(membershipId: number): Promise<NextPrice> {
  const { rows } = await sql<Priced & { periodEndsAt: Date }>`
    select amount_minor as "amountMinor", next_amount_minor as "nextAmountMinor", next_amount_from as "nextAmountFrom", period_ends_at as "periodEndsAt", ${couponColumns}
    from membership where id = ${membershipId}
  `.execute(database());
  if (!rows[0]) throw new Error('The membership was not read.');
  return nextPrice(rows[0], rows[0].periodEndsAt);
}

function nextPrice(row: Priced, startsAt: Date): NextPrice {
  const { amountMinor, nextAmountMinor, nextAmountFrom, coupon, payments, isCouponCurrency } = row;
  const fullMinor = renewalPrice({ amountMinor: amountMinor ?? 0, nextAmountMinor, nextAmountFrom }, startsAt);
  return { fullMinor, renewalMinor: discounted(fullMinor, coupon, { payment: payments + 1, isCouponCurrency }) };
}

/** As a column of a statement over memberships: what decides on a refund of the period that runs, null where nothing was paid for it. The window is that of any payment of the membership that is open longest. */
export const coolingOff = sql`
  (select jsonb_build_object('order', paid.reference, 'amountMinor', paid.amount_minor, 'startsAt', membership.period_starts_at, 'endsAt', membership.period_ends_at,
      'given', (select coalesce(sum(refund.amount_minor), 0) from refund join payment on payment.id = payment_id where order_id = paid.id),
      'windows', (select jsonb_agg(jsonb_build_object('paidAt', each.changed_at, 'days', (each.terms ->> 'coolingOffDays')::int)) from customer_order each
        where each.membership_id = membership.id and each.status = 'paid' and each.amount_minor > 0))
    from customer_order paid where paid.membership_id = membership.id and paid.status = 'paid' and paid.amount_minor > 0 and paid.period_number = periods order by paid.id desc limit 1)`;

/** How many memberships wait for what is due by our clock, such as to be renewed. */
export async function countDueMemberships(now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from membership where next_at <= ${now} and ended_at is null
  `.execute(database());
  return rows[0]?.count ?? 0;
}
