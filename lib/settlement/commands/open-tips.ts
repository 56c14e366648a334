import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { failureText } from './set-aside';

/** Puts tips among those that wait for settlement, each to be looked at from its `dueAt` on. */
export async function openTips(tips: readonly { tipId: number; dueAt: Date }[]): Promise<void> {
  await sql`
    insert into open_tip (tip_id, due_at) select * from unnest(${tips.map(({ tipId }) => tipId)}::int[], ${tips.map(({ dueAt }) => dueAt)}::timestamptz[])
  `.execute(database());
}

const longestBackOffMinutes = 24 * 60;
const mostDoublings = 11;

/** When to look again at what could not be settled: after twice the time of the look before, a day at the longest; `attempts` counts the looks. */
export const laterLook = (now: Date): RawBuilder<Date> =>
  sql<Date>`${now}::timestamptz + least(power(2, least(attempts, ${mostDoublings})), ${longestBackOffMinutes}) * interval '1 minute'`;

/** Claims tips that are due until the transaction ends, the longest due first, those aside that another holds; of these ids where some are named. */
export async function claimDueTips(now: Date, { limit = null, among = null }: { limit?: number | null; among?: readonly number[] | null }): Promise<number[]> {
  const { rows } = await sql<{ tipId: number }>`
    select tip_id as "tipId" from open_tip where due_at <= ${now} and (${among}::int[] is null or tip_id = any(${among}::int[])) order by due_at, tip_id limit ${limit}::int for update skip locked
  `.execute(database());
  return rows.map(({ tipId }) => tipId);
}

/** Has tips that are not decided wait longer each time. */
export async function waitLonger(tipIds: readonly number[], now: Date): Promise<void> {
  if (tipIds.length === 0) return;
  await sql`
    update open_tip set attempts = attempts + 1, due_at = ${laterLook(now)}, failure = null, failed_at = null where tip_id = any(${[...tipIds]}::int[])
  `.execute(database());
}

/** Sets a tip that could not be settled aside with the reason, to be tried again later; it holds up no other. */
export async function setTipAside(tipId: number, error: unknown, now: Date): Promise<void> {
  const { rows } = await sql<{ reference: string; attempts: number }>`
    update open_tip set attempts = attempts + 1, due_at = ${laterLook(now)}, failure = ${failureText(error)}, failed_at = ${now}
    from tip where tip.id = open_tip.tip_id and tip_id = ${tipId} returning tip.reference, attempts
  `.execute(database());
  log.error({ event: 'settlement_failed', tip: rows[0]?.reference, attempts: rows[0]?.attempts, err: error });
}

/** Has a settled tip that a corrected result could not settle anew wait with the reason, to be tried again later. */
export async function reopenTip(tipId: number, error: unknown, now: Date): Promise<void> {
  await sql`insert into open_tip (tip_id, due_at) values (${tipId}, ${now}) on conflict do nothing`.execute(database());
  await setTipAside(tipId, error, now);
}

/** The tips that are settled wait no longer. */
export async function closeTips(tipIds: readonly number[]): Promise<void> {
  await sql`delete from open_tip where tip_id = any(${[...tipIds]}::int[])`.execute(database());
}
