import path from 'node:path';
import pg from 'pg';
import { storeContent } from '@/lib/content/commands';
import { pollForgotten } from '@/lib/platform/cache';
import { now } from '@/lib/platform/clock';
import { closeDatabase, isConnectionLost, onDatabaseLost } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { env } from '@/lib/platform/env';
import { whyGuardsAreWeak } from '@/lib/platform/guards';
import { log } from '@/lib/platform/log';
import { migrate } from '@/lib/platform/migrations';
import { keyFile } from '@/lib/record/commands/keys';
import { movePrivateKeys } from '@/lib/record/commands/rotate-key';
import { storeBookmakers } from '@/lib/reference/commands';
import { currentVersion } from './version';

/** A program with its database open. `revive` brings a private server back; `close` ends the connections, and the private server when nobody else uses it. */
export type Program = { revive(): Promise<void>; close(): Promise<void> };

const cachePollMilliseconds = 500;

/**
 * Opens the database for a program: the one of DATABASE_URL, or a private one in TIPLEDGER_DATA that is started or adopted and brought
 * back when it was killed. Brings the schema up to date as the owner, then goes on as the program's role, which may do what it must and no
 * more; nothing of the owner's stays in the environment. Sees that the reference data is there. `say` tells a person what is going on.
 */
export async function openProgram(say: (line: string) => void): Promise<Program> {
  const server = env().DATABASE_URL ? null : await openPrivateServer(say);
  const owner = await takeOwner(server?.ownerUrl);
  const applied = await migrate(owner.url, path.join(process.cwd(), 'migrations'), owner.programRole);
  const moved = await onConnection(owner.url, (client) => movePrivateKeys((text, values) => client.query(text, values)));
  if (moved > 0) say(`Moved the key that signs the ledger out of the database into ${keyFile()}. Keep that file: without it nothing is signed.`);
  if (applied.length > 0) say(`Brought the database up to date (${applied.length} migrations).`);
  await storeBookmakers();
  const { problems } = await storeContent(process.cwd(), { demo: env().TIPLEDGER_DEMO === 'on', release: currentVersion().version }, now());
  if (problems.length > 0) say(`These files were left out; correct them and start again:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  const weakness = await whyGuardsAreWeak();
  if (weakness !== null) log.warn({ event: 'guards_weak', message: weakness });
  const revive = server?.revive ?? (async () => undefined);
  onDatabaseLost(revive);
  return {
    revive,
    close: async () => {
      await closeDatabase();
      await server?.stop();
    },
  };
}

/** The URL of the role that owns the tables, taken out of the environment, and the role that the program has instead of it, where it has one. */
async function takeOwner(privateUrl: string | undefined): Promise<{ url: string; programRole?: string }> {
  const { DATABASE_URL: url = '', DATABASE_OWNER_URL: given } = env();
  delete process.env.DATABASE_OWNER_URL;
  const ownerUrl = privateUrl ?? given;
  return ownerUrl === undefined ? { url } : { url: ownerUrl, programRole: await roleOf(url) };
}

async function roleOf(url: string): Promise<string> {
  const { rows } = await onConnection(url, (client) => client.query<{ role: string }>('select current_user as role'));
  return rows[0]?.role ?? '';
}

async function onConnection<T>(url: string, body: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}

async function openPrivateServer(say: (line: string) => void): Promise<{ ownerUrl: string; revive(): Promise<void>; stop(): Promise<void> }> {
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

/** Keeps this process in step with what other instances forget, and its private database alive; returns what stops it. */
export function watchDatabase(program: Program): () => void {
  let idle = true;
  const look = async () => {
    try {
      await pollForgotten();
    } catch (error) {
      log.warn({ event: 'connection_error', message: error instanceof Error ? error.message : String(error) });
      if (isConnectionLost(error)) await program.revive().catch((failure: unknown) => log.error({ event: 'connection_error', err: failure }));
    }
  };
  const timer = setInterval(() => {
    if (!idle) return;
    idle = false;
    void look().finally(() => void (idle = true));
  }, cachePollMilliseconds);
  return () => clearInterval(timer);
}
