import 'server-only';
import { sql } from 'kysely';
import { isStaff } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import type { FactorState } from '../schema/factor';

/** What a member of staff meets at /admin: a second factor to set up, its code to enter, or what is theirs; null for whoever is not staff. */
export async function findFactorState(viewer: Viewer): Promise<FactorState | null> {
  if (viewer.kind === 'guest' || !isStaff(viewer) || viewer.suspended) return null;
  if (viewer.proven) return 'proven';
  const { rows } = await sql`
    select 1 from staff_factor where account_id = ${viewer.accountId} and confirmed_at is not null
  `.execute(database());
  return rows.length > 0 ? 'asked' : 'missing';
}
