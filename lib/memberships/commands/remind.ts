import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { throughEach } from '@/lib/platform/batches';
import { database, transact } from '@/lib/platform/database';
import { isCardOutOfUse } from '@/lib/money/queries';
import { isPaused } from '@/lib/pauses/queries';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { couponColumns } from '../queries/memberships';
import { daysLater, reminderDays, trialReminderDays } from '../rules/calendar';
import { type CouponTerms, discounted } from '../rules/coupons';
import { renewalPrice } from '../rules/plans';
import { tell } from './news';

const batch = 200;

type Row = {
  id: number;
  payments: number;
  periodEndsAt: Date;
  amountMinor: number;
  nextAmountMinor: number | null;
  nextAmountFrom: Date | null;
  coupon: CouponTerms | null;
  isCouponCurrency: boolean;
  isAsked: boolean;
  lastMinor: number;
  needsCard: boolean;
};

/**
 * Product §8: reminds members of a renewal of a quarter or a year, of the end of a trial, of a first renewal at a higher price, and of a card that is charged no more (0073); once each. Each by itself, so that one that
 * fails keeps no other from its turn; its error is thrown behind all others. Returns how many it looked at.
 */
export async function remindMembers(now: Date): Promise<number> {
  return throughEach(
    async (after) => listDue(sql`membership.id > ${after} order by membership.id limit ${batch}`, now),
    ({ id }) => transact(() => remindMember(id, now)),
    ({ id }, error) => log.error({ event: 'reminder_failed', membership: id, err: error }),
  );
}

async function listDue(which: RawBuilder<unknown>, now: Date): Promise<Row[]> {
  const needsCard = isCardOutOfUse();
  const { rows } = await sql<Row>`
    select membership.id, period_ends_at as "periodEndsAt", membership.amount_minor as "amountMinor", next_amount_minor as "nextAmountMinor", next_amount_from as "nextAmountFrom",
      ${couponColumns}, period in ('quarter', 'year') or trial_ends_at = period_ends_at as "isAsked",
      coalesce((select paid.amount_minor from customer_order paid where paid.membership_id = membership.id and status = 'paid' order by paid.id desc limit 1), 0) as "lastMinor", ${needsCard} as "needsCard"
    from membership join plan on plan.id = plan_id join account on account.id = membership.account_id left join payment_method on payment_method.id = method_id
    where ended_at is null and cancelled_at is null and past_due_at is null and period_ends_at > ${now}
      and (reminded_of is distinct from period_ends_at or (${needsCard} and card_asked_of is distinct from period_ends_at))
      -- What ends during a break of its member is not renewed.
      and not ${isPaused(sql`membership.account_id`, sql`period_ends_at`)}
      and period_ends_at <= case when trial_ends_at = period_ends_at then ${daysLater(now, trialReminderDays)}::timestamptz else ${daysLater(now, reminderDays)}::timestamptz end
      and ${which}
  `.execute(database());
  return rows;
}

async function remindMember(id: number, now: Date): Promise<void> {
  const [row] = await listDue(sql`membership.id = ${id} for update of membership skip locked`, now);
  if (!row) return;
  const full = renewalPrice(row, row.periodEndsAt);
  const amountMinor = discounted(full, row.coupon, {
    payment: row.payments + 1,
    isCouponCurrency: row.isCouponCurrency,
  });
  const { needsCard } = row;
  await sql`
    update membership set reminded_of = period_ends_at, card_asked_of = case when ${needsCard} then period_ends_at end where id = ${id}
  `.execute(database());
  if (row.isAsked || amountMinor > row.lastMinor || needsCard)
    await tell(id, { what: 'reminder', amountMinor, needsCard }, await decisionMoment());
}
