import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';

/** Puts tips among those that wait for settlement, each to be looked at from its `dueAt` on. */
export async function openTips(tips: readonly { tipId: number; dueAt: Date }[]): Promise<void> {
  await sql`
    insert into open_tip (tip_id, due_at) select * from unnest(${tips.map(({ tipId }) => tipId)}::int[], ${tips.map(({ dueAt }) => dueAt)}::timestamptz[])
  `.execute(database());
}
