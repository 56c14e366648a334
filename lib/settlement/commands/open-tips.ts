import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { arrayOf, database } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { failureText } from './set-aside';

const longestBackOffMinutes = 24 * 60;
const mostDoublings = 11;
const openedWithinSeconds = 5;

/** When to look again at what could not be settled: after twice the time of the look before, a day at the longest; `attempts` counts the looks. */
export const laterLook = (now: Date): RawBuilder<Date> =>
  sql<Date>`${now}::timestamptz + least(power(2, least(attempts, ${mostDoublings})), ${longestBackOffMinutes}) * interval '1 minute'`;

// So many of the longest due are looked at for the portfolios of a batch: enough to fill it where each has few tips due.
const lookedAt = (limit: number) => Math.max(1, Math.ceil(limit / 4));

/** Whether a tip is due. */
export const areTipsDue = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select from open_tip where due_at <= ${now})`;

/** One of several that settle at once, each the tips of other portfolios: its place from 0 on, and how many there are. */
export type Lane = { place: number; of: number };

/**
 * Claims tips of a lane that are due until the transaction ends, those aside that another holds: of the portfolios whose tips are due longest all that
 * are due, portfolio by portfolio, so that the day of each is counted once for many of them.
 */
export async function claimDueTips(now: Date, limit: number, { place, of }: Lane): Promise<number[]> {
  const due = sql`due_at <= ${now} and portfolio_id % ${of}::int = ${place}`;
  const { rows } = await sql<{ tipId: number }>`
    select tip_id as "tipId" from open_tip
    where ${due} and portfolio_id in (select portfolio_id from (select portfolio_id from open_tip where ${due} order by due_at, tip_id limit ${lookedAt(limit)}) longest)
    order by portfolio_id, due_at, tip_id limit ${limit} for update skip locked
  `.execute(database());
  return rows.map(({ tipId }) => tipId);
}

/** Claims those of these tips that are still due and that nobody else holds, until the transaction ends. */
export async function claimTips(tipIds: readonly number[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ tipId: number }>`
    select tip_id as "tipId" from open_tip where due_at <= ${now} and tip_id = any(${arrayOf(tipIds)}::int[]) order by portfolio_id, due_at, tip_id for update skip locked
  `.execute(database());
  return rows.map(({ tipId }) => tipId);
}

/**
 * Waits until nobody settles a tip on these fixtures, and keeps others from claiming one until the transaction ends. Whoever has claimed a tip
 * reads results and prices and holds its portfolio only when it is computed: who makes good what was settled by older ones calls this first.
 */
export async function waitForClaims(fixtureIds: readonly number[]): Promise<void> {
  await sql`
    select 1 from open_tip where tip_id in (select tip_id from tip_leg where fixture_id = any(${[...fixtureIds]}::int[])) order by tip_id for update
  `.execute(database());
}

/** Has tips that are not decided wait longer each time. */
export async function waitLonger(tipIds: readonly number[], now: Date): Promise<void> {
  if (tipIds.length === 0) return;
  await sql`
    update open_tip set attempts = attempts + 1, due_at = ${laterLook(now)}, failure = null, failed_at = null where tip_id = any(${arrayOf(tipIds)}::int[])
  `.execute(database());
}

/** Has tips whose commitments are closed wait until these were opened, which a job does within seconds of their moment. */
export async function waitForOpening(tipIds: readonly number[], now: Date): Promise<void> {
  if (tipIds.length === 0) return;
  await sql`
    update open_tip set due_at = greatest(opens_at, ${now}) + ${openedWithinSeconds} * interval '1 second', failure = null, failed_at = null
    from tip_commitment where tip_commitment.tip_id = open_tip.tip_id and open_tip.tip_id = any(${arrayOf(tipIds)}::int[])
  `.execute(database());
}

/** Has the tips on these fixtures that wait for a result be looked at by the next job, however long they were to wait. */
export async function retryTipsNow(fixtureReferences: readonly string[], now: Date): Promise<void> {
  await sql`
    update open_tip set due_at = ${now}
    where due_at > ${now} and tip_id in (select tip_id from tip_leg join fixture on fixture.id = fixture_id where reference = any(${arrayOf(fixtureReferences)}::text[]))
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
  await sql`insert into open_tip (tip_id, due_at, portfolio_id) select id, ${now}, portfolio_id from tip where id = ${tipId} on conflict do nothing`.execute(
    database(),
  );
  await setTipAside(tipId, error, now);
}

/** The tips that are settled wait no longer. */
export async function closeTips(tipIds: readonly number[]): Promise<void> {
  await sql`delete from open_tip where tip_id = any(${arrayOf(tipIds)}::int[])`.execute(database());
}
