import { sql } from 'kysely';
import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { watchDatabase } from '@/lib/program/program';
import { readReadiness } from '@/lib/program/readiness';
import { cached, forget, forgetEverything } from '@/lib/platform/cache';
import { now } from '@/lib/platform/clock';
import { database, transact } from '@/lib/platform/database';
import { closeProbe, knowSchema } from '@/lib/platform/database-probe';
import { readMigrations } from '@/lib/platform/migrations';
import { isDatabaseAway } from '@/lib/platform/database-trouble';
import { countHit } from '@/lib/platform/rate-limit';
import { type Bridge, openBridge } from '../support/bridge';
import { onOwnConnection, onTestDatabase } from '../support/database';
import { startServer } from '../support/site-server';
import { type Answer, ask } from '../support/wire';

onTestDatabase();

let bridge: Bridge;
let stopWatch: () => void;
beforeAll(async () => {
  bridge = await openBridge(process.env.DATABASE_URL ?? '');
  process.env.DATABASE_URL = bridge.url;
  stopWatch = watchDatabase({ revive: async () => undefined, close: async () => undefined });
  await eventually(async () => (await readReadiness()).status === 'ready');
});
afterAll(async () => {
  stopWatch();
  await bridge.mend();
  await closeProbe();
});
afterAll(() => setTimeout(() => void bridge.close(), 0));

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function eventually(isSo: () => Promise<boolean>, milliseconds = 10_000): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > milliseconds) throw new Error('It did not come to that in time.');
    await pause(50);
  }
  return performance.now() - began;
}

async function timed<T>(body: () => Promise<T>): Promise<{ value: T; milliseconds: number }> {
  const began = performance.now();
  const value = await body();
  return { value, milliseconds: performance.now() - began };
}

const answers = z.object({ done: z.boolean() });
const read = handle({ summary: 'Reads', access: 'public', answers }, async () => {
  await sql`select count(*) from fixture`.execute(database());
  return { done: true };
});
const write = handle({ summary: 'Writes', access: 'public', answers }, async () => {
  await transact(() => countHit('faults', { hits: 1_000_000, windowSeconds: 60 }, now()));
  return { done: true };
});

const call = async (which: typeof read) => {
  const response = await which(new Request('http://localhost/api/x'), { params: Promise.resolve({}) });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    message: ((await response.json()) as { message?: string }).message,
  };
};

const away = {
  status: 503,
  retryAfter: '5',
  message: 'The site cannot reach its database at the moment. Try again in a few seconds.',
};
const asOwner = (...statements: string[]) =>
  onOwnConnection(async (client) => {
    for (const statement of statements) await client.query(statement);
  });
const well = async () => (await call(read)).status === 200 && (await call(write)).status === 200;

describe('a database that is gone', () => {
  test('is said at once, calls answer 503 in time, and all is well within a second of its return', async () => {
    await bridge.cut();
    const { value, milliseconds } = await timed(readReadiness);
    expect(value).toEqual({ status: 'unavailable', reason: 'The database does not answer.' });
    expect(milliseconds).toBeLessThan(1_500);
    expect(await call(read)).toEqual(away);
    const written = await timed(() => call(write));
    expect(written.value).toEqual(away);
    expect(written.milliseconds).toBeLessThan(7_000);
    expect(isDatabaseAway()).toBe(true);
    await bridge.mend();
    expect(await eventually(well)).toBeLessThan(3_000);
    expect((await readReadiness()).status).toBe('ready');
  });

  test('for less than the patience of a write fails none', async () => {
    await bridge.cut();
    const written = call(write);
    await pause(1_500);
    await bridge.mend();
    expect((await written).status).toBe(200);
  });
});

test('a database that was stopped keeps nobody waiting: readiness answers in a second, calls under way fail when it is called away', async () => {
  await call(read);
  bridge.stall();
  const waiting = timed(() => call(read));
  const ready = await timed(readReadiness);
  expect(ready.value).toEqual({ status: 'unavailable', reason: 'The database does not answer.' });
  expect(ready.milliseconds).toBeLessThan(1_500);
  const { value, milliseconds } = await waiting;
  expect(value).toEqual(away);
  expect(milliseconds).toBeLessThan(6_000);
  await bridge.mend();
  await eventually(async () => !isDatabaseAway());
  // No connection of before is handed out.
  for (let round = 0; round < 20; round += 1) expect((await call(read)).status).toBe(200);
});

test('a locked table fails those who need it after some seconds and nobody else; readiness does not wait', async () => {
  await onOwnConnection(async (client) => {
    await client.query('begin');
    await client.query('lock table fixture in access exclusive mode');
    const locked = timed(() => call(read));
    expect((await call(write)).status).toBe(200);
    const ready = await timed(readReadiness);
    expect([ready.value.status, ready.milliseconds < 1_500]).toEqual(['ready', true]);
    const { value, milliseconds } = await locked;
    expect(value).toEqual(away);
    expect(milliseconds).toBeLessThan(10_000);
    await client.query('rollback');
  });
  expect(await well()).toBe(true);
});

test('a pool that is used up fails who waits too long for a connection, and readiness has one of its own', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const holders = Array.from({ length: 16 }, () =>
    transact(async () => {
      await sql`select 1`.execute(database());
      await held;
    }),
  );
  await pause(300);
  const waiting = timed(() => call(read));
  const ready = await timed(readReadiness);
  expect([ready.value.status, ready.milliseconds < 1_500]).toEqual(['ready', true]);
  const { value, milliseconds } = await waiting;
  expect(value).toEqual(away);
  expect(milliseconds).toBeLessThan(6_000);
  release();
  await Promise.all(holders);
  expect(await well()).toBe(true);
});

/** Has every new counter fail with this code, as the server itself does when it can go no further. */
async function failing(code: string, body: () => Promise<void>): Promise<void> {
  await asOwner(
    `create or replace function trouble() returns trigger language plpgsql as $$ begin raise exception 'could not extend file: no space left' using errcode = '${code}'; end $$`,
    'create trigger trouble before insert or update on rate_limit for each row execute function trouble()',
  );
  try {
    await body();
  } finally {
    await asOwner('drop trigger trouble on rate_limit', 'drop function trouble');
  }
}

test.each([
  ['a full disk', '53100', 'The disk of the database is full: nothing can be written.', 'refused'],
  ['a disk that fails', '58030', 'The disk of the database is full: nothing can be written.', 'refused'],
  ['too little memory', '53200', 'The database has too little memory.', undefined],
])('%s answers writes with 503, reads go on, and readiness says it', async (_name, code, said, writes) => {
  await failing(code, async () => {
    expect(await call(write)).toEqual(away);
    expect((await call(read)).status).toBe(200);
    const ready = await readReadiness();
    expect(ready).toMatchObject({ status: 'ready', ...(writes && { writes }) });
    expect('warnings' in ready ? ready.warnings : []).toContain(said);
  });
  expect(await well()).toBe(true);
});

test('a database that became read-only answers writes with 503, reads go on, and readiness says it', async () => {
  await onOwnConnection(async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    const name = rows[0]?.name ?? '';
    await client.query(`alter database "${name}" set default_transaction_read_only = on`);
    // Connections that are open keep their setting; new ones have the other.
    await bridge.cut();
    await bridge.mend();
    await eventually(async () => (await readReadiness()).status === 'ready' && (await call(write)).status === 503);
    expect((await call(read)).status).toBe(200);
    expect(await readReadiness()).toMatchObject({
      status: 'ready',
      writes: 'refused',
      warnings: expect.arrayContaining(['The database is read-only: nothing can be written.']) as unknown,
    });
    await client.query('set default_transaction_read_only = off');
    await client.query(`alter database "${name}" reset default_transaction_read_only`);
  });
  await bridge.cut();
  await bridge.mend();
  await eventually(well);
});

test('a database without a connection to spare answers 503 and is well as soon as there is one', async () => {
  await bridge.cut();
  await onOwnConnection(async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    await client.query(`alter database "${rows[0]?.name ?? ''}" connection limit 1`);
    await bridge.mend();
    const ready = await timed(readReadiness);
    expect(ready.value).toEqual({
      status: 'unavailable',
      reason: 'The database has no connection left for this program.',
    });
    await eventually(async () => (await call(read)).status === 503);
    await client.query(`alter database "${rows[0]?.name ?? ''}" connection limit -1`);
  });
  expect(await eventually(well)).toBeLessThan(3_000);
});

describe('a schema that a newer release has made', () => {
  afterEach(() => asOwner(`delete from migration where name = '9999-later.sql'`).then(() => knowSchema([])));

  test('while this one runs is said, unless it says that this one runs with it', async () => {
    const known = (await readMigrations('migrations')).map(({ name }) => name);
    const newest = known.at(-1) ?? '';
    const number = Number(newest.slice(0, 4));
    knowSchema(known);
    await asOwner(
      `insert into migration (name, checksum, compatible_from) values ('9999-later.sql', 'x', '${String(number).padStart(4, '0')}')`,
    );
    expect(await readReadiness()).toMatchObject({
      status: 'ready',
      warnings: expect.arrayContaining([
        'The database has the schema of a newer release (9999-later.sql), whose guards and privileges this release cannot judge.',
      ]) as unknown,
    });
    await asOwner(
      `update migration set compatible_from = '${String(number + 1).padStart(4, '0')}' where name = '9999-later.sql'`,
    );
    expect(await readReadiness()).toEqual({
      status: 'unavailable',
      reason:
        'The database has the schema of a newer release (9999-later.sql), with which this release cannot run. Start the newer release, or restore a backup from before it into an empty database.',
    });
  });
});

describe('a page', () => {
  const made = async (url: string) =>
    `${url} ${(await cached(`faults ${url}`, 1, [`faults ${url}`], async () => (await sql<{ at: Date }>`select clock_timestamp() as at`.execute(database())).rows[0]?.at.toISOString())) ?? ''}`;

  /** Stands in for Next: reads the database for every page but those of errors, and answers 500 when that fails. */
  const onSite = async (body: (origin: string) => Promise<void>) => {
    forgetEverything();
    const { origin, end } = await startServer(async ({ url = '' }, response) => {
      const [status, text] = url.startsWith('/~')
        ? [200, `words of ${url}`]
        : await made(url).then(
            (page) => [200, page] as const,
            () => [500, ''] as const,
          );
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<p>${text}</p>`);
    });
    try {
      await body(origin);
    } finally {
      await end();
    }
  };

  test('that guests saw is sent stale while the database is away, with its age; another one answers 503 with the words of the site', async () => {
    await onSite(async (origin) => {
      const before = await ask(origin, '/football');
      await bridge.cut();
      await eventually(async () => isDatabaseAway());
      await pause(1_100);
      const asked: Answer[] = [];
      for (let round = 0; round < 20; round += 1) asked.push(await ask(origin, '/football'));
      expect(asked.map(({ status, text }) => [status, text])).toEqual(asked.map(() => [200, before.text]));
      expect(asked.at(-1)?.headers).toMatchObject({
        warning: '111 - "Revalidation Failed"',
        age: expect.stringMatching(/^[1-9]\d*$/) as unknown,
      });
      const unseen = await ask(origin, '/tennis');
      expect([unseen.status, unseen.headers['retry-after'], unseen.headers['cache-control'], unseen.text]).toEqual([
        503,
        '5',
        'no-store',
        '<p>words of /~unavailable</p>',
      ]);
      const member = await ask(origin, '/dashboard', { cookie: 'session=x' });
      expect([member.status, member.headers['retry-after'], member.text]).toEqual([
        503,
        '5',
        '<p>words of /~unavailable</p>',
      ]);
      await bridge.mend();
      await eventually(async () => !isDatabaseAway());
      const after = await ask(origin, '/football');
      expect([after.status, after.headers.warning]).toEqual([200, undefined]);
      expect(after.text).not.toBe(before.text);
    });
  });

  test('that was forgotten just before is sent stale for a minute, and as soon as the database is back made anew', async () => {
    await onSite(async (origin) => {
      const before = await ask(origin, '/football');
      await forget(['faults /football']);
      await bridge.cut();
      const during = await ask(origin, '/football');
      expect([during.status, during.text, during.headers.warning]).toEqual([
        200,
        before.text,
        '111 - "Revalidation Failed"',
      ]);
      await eventually(async () => isDatabaseAway());
      const { now: present } = performance;
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => present.call(performance) + 61_000);
      expect((await ask(origin, '/football')).status).toBe(503);
      clock.mockRestore();
      expect((await ask(origin, '/football')).status).toBe(200);
      await bridge.mend();
      await eventually(async () => !isDatabaseAway());
      const after = await ask(origin, '/football');
      expect([after.status, after.headers.warning]).toEqual([200, undefined]);
      expect(after.text).not.toBe(before.text);
    });
  });
});
