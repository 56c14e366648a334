import path from 'node:path';
import { storeContent } from '@/lib/content/commands';
import { pollForgotten } from '@/lib/platform/cache';
import { now } from '@/lib/platform/clock';
import { closeDatabase, isConnectionLost, onDatabaseLost } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { migrate } from '@/lib/platform/migrations';
import { storeBookmakers } from '@/lib/reference/commands';
import { currentVersion } from './version';

/** A program with its database open. `revive` brings a private server back; `close` ends the connections, and the private server when nobody else uses it. */
export type Program = { revive(): Promise<void>; close(): Promise<void> };

const cachePollMilliseconds = 500;

/**
 * Opens the database for a program: the one of DATABASE_URL, or a private one in TIPLEDGER_DATA that is started or adopted and brought
 * back when it was killed. Brings the schema up to date and sees that the reference data is there. `say` tells a person what is going on.
 */
export async function openProgram(say: (line: string) => void): Promise<Program> {
  const server = env().DATABASE_URL ? null : await openPrivateServer(say);
  const applied = await migrate(env().DATABASE_URL ?? '', path.join(process.cwd(), 'migrations'));
  if (applied.length > 0) say(`Brought the database up to date (${applied.length} migrations).`);
  await storeBookmakers();
  const { problems } = await storeContent(process.cwd(), { demo: env().TIPLEDGER_DEMO === 'on', release: currentVersion().version }, now());
  if (problems.length > 0) say(`These files were left out; correct them and start again:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
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

async function openPrivateServer(say: (line: string) => void): Promise<{ revive(): Promise<void>; stop(): Promise<void> }> {
  const open = () => openEmbeddedPostgres({ dataFolder: env().dataFolder, say });
  let server = await open();
  let reviving: Promise<void> | null = null;
  process.env.DATABASE_URL = server.url;
  const reopen = async () => {
    server = await open();
  };
  return {
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
