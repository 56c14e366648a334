import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';

/** Product §11: how many tips, and how many bets of members, could not be settled when they were last looked at and are tried again. */
export async function countSetAside(): Promise<{ tips: number; bets: number }> {
  const { rows } = await sql<{ tips: number; bets: number }>`
    select (select count(*) from open_tip where failed_at is not null)::int as tips, (select count(*) from bet where failed_at is not null)::int as bets
  `.execute(database());
  return rows[0] ?? { tips: 0, bets: 0 };
}
