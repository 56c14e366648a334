import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { findHelpLine } from '@/lib/reference/queries';
import { longerPauses, pausedMessage } from './rules';
import type { PauseView, TakenPause } from './schema';

/** SQL that holds where an account takes a break at a moment. */
export const isPaused = (accountId: RawBuilder<unknown>, at: RawBuilder<unknown> | Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select from betting_pause where betting_pause.account_id = ${accountId} and betting_pause.until_at > ${at}::timestamptz)`;

/** Until when an account takes a break from betting, null while it takes none. Whoever decides by it holds the account, as whoever begins a break does, and asks for the moment after that. */
export async function findPauseEnd(accountId: number, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select max(until_at) as until from betting_pause where account_id = ${accountId} and until_at > ${now}
  `.execute(database());
  return rows[0]?.until ?? null;
}

async function helpFor(countryId: number): Promise<PauseView['help']> {
  const line = await findHelpLine(countryId);
  return line && { name: line.name, url: line.url, telephone: line.telephone };
}

/** Product §9: refuses what closes during a break of the viewer's; the caller holds the account. Failure 'forbidden' that says until when and where help is, also in its details. */
export async function refuseWhilePaused(viewer: Viewer, now: Date): Promise<void> {
  if (viewer.kind === 'guest') return;
  const until = await findPauseEnd(viewer.accountId, now);
  if (until === null) return;
  const help = await helpFor(viewer.countryId);
  throw new Failure('forbidden', pausedMessage(until, help), {}, { pausedUntil: until.toISOString(), help });
}

/** Product §9: the break that the viewer takes, and how it can begin or become longer. Failure 'unauthorised' for a guest. */
export async function getPause(viewer: Viewer, now: Date): Promise<PauseView> {
  requireMember(viewer);
  const taken = (await listPauses(viewer.accountId)).filter(({ until }) => until > now.toISOString());
  // One that was made longer runs since it began.
  const [first] = taken;
  const until = taken.reduce<string | null>(
    (end, pause) => (end !== null && end > pause.until ? end : pause.until),
    null,
  );
  return {
    since: first?.from ?? null,
    until,
    lengths: longerPauses(until === null ? null : new Date(until), now),
    help: await helpFor(viewer.countryId),
  };
}

/** The breaks that an account ever took, the first one first; who may read them was decided before. */
export async function listPauses(accountId: number): Promise<TakenPause[]> {
  const { rows } = await sql<{ from: Date; until: Date }>`
    select from_at as from, until_at as until from betting_pause where account_id = ${accountId} order by id
  `.execute(database());
  return rows.map(({ from, until }) => ({ from: from.toISOString(), until: until.toISOString() }));
}
