import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { amountsOf } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { CurrencyId } from '@/lib/reference/schema';
import { act } from '@/lib/staff/commands';
import type { StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { daysLater } from '../rules/calendar';
import { discountText } from '../rules/coupons';
import type { SiteCouponOrder } from '../schema/coupons';
import { insertCoupon } from './coupons';

const subjectOf = (code: string) => ({ kind: 'coupon', id: code });

/** Product §11: staff make a coupon of the site, or try it. Failure 'invalid' for a last day that is past, 'conflict' for a code that was used; else as `act`. */
export async function createSiteCoupon(viewer: Viewer, order: SiteCouponOrder): Promise<StaffOutcome> {
  const { action, reason, preview, code, percent, payments, plan, mostUses, onceEach, lastDay } = order;
  const [amount] = amountsOf('off', order);
  return act({ staff: viewer, action, subject: subjectOf(code), reason, preview }, async () => {
    const terms = {
      ...{ code, percent, amountMinor: amount?.amountMinor ?? null, currencyId: amount?.currencyId ?? CurrencyId.GBP },
      ...{ periods: payments, plans: plan === '' ? [] : [plan], mostUses, onceEach },
      endsAt: lastDay === '' ? null : daysLater(new Date(`${lastDay}T00:00:00Z`), 1),
    };
    await insertCoupon(null, terms, await decisionMoment());
    return {
      before: {},
      after: {
        Code: code,
        Discount: discountText(terms),
        Plans: plan === '' ? 'all' : plan,
        Uses: mostUses ?? 'any number',
        'Once each': onceEach,
        'Last day': lastDay === '' ? 'none' : lastDay,
      },
    };
  });
}

/** Product §11: staff end a coupon of the site: nobody begins anything with it any more, and who did keeps what it takes off. Failure 'missing', 'conflict' for one that was ended; else as `act`. */
export async function endSiteCoupon(viewer: Viewer, code: string, order: StaffOrder): Promise<StaffOutcome> {
  return act({ staff: viewer, action: 'coupon.end', subject: subjectOf(code), ...order }, async () => {
    const at = await decisionMoment();
    const { rows } = await sql<{ endedAt: Date | null }>`
      select withdrawn_at as "endedAt" from coupon where portfolio_id is null and code = ${code} for update
    `.execute(database());
    if (!rows[0]) throw new Failure('missing', 'The site has no coupon of this code.');
    if (rows[0].endedAt !== null) throw new Failure('conflict', 'This coupon was ended already.');
    await sql`update coupon set withdrawn_at = ${at} where portfolio_id is null and code = ${code}`.execute(database());
    return { before: { Ended: false }, after: { Ended: true } };
  });
}
