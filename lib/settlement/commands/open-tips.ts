import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { database } from '@/lib/platform/database';

/** Puts tips among those that wait for settlement, each to be looked at from its `dueAt` on. */
export async function openTips(tips: readonly { tipId: number; dueAt: Date }[]): Promise<void> {
  await sql`
    insert into open_tip (tip_id, due_at) select * from unnest(${tips.map(({ tipId }) => tipId)}::int[], ${tips.map(({ dueAt }) => dueAt)}::timestamptz[])
  `.execute(database());
}

const longestBackOffMinutes = 24 * 60;

/** When to look again at what could not be settled: after twice the time of the look before, a day at the longest; `attempts` counts the looks. */
export const laterLook = (now: Date): RawBuilder<Date> => sql<Date>`${now}::timestamptz + least(power(2, attempts), ${longestBackOffMinutes}) * interval '1 minute'`;
