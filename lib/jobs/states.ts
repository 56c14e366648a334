import { sql } from 'kysely';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { noteTrouble } from '@/lib/platform/database-trouble';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { isWanted, jobsRunSince } from './runner';
import { jobs } from './schedule';

const shortestLateSeconds = 60;

/**
 * How every job last went, in the order of the table; `looksEverySeconds` is how often the database is asked whether it has work, null where it is not;
 * moments are ISO strings, `attempts` the failures since it last went well, `note` what it says of
 * a run that did, `lateSeconds` how long ago it should have gone well again, 0 while that is less than a minute and than twice its interval.
 */
export async function listJobStates() {
  const { rows } = await sql<{
    name: string;
    startedAt: Date | null;
    finishedAt: Date | null;
    failedAt: Date | null;
    attempts: number;
    failure: string | null;
    note: string | null;
  }>`
    select name, started_at as "startedAt", finished_at as "finishedAt", failed_at as "failedAt", attempts, failure, note from job_run
  `.execute(database());
  const [now, since] = [present(), jobsRunSince()];
  return jobs.filter(isWanted).map(({ lane, name, everySeconds, asking }) => {
    const run = rows.find((row) => row.name === name);
    const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;
    const lateSeconds =
      since === null ? 0 : lateBy(everySeconds, Math.max(run?.finishedAt?.getTime() ?? 0, since.getTime()), now);
    return {
      lane,
      name,
      everySeconds,
      looksEverySeconds: asking?.everySeconds ?? null,
      startedAt: iso(run?.startedAt),
      finishedAt: iso(run?.finishedAt),
      failedAt: iso(run?.failedAt),
      attempts: run?.attempts ?? 0,
      failure: run?.failure ?? null,
      note: run?.note ?? null,
      lateSeconds,
    };
  });
}

function lateBy(everySeconds: number, wentWellAt: number, now: Date): number {
  const late = Math.floor((now.getTime() - wentWellAt) / 1000 - everySeconds);
  return late > Math.max(shortestLateSeconds, 2 * everySeconds) ? late : 0;
}

/** Why this instance runs no jobs, as a sentence; null where it does. */
export function whyNoJobs(): string | null {
  return env().TIPLEDGER_JOBS === 'on'
    ? null
    : 'This instance runs no jobs, by its setting TIPLEDGER_JOBS: it charges, sends and settles nothing by itself.';
}

/** The jobs that run late, and by how much; nothing that this program had no time for yet counts. */
export async function listLateJobs(): Promise<{ name: string; lateSeconds: number }[]> {
  return (await listJobStates()).flatMap(({ name, lateSeconds }) => (lateSeconds > 0 ? [{ name, lateSeconds }] : []));
}

const lookMilliseconds = 60_000;

/** Logs every minute which jobs run late; returns what stops it. */
export function logLateJobs(): () => void {
  const look = async () => {
    for (const { name, lateSeconds } of await listLateJobs()) log.warn({ event: 'job_late', job: name, lateSeconds });
  };
  const timer = setInterval(
    () =>
      void look().catch(
        (error: unknown) => void (noteTrouble(error) ?? log.error({ event: 'jobs_unread', err: error })),
      ),
    lookMilliseconds,
  );
  return () => clearInterval(timer);
}
