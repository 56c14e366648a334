import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { sendAskedCodes } from '@/lib/accounts/commands/codes';
import { pruneAccounts } from '@/lib/accounts/commands/sessions';
import { auditRecord } from '@/lib/audit/commands';
import { resettleCorrectedBets, settleDueBets } from '@/lib/bet-slip/commands/settle';
import { askForDueResults, closeMarkets } from '@/lib/fixtures/commands/lifecycle';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { pruneMails, sendDueMails } from '@/lib/platform/mail';
import { pruneNamedWrites } from '@/lib/platform/once';
import { pruneHits } from '@/lib/platform/rate-limit';
import { pruneTokenKeys } from '@/lib/platform/tokens';
import { openCommitments, signLedger } from '@/lib/record/commands';
import { whyCannotSign } from '@/lib/record/commands/keys';
import { askWitnesses } from '@/lib/record/commands/witnesses';
import { indexSearch } from '@/lib/search/commands';
import { resettleCorrected, settleDueTips } from '@/lib/settlement/commands';
import { countSetAside } from '@/lib/settlement/queries/set-aside';
import { countLateClosings, foldOldDays, rollStandings } from '@/lib/stats/commands';
import { feedDemoWorld } from './demo/feed';
import { noteOfRecord } from './readiness';

/** What a job may have to say of its run, although it went well. */
type Noted = { note: string | null };

type Job = { name: string; everySeconds: number; run: (now: Date) => Promise<unknown>; isAble?: () => Promise<boolean> };

/** Everything that happens by the clock; each job is idempotent and run by one instance at a time. */
export const jobs: readonly Job[] = [
  { name: 'close-markets', everySeconds: 5, run: closeMarkets },
  { name: 'ask-for-due-results', everySeconds: 30, run: askForDueResults },
  { name: 'open-commitments', everySeconds: 5, run: openCommitments },
  { name: 'settle-due-tips', everySeconds: 5, run: async (now) => noting('tips', () => settleDueTips(now)) },
  { name: 'resettle-corrected', everySeconds: 10, run: resettleCorrected },
  { name: 'settle-due-bets', everySeconds: 5, run: async (now) => noting('bets', () => settleDueBets(now)) },
  { name: 'resettle-corrected-bets', everySeconds: 10, run: resettleCorrectedBets },
  { name: 'sign-ledger', everySeconds: 60, run: () => signLedger(), isAble: canSign },
  { name: 'ask-witnesses', everySeconds: 10, run: askWitnesses },
  { name: 'audit-record', everySeconds: 20, run: auditing },
  { name: 'count-late-closings', everySeconds: 30, run: countLateClosings },
  { name: 'fold-old-days', everySeconds: 5, run: foldOldDays },
  { name: 'roll-standings', everySeconds: 60, run: rollStandings },
  { name: 'index-search', everySeconds: 30, run: indexSearch },
  { name: 'demo-feed', everySeconds: 30, run: async (now) => (env().TIPLEDGER_DEMO === 'on' ? feedDemoWorld(now) : undefined) },
  { name: 'send-asked-codes', everySeconds: 1, run: sendAskedCodes },
  { name: 'send-mails', everySeconds: 2, run: sendDueMails },
  { name: 'prune-accounts', everySeconds: 3_600, run: pruneAccounts },
  { name: 'prune-mails', everySeconds: 3_600, run: pruneMails },
  { name: 'prune-token-keys', everySeconds: 3_600, run: pruneTokenKeys },
  { name: 'prune-named-writes', everySeconds: 3_600, run: pruneNamedWrites },
  { name: 'prune-rate-limits', everySeconds: 3_600, run: pruneHits },
];

async function canSign(): Promise<boolean> {
  return (await whyCannotSign()) === null;
}

async function noting(what: 'tips' | 'bets', settle: () => Promise<number>): Promise<Noted> {
  await settle();
  const { [what]: setAside } = await countSetAside();
  return { note: setAside === 0 ? null : `${setAside} ${what} could not be settled and are tried again; the log says why.` };
}

async function auditing(now: Date): Promise<Noted> {
  await auditRecord(now);
  return { note: await noteOfRecord() };
}

const noteIn = (said: unknown): string | null => (typeof said === 'object' && said !== null && 'note' in said ? (said as Noted).note : null);

const leaseSeconds = 120;
const holder = randomUUID();

/** Runs every job that is due and that no other instance holds; a failure is logged, counted, and tried again when the job is next due. */
export async function runDueJobs(now: Date): Promise<void> {
  for (const job of jobs) {
    // Left to an instance that can do it.
    if (job.isAble && !(await job.isAble())) continue;
    if (!(await claim(job, now))) continue;
    try {
      const note = noteIn(await job.run(now));
      await sql`
        update job_run set leased_until = null, finished_at = ${present()}, attempts = 0, failure = null, note = ${note} where name = ${job.name} and holder = ${holder}
      `.execute(database());
    } catch (error) {
      log.error({ event: 'job_failed', job: job.name, err: error });
      const failure = error instanceof Error ? error.message : String(error);
      await sql`
        update job_run set leased_until = null, failed_at = ${present()}, failure = ${failure}, attempts = attempts + 1
        where name = ${job.name} and holder = ${holder}
      `.execute(database());
    }
  }
}

async function claim(job: Job, now: Date): Promise<boolean> {
  await sql`insert into job_run (name) values (${job.name}) on conflict do nothing`.execute(database());
  const due = new Date(now.getTime() - job.everySeconds * 1000);
  const { rows } = await sql`
    update job_run set holder = ${holder}, started_at = ${now}, leased_until = ${new Date(now.getTime() + leaseSeconds * 1000)}
    where name = ${job.name} and (leased_until is null or leased_until < ${now}) and (started_at is null or started_at <= ${due})
    returning name
  `.execute(database());
  return rows.length > 0;
}

/** Starts the clock of the jobs; returns what stops it once the run under way has ended. */
export function startJobs(): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let idle = true;
  const timer = setInterval(() => {
    if (!idle) return;
    idle = false;
    running = runDueJobs(present())
      .catch((error: unknown) => log.warn({ event: 'jobs_paused', message: error instanceof Error ? error.message : String(error) }))
      .finally(() => void (idle = true));
  }, 1_000);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
