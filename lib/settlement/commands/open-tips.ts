import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';

/** Puts a tip among those that wait for settlement, to be looked at from `dueAt` on. */
export async function openTip(tipId: number, dueAt: Date): Promise<void> {
  await sql`insert into open_tip (tip_id, due_at) values (${tipId}, ${dueAt})`.execute(database());
}
