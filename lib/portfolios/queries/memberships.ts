import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';

/** A membership of the viewer's that runs: whose tips it opens, and until when. */
export type RunningMembership = { portfolioReference: string; name: string; demo: boolean; endsAt: string };

/** The memberships of the viewer's that run, the first to end first; of several for one portfolio the last. Failure 'unauthorised' for a guest. */
export async function listRunningMemberships(viewer: Viewer, now: Date): Promise<RunningMembership[]> {
  if (viewer.kind === 'guest') throw new Failure('unauthorised', 'Sign in to see your memberships.');
  const { rows } = await sql<Omit<RunningMembership, 'endsAt'> & { endsAt: Date }>`
    select reference as "portfolioReference", name, demo, max(ends_at) as "endsAt" from membership join portfolio on portfolio.id = portfolio_id
    where account_id = ${viewer.accountId} and starts_at <= ${now} and ends_at > ${now} group by portfolio.id order by max(ends_at), portfolio.id
  `.execute(database());
  return rows.map(({ endsAt, ...row }) => ({ ...row, endsAt: endsAt.toISOString() }));
}
