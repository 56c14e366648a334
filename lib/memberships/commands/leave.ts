import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { findOrder, recordRefund, sendRefunds } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { refuseWhilePaused } from '@/lib/pauses/queries';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { coolingOff, listMemberships } from '../queries/memberships';
import { accessEndsAt } from '../rules/calendar';
import { type CoolingOff, refundNow } from '../rules/cooling-off';
import type { MembershipView } from '../schema/memberships';
import { forgetMembership } from './forget';
import { soldBy } from './sold';
import { tell, tellAll } from './news';
import { endMembership, endTelling } from './periods';
import { followPrice } from './plans';

type Held = {
  id: number;
  accountId: number;
  portfolioId: number | null;
  cancelledAt: Date | null;
  endedAt: Date | null;
  pastDueAt: Date | null;
  periodEndsAt: Date;
};

/** What is done to which membership, by the name that its member may have given to the attempt. */
type Asked = { what: 'cancel' | 'keep' | 'refund'; reference: string; key: string | undefined };

async function decideOn(
  viewer: Viewer,
  { what, reference, key }: Asked,
  decide: (held: Held, now: Date) => Promise<void>,
): Promise<MembershipView> {
  requireMember(viewer);
  const { accountId } = viewer;
  const request = [`${what}-membership`, reference];
  await once({ accountId, key, request }, await decisionMoment(), async () => {
    const known = await sql<{ portfolioId: number | null }>`
      select portfolio_id as "portfolioId" from membership where reference = ${reference} and account_id = ${accountId}
    `.execute(database());
    if (!known.rows[0]) throw new Failure('missing', 'You have no such membership.');
    if (known.rows[0].portfolioId !== null)
      await sql`select from portfolio where id = ${known.rows[0].portfolioId} for update`.execute(database());
    // Staff who change what Pro costs wait here, and the other way round.
    else await sql`select from plan where portfolio_id is null order by id for share`.execute(database());
    const { rows } = await sql<Held>`
      select id, account_id as "accountId", portfolio_id as "portfolioId", cancelled_at as "cancelledAt", ended_at as "endedAt", past_due_at as "pastDueAt", period_ends_at as "periodEndsAt"
      from membership where reference = ${reference} for update
    `.execute(database());
    const now = await decisionMoment();
    await decide(rows[0] as Held, now);
    await forgetMembership({ accountId, portfolioId: known.rows[0].portfolioId });
    return {};
  });
  // As it is by now: what was done under this key may have been undone since.
  const { running, past } = await listMemberships(viewer, await decisionMoment());
  const found = [...running, ...past].find((membership) => membership.reference === reference);
  if (!found) throw new Error('The membership was not read.');
  return found;
}

function refuseEnded({ endedAt }: Held): void {
  if (endedAt !== null) throw new Failure('conflict', 'This membership has ended.');
}

/** Product §8: cancels a membership of the viewer's: it opens what it opens to the end of what was paid, and is not renewed. Once or ten times, it is the same. Failure 'missing', and 'conflict' once it has ended. */
export async function cancelMembership(viewer: Viewer, reference: string, key?: string): Promise<MembershipView> {
  return decideOn(viewer, { what: 'cancel', reference, key }, async (held, now) => {
    refuseEnded(held);
    if (held.cancelledAt !== null) return;
    // What is past due was not paid: nothing is left of it to keep.
    if (held.periodEndsAt <= now) return endTelling(held.id, 'You cancelled it.', now);
    await sql`
      update membership set cancelled_at = ${now}, ends_at = ${accessEndsAt(held.periodEndsAt, { cancelled: true })}, next_at = ${held.periodEndsAt} where id = ${held.id}
    `.execute(database());
    await tell(held.id, { what: 'cancelled' }, now);
  });
}

/** Product §8: takes back that a membership was cancelled, while it runs; a higher price that was set meanwhile is told, and counts from 30 days after that. Failure 'missing', 'forbidden' during a break from betting, and 'conflict' once it has ended. */
export async function keepMembership(viewer: Viewer, reference: string, key?: string): Promise<MembershipView> {
  return decideOn(viewer, { what: 'keep', reference, key }, async (held, now) => {
    refuseEnded(held);
    if (held.cancelledAt === null) return;
    if (held.periodEndsAt <= now) throw new Failure('conflict', 'This membership has ended. Join again to get access.');
    await refuseWhilePaused(viewer, now);
    await sql`
      update membership set cancelled_at = null, ends_at = ${accessEndsAt(held.periodEndsAt, { cancelled: false })}, next_at = ${held.periodEndsAt} where id = ${held.id}
    `.execute(database());
    await tellAll(await followPrice(held.id, now), now);
  });
}

/**
 * Product §8, cooling-off: ends a membership of the viewer's now and gives back what was paid for the days that are left; the same key again is given the same answer. Failure 'missing', and
 * 'conflict' where there is nothing to have back any more.
 */
export async function refundMembership(viewer: Viewer, reference: string, key?: string): Promise<MembershipView> {
  const left = await decideOn(viewer, { what: 'refund', reference, key }, async (held, now) => {
    refuseEnded(held);
    const { rows } = await sql<{ cooling: CoolingOff | null }>`
      select ${coolingOff} as cooling from membership where id = ${held.id}
    `.execute(database());
    const cooling = rows[0]?.cooling ?? null;
    const refund = cooling && refundNow(cooling, now);
    const order = cooling && (await findOrder(cooling.order));
    if (!refund || !order)
      throw new Failure(
        'conflict',
        'The refund period is over, or there is nothing left to refund. You can still cancel the membership, so that it does not renew.',
      );
    const because = 'You asked for a refund.';
    await endMembership(held.id, because, now);
    const { sale, details } = await soldBy(order);
    const { amountMinor } = refund;
    await recordRefund(sale, { amountMinor, because: 'cooling-off', details }, now);
    await tell(held.id, { what: 'refunded', amountMinor, because, order: order.reference }, now);
  });
  await sendRefunds();
  return left;
}
