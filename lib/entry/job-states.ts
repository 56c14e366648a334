import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { jobs } from './jobs';

/** How every job last went, in the order of the table; moments are ISO strings, `attempts` the failures since it last went well, `note` what it says of a run that did. */
export async function listJobStates() {
  const { rows } = await sql<{ name: string; startedAt: Date | null; finishedAt: Date | null; failedAt: Date | null; attempts: number; failure: string | null; note: string | null }>`
    select name, started_at as "startedAt", finished_at as "finishedAt", failed_at as "failedAt", attempts, failure, note from job_run
  `.execute(database());
  return jobs.map(({ name, everySeconds }) => {
    const run = rows.find((row) => row.name === name);
    const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;
    return { name, everySeconds, startedAt: iso(run?.startedAt), finishedAt: iso(run?.finishedAt), failedAt: iso(run?.failedAt), attempts: run?.attempts ?? 0, failure: run?.failure ?? null, note: run?.note ?? null };
  });
}
