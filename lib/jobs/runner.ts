import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { noteTrouble } from '@/lib/platform/database-trouble';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { onWake } from '@/lib/platform/wake';

/** What the database is asked every so many seconds: whether a job has something to do. */
export type Asking = { everySeconds: number; hasWork: (now: Date) => RawBuilder<boolean> };

/**
 * Work that is done by the clock, sooner when the database says to `asking` that there is some, or at once when there is work of the name `wokenBy`:
 * jobs of one lane follow each other, lanes run side by side. What this instance is not able to do it leaves to another; what the site has no use for
 * is done by none.
 */
export type Job = {
  lane: string;
  name: string;
  everySeconds: number;
  asking?: Asking;
  wokenBy?: string;
  run: (now: Date) => Promise<unknown>;
  isAble?: () => Promise<boolean>;
  isWanted?: () => boolean;
};

/** True for a job that the site has a use for, as it is set up. */
export const isWanted = (job: Pick<Job, 'isWanted'>): boolean => job.isWanted?.() ?? true;

const tickMilliseconds = 1_000;
// What a program that died held is taken over this long after it.
const leaseSeconds = 15;
const renewMilliseconds = 4_000;
// An instance of the release before, which may run beside this one while it is rolled out, takes a minute.
const longestLeaseSeconds = 60;
const longestMilliseconds = 15 * 60_000;

// More than any two instances differ by that keep the database's time.
const toleranceSeconds = 10;

const holder = randomUUID();

const lives = singleton('jobs', () => ({ since: null as Date | null }));

/** Since when this program runs jobs; null when it does not. */
export function jobsRunSince(): Date | null {
  return lives.since;
}

const noteIn = (said: unknown): string | null =>
  typeof said === 'object' && said !== null && 'note' in said ? (said as { note: string | null }).note : null;

const later = (now: Date, seconds: number) => new Date(now.getTime() + 1000 * seconds);

type State = { name: string; startedAt: Date | null; leasedUntil: Date | null };

/** True when a job should run: its time has come, or what was written down of it lies in the future, where only a clock that was wrong can have put it. */
function isDue(everySeconds: number, state: State | undefined, now: Date): boolean {
  if (!state) return true;
  const { startedAt, leasedUntil } = state;
  if (leasedUntil !== null && leasedUntil >= now && leasedUntil <= later(now, longestLeaseSeconds + toleranceSeconds))
    return false;
  return startedAt === null || startedAt <= later(now, -everySeconds) || startedAt > later(now, toleranceSeconds);
}

/** The names of those of these jobs that have something to do, by one question for all of them; none when the database cannot tell, which leaves them to the clock. */
async function findWork(jobs: readonly Job[], now: Date): Promise<ReadonlySet<string>> {
  const questions = jobs.flatMap(({ asking, name }) => (asking ? [sql`(${name}, ${asking.hasWork(now)})`] : []));
  if (questions.length === 0) return new Set();
  try {
    const { rows } = await sql<{ name: string }>`
      select name from (values ${sql.join(questions)}) as job (name, works) where works
    `.execute(database());
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (noteTrouble(error) === null) log.error({ event: 'jobs_unasked', err: error });
    return new Set();
  }
}

/** Runs jobs when they are due, each by one instance at a time; the lanes side by side. */
export class JobClock {
  readonly #jobs: readonly Job[];
  readonly #now: () => Date;
  readonly #running = new Map<string, Promise<void>>();
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #woken = new Set<string>();
  #withWork: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | null = null;
  #sleep: (() => void) | null = null;
  #isStopped = false;
  #isTicking = false;

  /** `now` tells the time of the database. */
  constructor(jobs: readonly Job[], now: () => Date) {
    this.#jobs = jobs;
    this.#now = now;
  }

  /** Looks for what is due every second, and when it is woken. */
  start(): void {
    lives.since = this.#now();
    this.#timer = setInterval(() => this.#tick(), tickMilliseconds);
    this.#sleep = onWake((what) => {
      for (const { name, wokenBy } of this.#jobs) if (wokenBy === what) this.#woken.add(name);
      if (this.#woken.size > 0) this.#tick();
    });
  }

  #tick(): void {
    if (this.#isTicking || this.#isStopped) return;
    this.#isTicking = true;
    this.#startDue()
      .catch((error: unknown) => void (noteTrouble(error) ?? log.error({ event: 'jobs_paused', err: error })))
      .finally(() => void (this.#isTicking = false));
  }

  /** Takes no more jobs, waits so long for those under way, and gives the names of the others. */
  async stop(milliseconds: number): Promise<string[]> {
    this.#isStopped = true;
    lives.since = null;
    if (this.#timer) clearInterval(this.#timer);
    this.#sleep?.();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => void (timer = setTimeout(resolve, milliseconds)));
    await Promise.race([Promise.all(this.#lanes.values()), late]);
    clearTimeout(timer);
    return [...this.#running.keys()];
  }

  /** Runs everything that is due and waits until it is done. */
  async runDue(): Promise<void> {
    await this.#startDue();
    await Promise.all(this.#lanes.values());
  }

  async #startDue(): Promise<void> {
    const { rows } =
      await sql<State>`select name, started_at as "startedAt", leased_until as "leasedUntil" from job_run`.execute(
        database(),
      );
    const states = new Map(rows.map((row) => [row.name, row]));
    const now = this.#now();
    const free = this.#jobs.filter((job) => isWanted(job) && !this.#running.has(job.name));
    const isDueAfter = (seconds: number, { name }: Job) => isDue(seconds, states.get(name), now);
    this.#withWork = await findWork(
      free.filter(
        (job) => job.asking && !isDueAfter(this.#pauseOf(job), job) && isDueAfter(job.asking.everySeconds, job),
      ),
      now,
    );
    const due = free.filter((job) => isDueAfter(this.#pauseOf(job), job));
    for (const lane of new Set(due.map((job) => job.lane))) {
      if (this.#lanes.has(lane)) continue;
      const done = this.#runLane(due.filter((job) => job.lane === lane)).finally(() => {
        this.#lanes.delete(lane);
        // What came while they ran is not for the clock to find.
        if (this.#woken.size > 0) this.#tick();
      });
      this.#lanes.set(lane, done);
    }
  }

  /** How long after its last start a job is due again, in seconds: at once for one that was woken. */
  #pauseOf({ name, everySeconds, asking }: Job): number {
    if (this.#woken.has(name)) return 0;
    return asking && this.#withWork.has(name) ? asking.everySeconds : everySeconds;
  }

  async #runLane(due: readonly Job[]): Promise<void> {
    for (const job of due) {
      try {
        if (this.#isStopped || (job.isAble && !(await job.isAble()))) continue;
        if (await this.#claim(job)) {
          this.#woken.delete(job.name);
          await this.#run(job);
        }
      } catch (error) {
        // Left to the clock: a database that takes no writes would have it tried again without a pause.
        this.#woken.delete(job.name);
        if (noteTrouble(error) === null) log.error({ event: 'jobs_paused', job: job.name, err: error });
      }
    }
  }

  async #claim(job: Job): Promise<boolean> {
    const now = this.#now();
    const { rows } = await sql`
      insert into job_run (name, holder, started_at, leased_until) values (${job.name}, ${holder}, ${now}, ${later(now, leaseSeconds)})
      on conflict (name) do update set holder = excluded.holder, started_at = excluded.started_at, leased_until = excluded.leased_until
      where (job_run.leased_until is null or job_run.leased_until < ${now} or job_run.leased_until > ${later(now, longestLeaseSeconds + toleranceSeconds)})
        and (job_run.started_at is null or job_run.started_at <= ${later(now, -this.#pauseOf(job))} or job_run.started_at > ${later(now, toleranceSeconds)})
      returning name
    `.execute(database());
    return rows.length > 0;
  }

  async #run(job: Job): Promise<void> {
    const renewal = setInterval(() => void this.#renew(job), renewMilliseconds);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`It did not end within ${longestMilliseconds / 60_000} minutes.`)),
        longestMilliseconds,
      );
    });
    const work = job.run(this.#now());
    const done = work
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => void this.#running.delete(job.name));
    this.#running.set(job.name, done);
    try {
      const note = noteIn(await Promise.race([work, late]));
      await sql`
        update job_run set leased_until = null, finished_at = ${this.#now()}, attempts = 0, failure = null, note = ${note} where name = ${job.name} and holder = ${holder}
      `.execute(database());
    } catch (error) {
      log.error({ event: 'job_failed', job: job.name, err: error });
      const failure = error instanceof Error ? error.message : String(error);
      await sql`
        update job_run set leased_until = null, failed_at = ${this.#now()}, failure = ${failure}, attempts = attempts + 1
        where name = ${job.name} and holder = ${holder}
      `.execute(database());
    } finally {
      clearInterval(renewal);
      clearTimeout(timer);
    }
  }

  async #renew({ name }: Job): Promise<void> {
    try {
      await sql`update job_run set leased_until = ${later(this.#now(), leaseSeconds)} where name = ${name} and holder = ${holder} and leased_until is not null`.execute(
        database(),
      );
    } catch (error) {
      if (noteTrouble(error) === null) log.error({ event: 'jobs_paused', job: name, err: error });
    }
  }
}
