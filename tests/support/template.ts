import path from 'node:path';
import pg from 'pg';
import { closeDatabase } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { migrate } from '@/lib/platform/migrations';
import { storeBookmakers } from '@/lib/reference/commands';
import { isRunning } from './embedded-postgres';
import { buildWorld } from './world';

async function openServer(): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => undefined };
  return openEmbeddedPostgres({ dataFolder: path.resolve('.data/test'), say: () => undefined });
}

/** The same server under another database name. */
export function databaseUrl(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

/** Makes a database with the schema, the reference data and the named world, to be copied by each test file. */
export async function prepareTemplate(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await openServer();
  const name = `tipledger_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const stale = await admin.query<{ name: string }>(`
    select datname as name from pg_database
    where datname like 'tipledger\\_t%\\_%' and not exists (select 1 from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)`);
  // A run that goes on at the same time may have its databases at rest; their names hold the pid of who made them.
  const abandoned = stale.rows.filter((row) => !isRunning(Number(/_(\d+)/.exec(row.name)?.[1])));
  for (const row of abandoned) await admin.query(`drop database if exists "${row.name}"`).catch(() => undefined);
  await admin.query(`create database "${name}"`);
  process.env.DATABASE_URL = databaseUrl(server.url, name);
  await migrate(process.env.DATABASE_URL, path.resolve('migrations'));
  await storeBookmakers();
  await buildWorld();
  await closeDatabase();
  delete process.env.DATABASE_URL;
  return {
    url: databaseUrl(server.url, name),
    stop: async () => {
      await admin.query(`drop database if exists "${name}"`);
      await admin.end();
      await server.stop();
    },
  };
}
