import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { wake } from '@/lib/platform/wake';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOutcome } from '@/lib/staff/schema';
import { isOldNews, spreadStatus, type StoredSpread } from '../rules/spreading';
import type { EventOrder } from '../schema/staff';

const conflict = (message: string) => new Failure('conflict', message);

const factsOf = (spread: StoredSpread, now: Date): StaffFacts => ({ spreading: spreadStatus(spread, now).title });

/**
 * Product §11, §12: staff have an event spread again from its beginning, when whoever heard of it does not hear again; or give it up, when nobody else hears
 * of it. Failure 'missing', 'conflict' where there is nothing to do or it is old news; else as `act`.
 */
export async function orderEvent(
  staff: Viewer,
  id: number,
  { action, reason, preview }: EventOrder,
): Promise<StaffOutcome> {
  return act({ staff, action, subject: { kind: 'event', id: String(id) }, reason, preview }, async () => {
    const found = await sql<{ at: Date }>`select at from event where id = ${id}::bigint`.execute(database());
    const [event] = found.rows;
    if (!event) throw new Failure('missing', 'There is no such event.');
    // Whoever spreads it holds it for a batch of people: this waits for that.
    const { rows } = await sql<Omit<StoredSpread, 'at'>>`
      select failure, stage, after_account as "afterAccount" from event_spread where event_id = ${id}::bigint for update
    `.execute(database());
    const now = await decisionMoment();
    const before: StoredSpread = { ...event, ...(rows[0] ?? { failure: null, stage: null, afterAccount: null }) };
    const after = action === 'event.spread' ? await spread(id, before, now) : await giveUp(id, before);
    return { before: factsOf(before, now), after: factsOf(after, now) };
  });
}

async function spread(id: number, before: StoredSpread, now: Date): Promise<StoredSpread> {
  if (isOldNews(before.at, now)) throw conflict('It is older than two days: that is no news any more.');
  if (before.stage !== null) throw conflict('It is being spread already, and tried every two seconds where it fails.');
  const { numAffectedRows } =
    await sql`insert into event_spread (event_id) values (${id}::bigint) on conflict do nothing`.execute(database());
  if (numAffectedRows !== 1n) throw conflict('It is being spread already.');
  wake('events');
  return { ...before, failure: null, stage: 0, afterAccount: 0 };
}

async function giveUp(id: number, before: StoredSpread): Promise<StoredSpread> {
  if (before.stage === null) throw conflict('It was spread or given up before: there is nothing left to do.');
  await sql`delete from event_spread where event_id = ${id}::bigint`.execute(database());
  return { ...before, failure: null, stage: null, afterAccount: null };
}
