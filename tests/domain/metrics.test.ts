import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Metrics } from '@/lib/program/metrics';
import { RequestFollower } from '@/lib/http/request-end';
import { askForJob } from '@/lib/jobs/ask';
import { jobs } from '@/lib/jobs/schedule';
import { cached, everything, forget, pollForgotten } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { fillRecord } from '../support/record';

onTestDatabase();

const token = 'a-token-of-the-test';

async function onMetrics(
  body: (ask: (path: string, headers?: Record<string, string>) => Promise<Response>) => Promise<void>,
): Promise<void> {
  const metrics = new Metrics({
    embedded: true,
    pages: () => ({ entries: 3, size: 4096 }),
    renders: () => ({ running: 2, waiting: 5 }),
  });
  const follower = new RequestFollower({ TIPLEDGER_PROXIES: 0, ACCESS_LOG: 'off' });
  const server = createServer((request, response) => {
    follower.follow(request, response);
    if (request.url === '/metrics') return void metrics.answer(request, response);
    response.writeHead(request.url === '/500' ? 500 : request.url?.startsWith('/nowhere') ? 404 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await body((path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers }));
  } finally {
    metrics.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
}

describe('the metrics', () => {
  test('are not there without a token, and for nobody who does not send it', () =>
    onMetrics(async (ask) => {
      expect((await ask('/metrics')).status).toBe(404);
      await inEnvironment({ METRICS_TOKEN: token }, async () => {
        for (const headers of [
          {},
          { authorization: 'Bearer' },
          { authorization: `Bearer ${token}x` },
          { authorization: token },
        ])
          expect((await ask('/metrics', headers as Record<string, string>)).status).toBe(401);
        expect((await ask('/metrics', { authorization: `Bearer ${token}` })).status).toBe(200);
      });
    }));

  test('tell of requests, the record, jobs, mails, settlement and the pool', () =>
    onMetrics(async (ask) => {
      await fillRecord();
      await sql`insert into job_run (name, started_at, attempts) values ('send-mails', clock_timestamp() - interval '92 seconds', 3), ('ask-telegram', clock_timestamp() - interval '9 days', 7)`.execute(
        database(),
      );
      // The others are held by the quiet hours of their readers, the last after two tries.
      await sql`
        insert into mail_outbox (recipient, subject, text, html, created_at, next_at, attempts)
        values ('x@example.com', 's', 't', 'h', clock_timestamp() - interval '1 hour', now(), 0),
          ('y@example.com', 's', 't', 'h', clock_timestamp() - interval '5 hours', now() + interval '1 hour', 0),
          ('z@example.com', 's', 't', 'h', clock_timestamp() - interval '6 hours', now() + interval '8 hours', 2),
          -- Given up.
          ('w@example.com', 's', 't', 'h', clock_timestamp() - interval '9 days', now() - interval '8 days', 12)
      `.execute(database());
      await inEnvironment({ METRICS_TOKEN: token }, async () => {
        for (let index = 0; index < 50; index += 1) await ask(`/nowhere/${index}`);
        await ask('/500');
        const text = await (await ask('/metrics', { authorization: `Bearer ${token}` })).text();
        const value = (name: string) =>
          Number(
            text
              .split('\n')
              .find((line) => line.startsWith(`${name} `))
              ?.slice(name.length + 1) ?? NaN,
          );
        expect(value('tipledger_request_seconds_count{method="GET",route="other",status="404",cache="none"}')).toBe(50);
        // By which the alarm of faults leaves it out.
        expect(value('tipledger_request_seconds_count{method="GET",route="/500",status="500",cache="none"}')).toBe(1);
        expect(
          text.split('\n').filter((line) => line.includes('route="other"') && line.includes('_count')).length,
        ).toBe(1);
        expect(value('tipledger_job_late_seconds{job="send-mails"}')).toBeGreaterThanOrEqual(60);
        expect(value('tipledger_job_late_seconds{job="send-mails"}')).toBeLessThan(120);
        expect(value('tipledger_job_failures{job="send-mails"}')).toBe(3);
        // Its setting is gone, and it is not run any more.
        expect(text).not.toContain('ask-telegram');
        expect(value('tipledger_mails{state="waiting"}')).toBe(3);
        expect(value('tipledger_mails{state="failing"}')).toBe(0);
        expect(value('tipledger_mail_oldest_seconds')).toBeGreaterThanOrEqual(3600);
        expect(value('tipledger_mail_oldest_seconds')).toBeLessThan(5 * 3600);
        const { rows } = await sql<{
          entries: number;
          signed: number;
          due: number;
        }>`select (select max(sequence) from ledger_entry) as entries, (select max(sequence) from ledger_checkpoint) as signed, (select count(*)::int from open_tip where due_at <= now()) as due`.execute(
          database(),
        );
        expect(value('tipledger_record_entries{state="all"}')).toBe(rows[0]?.entries);
        expect(value('tipledger_record_entries{state="signed"}')).toBe(rows[0]?.signed);
        expect(value('tipledger_record_checkpoint_age_seconds')).toBeGreaterThan(0);
        expect(value('tipledger_record_findings')).toBe(0);
        expect(value('tipledger_settlement_due{what="tips"}')).toBe(rows[0]?.due);
        expect(
          value('tipledger_pool_connections{state="idle"}') + value('tipledger_pool_connections{state="used"}'),
        ).toBeGreaterThan(0);
        expect(value('tipledger_renders{state="waiting"}')).toBe(5);
        expect(value('tipledger_page_cache_bytes')).toBe(4096);
        expect(value('tipledger_database_up')).toBe(1);
        expect(value('tipledger_database_embedded')).toBe(1);
      });
    }));
});

test('a job that is asked for is due at once, one that there is not is none', async () => {
  const [first] = jobs;
  await sql`insert into job_run (name, started_at) values (${first?.name ?? ''}, now()) on conflict (name) do update set started_at = now()`.execute(
    database(),
  );
  expect(await askForJob(first?.name ?? '')).toBeInstanceOf(Date);
  expect(
    (
      await sql<{
        started: Date | null;
      }>`select started_at as started from job_run where name = ${first?.name ?? ''}`.execute(database())
    ).rows,
  ).toEqual([{ started: null }]);
  expect(await askForJob('no-such-job')).toBeNull();
});

test('everything can be forgotten, here and on instances that poll', async () => {
  let reads = 0;
  const read = () => cached('test:everything', 60, ['some-tag'], async () => (reads += 1));
  await pollForgotten();
  expect([await read(), await read()]).toEqual([1, 1]);
  await forget([everything]);
  expect(await read()).toBe(2);
  // As another instance does it.
  await sql`update cache_version set version = version + 1, changed_at = clock_timestamp() where topic = ${everything}`.execute(
    database(),
  );
  await pollForgotten();
  expect(await read()).toBe(3);
});
