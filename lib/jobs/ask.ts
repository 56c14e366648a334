import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { jobs } from './schedule';

/** Makes a job due at once, for whichever instance looks next; the moment by the clock of the database, or null where there is no such job. */
export async function askForJob(name: string): Promise<Date | null> {
  if (!jobs.some((job) => job.name === name)) return null;
  const { rows } = await sql<{ at: Date }>`
    insert into job_run (name) values (${name}) on conflict (name) do update set started_at = null returning clock_timestamp() as at
  `.execute(database());
  return rows[0]?.at ?? null;
}
