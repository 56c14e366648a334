import { sql } from 'kysely';
import { readReadiness } from '@/lib/program/readiness';
import { forget, forgetEverything, pollForgotten, reads } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { closeProbe } from '@/lib/platform/database-probe';
import { closeReplica, replicaStatus } from '@/lib/platform/database-replica';
import { type Bridge, openBridge } from '../support/bridge';
import { onEmptyDatabase, onOwnConnection, onTestDatabase } from '../support/database';
import { startServer } from '../support/site-server';
import { ask } from '../support/wire';

onTestDatabase();

// A database of its own stands in for a standby: it says of itself what a standby says, at the place in the log that the test gives it.
const standIn = `
  create table marker (said text not null);
  insert into marker values ('replica');
  create table replayed (position pg_lsn);
  insert into replayed values ('FFFF/0');
  create function public.pg_is_in_recovery() returns boolean language sql as 'select true';
  create function public.pg_last_wal_replay_lsn() returns pg_lsn language sql as 'select position from public.replayed';
`;

let bridge: Bridge;
let replicaUrl: string;
let dropReplica: () => void;
let isDropped: Promise<void>;

beforeAll(async () => {
  const { DATABASE_OWNER_URL: ownerUrl = '' } = process.env;
  await onOwnConnection(async (client) => {
    await client.query(`create table marker (said text not null)`);
    await client.query(`insert into marker values ('primary')`);
    await client.query(`grant select, insert on marker to public`);
  }, ownerUrl);
  replicaUrl = await new Promise<string>((resolve) => {
    isDropped = onEmptyDatabase(async (url) => {
      await onOwnConnection(async (client) => {
        await client.query(standIn);
        const name = new URL(url).pathname.slice(1);
        await client.query(`alter database ${name} set search_path = public, pg_catalog`);
        await client.query(`alter database ${name} set default_transaction_read_only = on`);
      }, url);
      resolve(url);
      await new Promise<void>((over) => (dropReplica = over));
    });
  });
  bridge = await openBridge(replicaUrl);
  process.env.DATABASE_REPLICA_URL = bridge.url;
});
afterAll(async () => {
  delete process.env.DATABASE_REPLICA_URL;
  await closeProbe();
  await closeReplica();
  await bridge.close();
  dropReplica();
  await isDropped;
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const replay = (position: string | null) =>
  onOwnConnection(async (client) => {
    await client.query('set default_transaction_read_only = off');
    await client.query('update replayed set position = $1', [position]);
  }, replicaUrl);

/** Polls as the program does twice a second, and lets the replica be asked. */
async function poll(): Promise<string | undefined> {
  await pollForgotten();
  await pause(300);
  return replicaStatus()?.standing;
}

const marker = async () => {
  const { rows } = await sql<{ said: string }>`select said from marker`.execute(database());
  return rows.map(({ said }) => said).join(' ');
};

let origin: string;
let end: () => Promise<void>;
let whileMaking: () => Promise<unknown> = async () => undefined;

beforeEach(async () => {
  forgetEverything();
  whileMaking = async () => undefined;
  ({ origin, end } = await startServer(async ({ url = '' }, response) => {
    reads([`marker ${url}`], 60);
    const before = await marker();
    await whileMaking();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`${before}, ${await marker()}`);
  }));
  await replay('FFFF/0');
  await poll();
});
afterEach(() => end());

const page = async (path = '/football') => (await ask(origin, path)).text;

test('a guest’s page is read from a replica that has what this instance knows', async () => {
  expect(await poll()).toBe('current');
  expect(await page()).toBe('replica, replica');
  expect(await readReadiness()).toMatchObject({ status: 'ready', replica: 'current' });
});

test('what is no guest’s page is read from the primary', async () => {
  expect(await poll()).toBe('current');
  expect(await marker()).toBe('primary');
  expect((await ask(origin, '/dashboard')).text).toBe('primary, primary');
  expect((await ask(origin, '/football?unknown=1', { cookie: 'session=x' })).text).toBe('replica, replica');
});

test('a page is read from the primary while the replica lags, and from the replica when it has caught up', async () => {
  await replay('0/1');
  expect(await poll()).toBe('behind');
  expect(await page()).toBe('primary, primary');
  expect(await readReadiness()).toMatchObject({ status: 'ready', replica: 'behind' });
  await replay('FFFF/0');
  expect(await poll()).toBe('current');
  expect(await page('/tennis')).toBe('replica, replica');
});

test('after something was forgotten here, the primary is read until the replica is known to have it', async () => {
  expect(await page()).toBe('replica, replica');
  await replay('0/1');
  await forget(['marker /football']);
  expect(await page()).toBe('primary, primary');
  expect(await poll()).toBe('behind');
  await replay('FFFF/0');
  expect(await poll()).toBe('current');
  expect(await page('/tennis')).toBe('replica, replica');
});

test('after another instance has forgotten something, just so', async () => {
  await onOwnConnection((client) =>
    client.query(
      `insert into cache_version (topic) values ('marker /football') on conflict (topic) do update set version = cache_version.version + 1, changed_at = clock_timestamp()`,
    ),
  );
  await replay('0/1');
  const polled = pollForgotten();
  await polled;
  expect(await page()).toBe('primary, primary');
});

test('a page that has begun on the replica goes on with the primary when something is forgotten meanwhile, and is not kept', async () => {
  whileMaking = async () => {
    whileMaking = async () => undefined;
    await forget(['marker /football']);
  };
  expect(await page()).toBe('replica, primary');
  expect(await page()).toBe('primary, primary');
});

test('what is written while a page is made is written to the primary', async () => {
  whileMaking = () => sql`insert into marker select 'written' where false`.execute(database());
  expect(await page()).toBe('replica, replica');
  whileMaking = () => transact(async () => expect(await marker()).toBe('primary'));
  expect(await page('/tennis')).toBe('replica, replica');
});

test('a replica that goes away costs no page, and is read again when it is back', async () => {
  whileMaking = async () => {
    whileMaking = async () => undefined;
    await bridge.cut();
  };
  expect(await page()).toBe('replica, primary');
  expect(await page('/tennis')).toBe('primary, primary');
  expect(await poll()).toBe('away');
  expect(await readReadiness()).toMatchObject({ status: 'ready', replica: 'away' });
  await bridge.mend();
  expect(await poll()).toBe('current');
  expect(await page('/cricket')).toBe('replica, replica');
});

test('a replica that stands still costs a page some seconds', async () => {
  bridge.stall();
  expect(await page()).toBe('primary, primary');
  await bridge.mend();
});

test('what is no replica of this database is not read', async () => {
  await replay(null);
  expect(await poll()).toBe('away');
  expect(await page()).toBe('primary, primary');
});
