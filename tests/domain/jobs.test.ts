import { sql } from 'kysely';
import pg from 'pg';
import { askForCode } from '@/lib/accounts/commands';
import type * as Jobs from '@/lib/jobs/schedule';
import { jobs, runDueJobs, startJobs } from '@/lib/jobs/schedule';
import { listLateJobs } from '@/lib/jobs/states';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { countHit } from '@/lib/platform/rate-limit';
import { wake } from '@/lib/platform/wake';
import { asOwner, onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { standAt } from '../support/clock';
import { fixturesBetween } from '../support/import';
import { worldNow } from '../support/world';

onTestDatabase();
beforeAll(() => standAt(worldNow));
beforeEach(() => asOwner(sql`truncate job_run`));
afterEach(() => jest.restoreAllMocks());

const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);

type Run = {
  name: string;
  holder: string | null;
  leasedUntil: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  failure: string | null;
  attempts: number;
};

async function recorded(name: string): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    select name, holder, leased_until as "leasedUntil", started_at as "startedAt", finished_at as "finishedAt", failure, attempts from job_run where name = ${name}
  `.execute(database());
  return rows[0];
}

function theJob(name: string, of: typeof Jobs = { jobs, runDueJobs, startJobs }): (typeof jobs)[number] {
  const job = of.jobs.find((each) => each.name === name);
  if (!job) throw new Error(`There is no job ${name}.`);
  return job;
}

/** Counts the runs of a job in place of its work. */
const countRuns = (name: string, work: (now: Date) => Promise<unknown> = async () => undefined) =>
  jest.spyOn(theJob(name), 'run').mockImplementation(work);

/** The same program started a second time: its jobs have a holder of their own and share the database. */
function secondHolder(): typeof Jobs {
  let second: typeof Jobs | null = null;
  jest.isolateModules(() => {
    second = jest.requireActual<typeof Jobs>('@/lib/jobs/schedule');
  });
  if (!second) throw new Error('The program did not start.');
  return second;
}

describe('the table of jobs', () => {
  test('has names of its own and intervals of a second or more', () => {
    expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length);
    for (const { everySeconds } of jobs) expect(everySeconds).toBeGreaterThanOrEqual(1);
  });

  test('does its work: markets close, results are asked for, old counters go', async () => {
    await countHit('old', { hits: 1, windowSeconds: 60 }, after(-2 * 86_400));
    await countHit('young', { hits: 1, windowSeconds: 60 }, worldNow);
    await runDueJobs(worldNow);
    expect(await fixturesBetween('Town', 'City')).toMatchObject([{ status: 'pending', closed: true }]);
    expect(
      (await sql`select count(*)::int as count from rate_limit where window_start = ${worldNow}`.execute(database()))
        .rows,
    ).toEqual([{ count: 1 }]);
    expect((await sql`select 1 from rate_limit where window_start < ${worldNow}`.execute(database())).rows).toEqual([]);
    // Without a bot nothing is asked of Telegram, and nothing of witnesses where none are named.
    for (const { name } of jobs.filter((job) => !['ask-telegram', 'ask-witnesses'].includes(job.name)))
      expect(await recorded(name)).toMatchObject({
        leasedUntil: null,
        startedAt: worldNow,
        finishedAt: worldNow,
        failure: null,
        attempts: 0,
      });
  });
});

describe('a job', () => {
  test('runs when it is due and not before', async () => {
    const runs = countRuns('ask-for-due-results');
    const { everySeconds } = theJob('ask-for-due-results');
    for (const seconds of [0, 1, everySeconds - 1, everySeconds, everySeconds + 1, 2 * everySeconds])
      await runDueJobs(after(seconds));
    expect(runs.mock.calls.map(([now]) => (now.getTime() - worldNow.getTime()) / 1000)).toEqual([
      0,
      everySeconds,
      2 * everySeconds,
    ]);
  });

  test('that fails is recorded with its reason, does not keep the others from running, and is tried again when it is next due', async () => {
    const failing = countRuns('expire-orders', () => Promise.reject(new Error('the disk is full')));
    const other = countRuns('ask-for-due-results');
    await runDueJobs(worldNow);
    expect(await recorded('expire-orders')).toMatchObject({
      failure: 'the disk is full',
      attempts: 1,
      leasedUntil: null,
      finishedAt: null,
    });
    expect(other).toHaveBeenCalledTimes(1);
    await runDueJobs(after(1));
    expect(failing).toHaveBeenCalledTimes(1);
    await runDueJobs(after(10));
    expect(await recorded('expire-orders')).toMatchObject({ attempts: 2 });
    failing.mockImplementation(async () => undefined);
    await runDueJobs(after(20));
    expect(await recorded('expire-orders')).toMatchObject({ attempts: 0, failure: null, finishedAt: after(20) });
  });

  test('that throws what is no error is recorded too', async () => {
    countRuns('expire-orders', () => Promise.reject('just words'));
    await runDueJobs(worldNow);
    expect(await recorded('expire-orders')).toMatchObject({ failure: 'just words', attempts: 1 });
  });
});

describe('a job that asks the database whether there is work', () => {
  const countQuestions = () => jest.spyOn(pg.Client.prototype, 'query');

  test('runs as soon as there is some, and else when its time has come', async () => {
    const { everySeconds, asking } = theJob('send-asked-codes');
    expect(asking).toMatchObject({ everySeconds: 1 });
    const runs = countRuns('send-asked-codes');
    await runDueJobs(worldNow);
    for (const seconds of [1, 2]) await runDueJobs(after(seconds));
    expect(runs).toHaveBeenCalledTimes(1);
    await askForCode('nobody@example.com', 'confirm', after(3));
    for (const seconds of [3, 3.5, 4]) await runDueJobs(after(seconds));
    expect(runs.mock.calls.map(([now]) => now)).toEqual([worldNow, after(3), after(4)]);
    await sql`delete from code_request`.execute(database());
    for (const seconds of [5, 4 + everySeconds - 1, 4 + everySeconds]) await runDueJobs(after(seconds));
    expect(runs.mock.calls.map(([now]) => now).slice(3)).toEqual([after(4 + everySeconds)]);
  });

  test('of codes that were asked for never waits for a run of mails', () => {
    expect(theJob('send-asked-codes').lane).not.toBe(theJob('send-mails').lane);
  });

  test('is one question with all others, and two for a second in which nothing is to be done', async () => {
    await runDueJobs(worldNow);
    await runDueJobs(after(0.5));
    const questions = countQuestions();
    await runDueJobs(after(2.5));
    expect(questions).toHaveBeenCalledTimes(2);
    for (const { name, asking } of jobs.filter((job) => job.asking))
      expect([name, (await sql`select ${asking?.hasWork(worldNow)} as works`.execute(database())).rows]).toEqual([
        name,
        [{ works: false }],
      ]);
  });

  test('is told of a mail that is due, where there is a server to send it', async () => {
    await asOwner(
      sql`insert into mail_outbox (recipient, subject, text, html, created_at, next_at) values ('x@example.com', 's', 't', 'h', ${worldNow}, ${after(60)})`,
    );
    const ask = async (seconds: number) =>
      (
        await sql<{ works: boolean }>`select ${theJob('send-mails').asking?.hasWork(after(seconds))} as works`.execute(
          database(),
        )
      ).rows[0]?.works;
    expect(await ask(60)).toBe(false);
    await inEnvironment({ SMTP_URL: 'smtp://127.0.0.1:9' }, async () =>
      expect([await ask(59), await ask(60)]).toEqual([false, true]),
    );
    await sql`delete from mail_outbox`.execute(database());
  });

  test('is left to the clock where the question fails, and the others with it', async () => {
    const asking = theJob('send-asked-codes').asking;
    if (!asking) throw new Error('It asks nothing.');
    jest.spyOn(asking, 'hasWork').mockReturnValue(sql<boolean>`1 / 0 = 1`);
    const runs = countRuns('send-asked-codes');
    const other = countRuns('expire-orders');
    await runDueJobs(worldNow);
    await askForCode('nobody@example.com', 'confirm', after(3));
    await runDueJobs(after(10));
    expect([runs.mock.calls.length, other.mock.calls.length]).toEqual([1, 2]);
    await runDueJobs(after(30));
    expect(runs).toHaveBeenCalledTimes(2);
  });
});

describe('two programs', () => {
  test('run a job once between them, whoever comes first', async () => {
    const second = secondHolder();
    const runs = [
      countRuns('expire-orders'),
      jest.spyOn(theJob('expire-orders', second), 'run').mockImplementation(async () => undefined),
    ];
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        runDueJobs(after(round * 10)),
        second.runDueJobs(after(round * 10)),
        runDueJobs(after(round * 10)),
        second.runDueJobs(after(round * 10)),
      ]);
    }
    expect(runs.reduce((sum, run) => sum + run.mock.calls.length, 0)).toBe(10);
  });

  test('do not run a job while the other holds it; its lease ends after fifteen seconds when it has died', async () => {
    const second = secondHolder();
    const [mine, theirs] = [countRuns('expire-orders'), jest.spyOn(theJob('expire-orders', second), 'run')];
    let finish: () => void = () => undefined;
    const started = new Promise<void>((resolve) =>
      theirs.mockImplementation(
        () =>
          new Promise<void>((end) => {
            finish = end;
            resolve();
          }),
      ),
    );
    const running = second.runDueJobs(worldNow);
    await started;
    await runDueJobs(after(11));
    await runDueJobs(after(15));
    expect(mine).not.toHaveBeenCalled();
    await runDueJobs(after(16));
    expect(mine).toHaveBeenCalledTimes(1);
    const taken = await recorded('expire-orders');
    finish();
    await running;
    expect(await recorded('expire-orders')).toEqual(taken);
    expect(taken?.holder).not.toBeNull();
  });
});

describe('a job with work', () => {
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  test('is run at once when it is told, also of what came while it ran, and only once that is committed', async () => {
    for (const { name } of jobs) countRuns(name);
    let finish: () => void = () => undefined;
    const runs = countRuns('send-mails', () => new Promise<void>((end) => void (finish = end)));
    const stop = startJobs();
    await until(() => runs.mock.calls.length === 1);
    wake('mails');
    wake('nothing that a job waits for');
    finish();
    await until(() => runs.mock.calls.length === 2);
    finish();
    await transact(async () => {
      wake('mails');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(runs).toHaveBeenCalledTimes(2);
    });
    // The clock stands still here: without being told the job would not be due again.
    await until(() => runs.mock.calls.length === 3);
    finish();
    await stop();
    wake('mails');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(runs).toHaveBeenCalledTimes(3);
  });
});

test('a job that was woken and cannot be claimed is left to the clock, not tried without a pause', async () => {
  for (const { name } of jobs) countRuns(name);
  const stop = startJobs();
  while (!(await recorded('send-mails'))?.finishedAt) await new Promise((resolve) => setTimeout(resolve, 20));
  await asOwner(
    sql`create function refuse_claim() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`,
  );
  await asOwner(
    sql`create trigger refusing before insert on job_run for each row when (new.name = 'send-mails') execute function refuse_claim()`,
  );
  const told = jest.spyOn(log, 'error').mockImplementation(() => undefined);
  wake('mails');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(told.mock.calls.length).toBe(1);
  await asOwner(sql`drop trigger refusing on job_run`);
  await asOwner(sql`drop function refuse_claim`);
  await stop();
});

describe('a clock that was wrong', () => {
  const written = (startedAt: Date, leasedUntil: Date | null) =>
    asOwner(
      sql`insert into job_run (name, holder, started_at, leased_until) values ('expire-orders', 'another', ${startedAt}, ${leasedUntil})`,
    );

  test('holds no job up: a start in the future counts as due, a lease of six hours as ended', async () => {
    const runs = countRuns('expire-orders');
    await written(after(6 * 3_600), after(6 * 3_600 + 60));
    await runDueJobs(worldNow);
    expect(runs).toHaveBeenCalledTimes(1);
    expect(await recorded('expire-orders')).toMatchObject({ startedAt: worldNow, leasedUntil: null });
  });

  test('does not end the lease of an instance that keeps the time', async () => {
    const runs = countRuns('expire-orders');
    await written(worldNow, after(60));
    await runDueJobs(after(1));
    expect(runs).not.toHaveBeenCalled();
  });
});

describe('lanes', () => {
  test('run side by side, the jobs of one after each other', async () => {
    const order: string[] = [];
    const slow = (name: string, milliseconds: number) =>
      countRuns(name, async () => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        order.push(`${name} ends`);
      });
    slow('settle-due-tips', 400);
    slow('resettle-corrected', 0);
    slow('send-mails', 0);
    await runDueJobs(worldNow);
    expect(order.indexOf('send-mails ends')).toBeLessThan(order.indexOf('settle-due-tips ends'));
    expect(order.filter((each) => each.includes('settle'))).toEqual([
      'settle-due-tips begins',
      'settle-due-tips ends',
      'resettle-corrected begins',
      'resettle-corrected ends',
    ]);
  });
});

test('a job that does not end does not keep the program from stopping, and is named', async () => {
  let finish: () => void = () => undefined;
  countRuns('expire-orders', () => new Promise<void>((end) => void (finish = end)));
  const stop = startJobs();
  while (!(await recorded('expire-orders'))?.startedAt) await new Promise((resolve) => setTimeout(resolve, 50));
  const began = performance.now();
  expect(await stop(500)).toEqual(['expire-orders']);
  expect(performance.now() - began).toBeLessThan(2_000);
  // Its lease is renewed until it ends.
  finish();
  expect(await stop(10_000)).toEqual([]);
});

test('a job that has not gone well for more than a minute is called late, with by how much', async () => {
  const stop = startJobs();
  await stop();
  expect(await listLateJobs()).toEqual([]);
  await asOwner(sql`truncate job_run`);
  for (const { name } of jobs) countRuns(name);
  countRuns('expire-orders', () => Promise.reject(new Error('the disk is full')));
  const again = startJobs();
  const until = after(300);
  standAt(until);
  await runDueJobs(until);
  expect(await listLateJobs()).toEqual([{ name: 'expire-orders', lateSeconds: 290 }]);
  standAt(worldNow);
  await again();
});

test('the clock of the jobs runs them until it is stopped, and stopping waits for the run under way', async () => {
  const runs = countRuns('expire-orders', () => new Promise((resolve) => setTimeout(resolve, 200)));
  const stop = startJobs();
  while (runs.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await stop();
  expect(await recorded('expire-orders')).toMatchObject({ leasedUntil: null, attempts: 0 });
  expect((await recorded('expire-orders'))?.finishedAt).not.toBeNull();
  await asOwner(sql`truncate job_run`);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(runs).toHaveBeenCalledTimes(1);
});
