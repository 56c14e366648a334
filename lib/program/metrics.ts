import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { keptValues } from '@/lib/platform/cache';
import { database, readPool } from '@/lib/platform/database';
import { replicaStatus } from '@/lib/platform/database-replica';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { addGauge, observeRequest, readMetrics } from '@/lib/platform/metrics';
import { isWanted } from '@/lib/jobs/runner';
import { jobs } from '@/lib/jobs/schedule';
import { mailTries } from '@/lib/platform/mail';
import { onRequestEnd } from '@/lib/http/request-end';
import { refusalText } from '@/lib/http/refusal';
import { bareContentSecurityPolicy, securityHeaders } from '@/lib/http/security-headers';
import { currentVersion } from './version';

/** What the metrics ask the program that serves: whether its database is the private one, how many pages its cache keeps and in how many bytes, and how many are being made. */
export type Serving = {
  embedded: boolean;
  pages(): { entries: number; size: number };
  renders(): { running: number; waiting: number };
};

type Figures = {
  jobs: { name: string; ageSeconds: number | null; attempts: number }[];
  mails: { waiting: number; failing: number; oldestSeconds: number };
  settlement: { tips: number; tipsLagSeconds: number; bets: number; betsLagSeconds: number };
  record: { entries: number; signed: number; checkpointAgeSeconds: number | null; findings: number };
};

// Held for its reader, as no pause between two tries is as long (`mailStatus`).
const isHeld = sql`(next_at - least(${mailTries.longestPauseSeconds}, ${mailTries.firstPauseSeconds} * 2 ^ (attempts - 1)) * interval '1 second' > now)`;

/** What the database says; each figure is read by its index, and all of them in one statement. */
async function readFigures(): Promise<Figures> {
  const { rows } = await sql<Figures>`
    with clock as (select clock_timestamp() as now)
    select
      (select coalesce(json_agg(json_build_object('name', name, 'ageSeconds', extract(epoch from now - started_at)::float, 'attempts', attempts)), '[]') from job_run) as jobs,
      (select json_build_object('waiting', count(*), 'failing', count(*) filter (where attempts > 0 and not ${isHeld}), 'oldestSeconds', coalesce(extract(epoch from now - min(created_at) filter (where not ${isHeld})), 0)::float) from mail_outbox where attempts < ${mailTries.most}) as mails,
      (select json_build_object('tips', tips.count, 'tipsLagSeconds', tips.lag, 'bets', bets.count, 'betsLagSeconds', bets.lag)
        from (select count(*), coalesce(extract(epoch from now - min(due_at)), 0)::float as lag from open_tip where due_at <= now) tips,
          (select count(*), coalesce(extract(epoch from now - min(due_at)), 0)::float as lag from bet where due_at <= now) bets) as settlement,
      (select json_build_object('entries', (select sequence from ledger_head), 'signed', coalesce((select max(sequence) from ledger_checkpoint), 0),
        'checkpointAgeSeconds', (select extract(epoch from now - (checkpoint ->> 'at')::timestamptz)::float from ledger_checkpoint order by sequence desc limit 1),
        'findings', (select count(*) from (select distinct part, problem from audit_finding join audit_progress using (part) where audit_finding.pass_at >= coalesce(last_pass_at, audit_progress.pass_at)) found))) as record
    from clock
  `.execute(database());
  if (!rows[0]) throw new Error('The figures of the metrics were not found.');
  return rows[0];
}

const patienceMilliseconds = 3_000;

// A reader who asks again while the database is slow waits for the same answer, so that readers never fill the pool.
let asking: Promise<Figures> | null = null;

async function figuresInTime(): Promise<Figures | null> {
  asking ??= readFigures().finally(() => void (asking = null));
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), patienceMilliseconds)));
  try {
    return await Promise.race([asking, patience]);
  } catch (error) {
    log.warn({ event: 'metrics_incomplete', message: error instanceof Error ? error.message : String(error) });
    return null;
  } finally {
    clearTimeout(timer);
  }
}

const one = (value: number | null | undefined): ReadonlyMap<string, number> =>
  new Map(value === null || value === undefined ? [] : [['', value]]);
const named = (values: Record<string, number>) => new Map(Object.entries(values));

/** What `/metrics` says: every figure of this process, and those of the database while it answers in time. */
export class Metrics {
  #figures: Figures | null = null;
  readonly #unlisten: () => void;

  constructor({ embedded, pages, renders }: Serving) {
    this.#unlisten = onRequestEnd((_request, { method, route, status, milliseconds, cache }) =>
      observeRequest({ method, route, status, seconds: milliseconds / 1000, cache }),
    );
    // A job of another release, or one that lost its use with a setting, has been run, but is late by nothing that is known.
    const periods = new Map(jobs.filter(isWanted).map(({ name, everySeconds }) => [name, everySeconds]));
    const ofJobs = (read: (job: Figures['jobs'][number]) => number | null) =>
      new Map(
        (this.#figures?.jobs ?? [])
          .flatMap((job) => (periods.has(job.name) ? [[job.name, read(job)] as const] : []))
          .flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
      );
    addGauge('tipledger_info', 'The release that runs.', 'release', () => new Map([[currentVersion().version, 1]]));
    addGauge('tipledger_database_up', '1 when the database answered these questions within three seconds.', null, () =>
      one(this.#figures ? 1 : 0),
    );
    addGauge('tipledger_database_embedded', '1 when the database is the private one of the data folder.', null, () =>
      one(embedded ? 1 : 0),
    );
    addGauge('tipledger_pool_connections', 'Connections of the pool: idle and in use.', 'state', () => {
      const { total, idle } = readPool();
      return named({ idle, used: total - idle });
    });
    addGauge('tipledger_pool_waiting', 'Callers that wait for a connection.', null, () => one(readPool().waiting));
    addGauge('tipledger_replica_current', '1 while pages for guests are read from the replica.', null, () => {
      const replica = replicaStatus();
      return one(replica && Number(replica.standing === 'current'));
    });
    addGauge('tipledger_replica_lag_bytes', 'How much of the log the replica has yet to replay.', null, () =>
      one(replicaStatus()?.lagBytes),
    );
    addGauge('tipledger_renders', 'Pages that are being made, and that wait to be made.', 'state', () =>
      named(renders()),
    );
    addGauge('tipledger_page_cache_entries', 'Pages that the page cache keeps.', null, () => one(pages().entries));
    addGauge('tipledger_page_cache_bytes', 'What the page cache keeps, in bytes.', null, () => one(pages().size));
    addGauge('tipledger_cache_entries', 'Values that the cache of reads keeps.', null, () => one(keptValues()));
    addGauge('tipledger_job_last_start_seconds', 'How long ago a job was last started, by any instance.', 'job', () =>
      ofJobs(({ ageSeconds }) => ageSeconds),
    );
    addGauge('tipledger_job_late_seconds', 'How long a job has been due and not started.', 'job', () =>
      ofJobs(({ name, ageSeconds }) =>
        ageSeconds === null ? null : Math.max(0, ageSeconds - (periods.get(name) ?? 0)),
      ),
    );
    addGauge('tipledger_job_failures', 'How often a job has failed since it last went well.', 'job', () =>
      ofJobs(({ attempts }) => attempts),
    );
    addGauge(
      'tipledger_mails',
      'Mails that wait to be sent, and those of them that failed before; none that were given up.',
      'state',
      () =>
        this.#figures
          ? named({ waiting: this.#figures.mails.waiting, failing: this.#figures.mails.failing })
          : new Map(),
    );
    addGauge(
      'tipledger_mail_oldest_seconds',
      'The age of the mail that has waited longest, save those that are held for their reader.',
      null,
      () => one(this.#figures?.mails.oldestSeconds),
    );
    addGauge('tipledger_settlement_due', 'What is due to be settled and is not yet.', 'what', () =>
      this.#figures ? named({ tips: this.#figures.settlement.tips, bets: this.#figures.settlement.bets }) : new Map(),
    );
    addGauge('tipledger_settlement_lag_seconds', 'How long the longest of that has been due.', 'what', () =>
      this.#figures
        ? named({ tips: this.#figures.settlement.tipsLagSeconds, bets: this.#figures.settlement.betsLagSeconds })
        : new Map(),
    );
    addGauge(
      'tipledger_record_entries',
      'Entries of the record, and how many of them a checkpoint signs.',
      'state',
      () =>
        this.#figures ? named({ all: this.#figures.record.entries, signed: this.#figures.record.signed }) : new Map(),
    );
    addGauge('tipledger_record_checkpoint_age_seconds', 'The age of the last signed checkpoint.', null, () =>
      one(this.#figures?.record.checkpointAgeSeconds),
    );
    addGauge('tipledger_record_findings', 'What differs from the record, by the audit.', null, () =>
      one(this.#figures?.record.findings),
    );
  }

  /** Answers a request for the metrics: 404 while no METRICS_TOKEN is set, 401 to whoever does not send it. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { METRICS_TOKEN: token } = env();
    const headers = {
      ...Object.fromEntries(securityHeaders()),
      'cache-control': 'no-store',
      'content-security-policy': bareContentSecurityPolicy,
    };
    const say = (status: number, text: string, more: Record<string, string> = {}) => {
      response.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8', ...more });
      response.end(refusalText(status, text));
    };
    if (token === undefined) return say(404, 'There are no metrics here. Set METRICS_TOKEN to have them.\n');
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`))
      return say(401, 'The metrics are told to whoever sends METRICS_TOKEN as a bearer token.\n', {
        'www-authenticate': 'Bearer',
      });
    this.#figures = await figuresInTime();
    const { type, text } = await readMetrics();
    say(200, text, { 'content-type': type });
  }

  /** Counts no requests any more. */
  close(): void {
    this.#unlisten();
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const isSame = (given: string, wanted: string) => timingSafeEqual(digest(given), digest(wanted));
