import path from 'node:path';
import pg from 'pg';
import { storeContent } from '@/lib/content/commands';
import { formatCount } from '@/lib/format';
import { pollForgotten } from '@/lib/platform/cache';
import { clockAheadMilliseconds, now } from '@/lib/platform/clock';
import { closeDatabase, dropConnections, isConnectionLost, onDatabaseLost } from '@/lib/platform/database';
import { closeProbe, probeDatabase } from '@/lib/platform/database-probe';
import { isDatabaseAway, noteTrouble, ofDatabase, setDatabaseAway, troubleOf } from '@/lib/platform/database-trouble';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { env } from '@/lib/platform/env';
import { whyGuardsAreWeak } from '@/lib/platform/guards';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { migrate } from '@/lib/platform/migrations';
import { keyFile, movePrivateKeys } from '@/lib/record/commands';
import { storeBookmakers } from '@/lib/reference/commands';
import { whyEnvFileIsUnread } from './env-file';
import { currentVersion } from './version';

const watch = singleton('database-watch', () => ({ stop: (): void => undefined }));

/** A program with its database open. `revive` brings a private server back; `close` ends the connections, and the private server when nobody else uses it. */
export type Program = { revive(): Promise<void>; close(): Promise<void> };

const watchMilliseconds = 500;

// So long it may fail to answer before nobody waits for it any more.
const awayMilliseconds = 1_500;

const startPatienceMilliseconds = 60_000;
const clockToleranceMilliseconds = 5_000;

/**
 * Opens the database for a program: the one of DATABASE_URL, or a private one in TIPLEDGER_DATA that is started or adopted and brought
 * back when it was killed. Brings the schema up to date as the owner, then goes on as the program's role, which may do what it must and no
 * more; nothing of the owner's stays in the environment. Sees that the reference data is there. `say` tells a person what is going on.
 */
export async function openProgram(say: (line: string) => void): Promise<Program> {
  const unread = whyEnvFileIsUnread();
  if (unread !== null) say(unread);
  const server = env().DATABASE_URL ? null : await openPrivateServer(say);
  if (!server) await awaitDatabase(say);
  const ownerUrl = takeOwnerUrl(server?.ownerUrl);
  let isClosing = false;
  // What fails because the database is being closed would start the private server again, behind the back of whoever stops it.
  const revive = async () => {
    if (!isClosing) await server?.revive();
  };
  onDatabaseLost(revive);
  await patiently(revive, () => prepare(ownerUrl, say));
  return {
    revive,
    close: async () => {
      isClosing = true;
      // Its connection would be one too many for the private server to be stopped.
      watch.stop();
      await closeProbe();
      // What still runs is rolled back: nobody waits for its answer any more.
      dropConnections();
      await closeDatabase();
      await server?.stop();
    },
  };
}

/** Brings the schema and what comes with the release up to date, as the owner where there is one; may be done again. */
async function prepare(givenUrl: string | undefined, say: (line: string) => void): Promise<void> {
  const { DATABASE_URL: programUrl = '' } = env();
  const ownerUrl = givenUrl ?? programUrl;
  const programRole = givenUrl === undefined ? undefined : await roleOf(programUrl);
  const applied = await migrate(ownerUrl, path.join(process.cwd(), 'migrations'), programRole, say);
  await probeDatabase();
  const ahead = Math.round(clockAheadMilliseconds() / 1000);
  if (Math.abs(ahead) * 1000 > clockToleranceMilliseconds)
    say(
      `This machine's clock is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the database's. The program goes by the database's.`,
    );
  const moved = await onConnection(ownerUrl, (client) => movePrivateKeys((text, values) => client.query(text, values)));
  if (moved > 0)
    say(
      `Moved the key that signs the ledger out of the database into ${keyFile()}. Keep that file: without it nothing is signed.`,
    );
  if (applied.length > 0)
    say(`Brought the database up to date (${formatCount(applied.length, 'migration', 'migrations')}).`);
  await storeBookmakers();
  const { problems } = await storeContent(
    process.cwd(),
    { demo: env().TIPLEDGER_DEMO !== 'off', release: currentVersion().version },
    now(),
  );
  if (problems.length > 0)
    say(
      `These files were left out; correct them and start again:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  const weakness = await whyGuardsAreWeak();
  if (weakness !== null) log.warn({ event: 'guards_weak', message: weakness });
}

/** Does what may be done again, for a while again and again where the database is slow, restarts or is killed meanwhile. */
async function patiently(revive: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + startPatienceMilliseconds;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (noteTrouble(error) === null || performance.now() > deadline) throw error;
      await revive();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Waits for a while until the database of DATABASE_URL answers; throws what to do when it does not, or refuses. */
async function awaitDatabase(say: (line: string) => void): Promise<void> {
  const deadline = performance.now() + startPatienceMilliseconds;
  for (let tries = 1; ; tries += 1) {
    for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL'] as const) {
      const url = env()[name];
      try {
        if (url !== undefined) await onConnection(url, (client) => client.query('select 1'));
        if (name === 'DATABASE_OWNER_URL') return;
      } catch (error) {
        const why = `The database of ${name} (${withoutPassword(url ?? '')}) cannot be used: ${inShort(error)}.`;
        if (troubleOf(ofDatabase(error)) === null || performance.now() > deadline)
          throw new Error(`${why} Correct ${name}, or start that database, and start again.`, { cause: error });
        if (tries === 1) say(`${why} Trying again for ${startPatienceMilliseconds / 1000} seconds…`);
        break;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

// A connection that was tried on several addresses fails without a message of its own.
function inShort(error: unknown): string {
  const { message = '', code } = error as { message?: string; code?: unknown };
  return message || String(code);
}

function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^/@:]*):[^@]*@/, '$1@').replace(/([?&]password=)[^&]*/g, '$1…');
}

/** The URL of the role that owns the tables, taken out of the environment; undefined where the program's own does both. */
function takeOwnerUrl(privateUrl: string | undefined): string | undefined {
  const { DATABASE_OWNER_URL: given } = env();
  delete process.env.DATABASE_OWNER_URL;
  return privateUrl ?? given;
}

async function roleOf(url: string): Promise<string> {
  const { rows } = await onConnection(url, (client) => client.query<{ role: string }>('select current_user as role'));
  return rows[0]?.role ?? '';
}

async function onConnection<T>(url: string, body: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}

async function openPrivateServer(
  say: (line: string) => void,
): Promise<{ ownerUrl: string; revive(): Promise<void>; stop(): Promise<void> }> {
  const open = () => openEmbeddedPostgres({ dataFolder: env().dataFolder, say });
  let server = await open();
  let reviving: Promise<void> | null = null;
  process.env.DATABASE_URL = server.url;
  const reopen = async () => {
    server = await open();
  };
  return {
    ownerUrl: server.ownerUrl,
    revive: () => {
      reviving ??= reopen().finally(() => void (reviving = null));
      return reviving;
    },
    stop: () => server.stop(),
  };
}

function every(milliseconds: number, body: () => Promise<void>): () => void {
  let idle = true;
  const timer = setInterval(() => {
    if (!idle) return;
    idle = false;
    void body().finally(() => void (idle = true));
  }, milliseconds);
  return () => clearInterval(timer);
}

/**
 * Keeps this process in step with what other instances forget, its clock with the database's, and its private database alive; a database that does
 * not answer is called away, and who waits for it gets an error. Returns what stops it.
 */
export function watchDatabase(program: Program): () => void {
  let failingSince: number | null = null;
  const look = async () => {
    try {
      await probeDatabase();
      failingSince = null;
      setDatabaseAway(false);
    } catch (error) {
      const now = performance.now();
      failingSince ??= now;
      if (noteTrouble(error) === null) log.error({ event: 'connection_error', err: error });
      if (now - failingSince >= awayMilliseconds && setDatabaseAway(true)) dropConnections();
      if (isConnectionLost(error))
        program.revive().catch((failure: unknown) => log.error({ event: 'connection_error', err: failure }));
    }
  };
  const poll = async () => {
    if (isDatabaseAway()) return;
    await pollForgotten().catch(
      (error: unknown) => void (noteTrouble(error) ?? log.error({ event: 'connection_error', err: error })),
    );
  };
  const stops = [every(watchMilliseconds, look), every(watchMilliseconds, poll)];
  watch.stop = () => stops.forEach((stop) => stop());
  return () => watch.stop();
}
