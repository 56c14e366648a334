import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { closeDatabase } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { migrate } from '@/lib/platform/migrations';
import { storeBookmakers } from '@/lib/reference/commands';
import { Refusal, say } from './benchmark';

type Server = { url: string; stop(): Promise<void> };

async function openServer(): Promise<Server> {
  const given = process.env.BENCH_DATABASE_URL;
  if (given !== undefined) {
    if (!/^postgres(ql)?:\/\/[^/]+\/./.test(given))
      throw new Refusal('BENCH_DATABASE_URL must be a URL such as postgres://user@localhost:5432/postgres.');
    return { url: given, stop: async () => undefined };
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-bench-'));
  // PostgreSQL does not run as root; whoever it runs as must get here.
  chmodSync(folder, 0o755);
  const server = await openEmbeddedPostgres({ dataFolder: folder, say });
  return {
    url: server.ownerUrl,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Runs `body` on a database of its own with the schema and the reference data, removed when it ends or is interrupted; never on the site's. */
export async function onBenchDatabase(body: () => Promise<number>): Promise<number> {
  const server = await openServer();
  const name = `tipledger_bench_${process.pid}`;
  let removed: Promise<void> | null = null;
  const remove = () =>
    (removed ??= (async () => {
      await closeDatabase();
      await administer(server.url, `drop database if exists "${name}" with (force)`);
      await server.stop();
    })());
  const interrupted = () => {
    say('Interrupted; removing the database.');
    remove().finally(() => process.exit(130));
  };
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  try {
    await administer(server.url, `create database "${name}"`);
    process.env.DATABASE_URL = server.url.replace(/^(postgres(?:ql)?:\/\/[^/]+\/)[^?]*/, `$1${name}`);
    await migrate(process.env.DATABASE_URL, path.resolve('migrations'));
    await storeBookmakers();
    return await body();
  } finally {
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
    await remove();
  }
}
