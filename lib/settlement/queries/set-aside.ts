import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { refuseUnlessStaff } from '@/lib/staff/queries';

/** Product §11: how many tips, and how many bets of members, could not be settled when they were last looked at and are tried again. */
export async function countSetAside(): Promise<{ tips: number; bets: number }> {
  const { rows } = await sql<{ tips: number; bets: number }>`
    select (select count(*) from open_tip where failed_at is not null)::int as tips, (select count(*) from bet where failed_at is not null)::int as bets
  `.execute(database());
  return rows[0] ?? { tips: 0, bets: 0 };
}

/** A bet of a member that could not be settled when it was last looked at, and why: nothing of whose it is or what it is on. */
export type BetSetAside = { reference: string; failure: string };

/** Product §11: the bets of members that could not be settled, those that failed last first, the first `limit` of them. Failure 'unauthorised' or 'forbidden' for whoever is not staff. */
export async function listBetsSetAside(viewer: Viewer, limit: number): Promise<BetSetAside[]> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<BetSetAside>`
    select reference, failure from bet where failed_at is not null order by failed_at desc, id desc limit ${limit}
  `.execute(database());
  return rows;
}
