import { sql } from 'kysely';
import { database } from '@/lib/platform/database';

/** How often a table was gone through or looked up in while `body` ran, in the transaction that the test stands in. */
export async function scansDuring(table: string, body: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    const { rows } = await sql<{ scans: number }>`
      select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as scans from pg_stat_xact_user_tables where relname = ${table}
    `.execute(database());
    return rows[0]?.scans ?? 0;
  };
  const before = await read();
  await body();
  return (await read()) - before;
}
