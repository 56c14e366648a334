import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import type { SessionView } from '../schema/user';

/** The logins of the viewer that hold: first the `current` one, by which the viewer is here, then the last used first. Failure 'unauthorised' for a guest. */
export async function listSessions(viewer: Viewer, now: Date): Promise<SessionView[]> {
  requireMember(viewer);
  const { rows } = await sql<Omit<SessionView, 'createdAt' | 'usedAt' | 'current'> & { createdAt: Date; usedAt: Date }>`
    select id, device, address, created_at as "createdAt", used_at as "usedAt" from session
    where account_id = ${viewer.accountId} and revoked_at is null and expires_at > ${now} order by id is not distinct from ${viewer.sessionId ?? null} desc, used_at desc, id
  `.execute(database());
  return rows.map(({ createdAt, usedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt.toISOString(),
    current: row.id === viewer.sessionId,
  }));
}
