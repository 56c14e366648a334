import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { act } from '@/lib/staff/commands';
import type { StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { bookFailed, type Booked } from './payouts';

/** What staff order about a payout. */
export type PayoutByStaff = {
  staff: Viewer;
  reference: string;
  action: 'payout.approve' | 'payout.refuse';
} & StaffOrder;

type Held = Omit<Booked, 'owner'> & { status: string };

/**
 * Product §8, four eyes: staff approve a payout, which the provider is then asked for, or refuse it, by which it is payable again and its owner hears why. Failure 'missing', 'conflict' for one that does not wait for staff; else as `act`.
 */
export async function decideOnPayout({ staff, reference, action, ...order }: PayoutByStaff): Promise<StaffOutcome> {
  const { rows } = await sql<{
    owner: number;
  }>`select owner_id as owner from payout where reference = ${reference}`.execute(database());
  const accounts = rows.map(({ owner }) => owner);
  return act({ staff, action, subject: { kind: 'payout', id: reference }, accounts, ...order }, async () => {
    const [owner] = accounts;
    if (owner === undefined) throw new Failure('missing', 'There is no such payout.');
    const held = await hold(reference);
    if (held.status !== 'asked') throw new Failure('conflict', 'This payout does not wait for staff any more.');
    const now = await decisionMoment();
    const by = staff.kind === 'member' ? staff.accountId : null;
    const because = order.reason.trim() || null;
    const status = action === 'payout.approve' ? 'approved' : 'failed';
    await sql`
      update payout set status = ${status}, approved_by = ${by}, because = ${because}, changed_at = ${now} where id = ${held.id}
    `.execute(database());
    if (status === 'failed') await bookFailed({ ...held, owner }, because, now);
    return { before: { status: 'asked' }, after: { status: status === 'failed' ? 'refused, payable again' : status } };
  });
}

async function hold(reference: string): Promise<Held> {
  const { rows } = await sql<Held>`
    select id, portfolio_id as "portfolioId", currency_id as "currencyId", amount_minor as "amountMinor", status from payout
    where reference = ${reference} for update
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such payout.');
  return rows[0];
}
