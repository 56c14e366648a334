import { sql } from 'kysely';
import { database } from './database';

/** Counts a hit on `key` and says whether it is within `hits` of the current window; holds across instances and restarts. */
export async function takeHit(key: string, limit: { hits: number; windowSeconds: number }, now: Date): Promise<boolean> {
  const oldest = new Date(now.getTime() - limit.windowSeconds * 1000);
  const { rows } = await sql<{ hits: number }>`
    insert into rate_limit (key, window_start, hits) values (${key}, ${now}, 1)
    on conflict (key) do update set
      hits = case when rate_limit.window_start <= ${oldest} then 1 else rate_limit.hits + 1 end,
      window_start = case when rate_limit.window_start <= ${oldest} then ${now} else rate_limit.window_start end
    returning hits
  `.execute(database());
  return (rows[0]?.hits ?? 1) <= limit.hits;
}

/** Removes counters whose window ended an hour ago or more. */
export async function pruneHits(now: Date): Promise<void> {
  await sql`delete from rate_limit where window_start < ${new Date(now.getTime() - 3_600_000)}`.execute(database());
}
