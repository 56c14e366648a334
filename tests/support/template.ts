import path from 'node:path';
import pg from 'pg';
import { closeDatabase } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { migrate } from '@/lib/platform/migrations';
import { storeBookmakers } from '@/lib/reference/commands';
import { isRunning } from './embedded-postgres';
import { buildWorld } from './world';

const testFolder = path.resolve('.data/test');
const programRole = 'tipledger_program';

async function openServer(): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => undefined };
  const { ownerUrl, stop } = await openEmbeddedPostgres({
    dataFolder: testFolder,
    say: () => undefined,
    durable: false,
  });
  return { url: ownerUrl, stop };
}

/** The same database as the role that the program has in tests. */
export function programUrl(url: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^/@]*@)?/, `$1${programRole}:${programRole}@`);
}

async function ensureProgramRole(admin: pg.Client): Promise<void> {
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [programRole]);
  if (rowCount && !process.env.TEST_DATABASE_URL) return;
  const make = `${rowCount ? 'alter' : 'create'} role ${programRole} login password '${programRole}'`;
  await admin.query(make).catch((error: unknown) => {
    // Another run has just made it.
    if (!['42710', '23505', 'XX000'].includes(String((error as { code?: unknown }).code))) throw error;
  });
}

/** The same server under another database name. */
export function databaseUrl(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

/** Brings a database up to date as its owner, gives the program's role its privileges, and adds what lets a test act as the owner inside a transaction of the program's. */
export async function migrateForTests(ownerUrl: string): Promise<void> {
  await migrate(ownerUrl, path.resolve('migrations'), programRole);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`
      create schema test_support;
      create function test_support.as_owner(statement text, unguarded text[]) returns bigint language plpgsql security definer set search_path = public as $$
      declare
        changed bigint;
        guards jsonb := (
          select coalesce(jsonb_agg(jsonb_build_object('on', tgrelid::regclass, 'name', tgname, 'state', case tgenabled when 'A' then 'enable always' when 'O' then 'enable' else 'disable' end)), '[]')
          from pg_trigger where tgrelid = any(unguarded::regclass[]) and not tgisinternal);
        guard jsonb;
        relation text;
      begin
        foreach relation in array unguarded loop execute format('alter table %s disable trigger user', relation); end loop;
        execute statement;
        get diagnostics changed = row_count;
        for guard in select * from jsonb_array_elements(guards) loop
          execute format('alter table %s %s trigger %I', guard ->> 'on', guard ->> 'state', guard ->> 'name');
        end loop;
        return changed;
      end $$;
      grant usage on schema test_support to ${programRole}`);
  } finally {
    await client.end();
  }
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
  await ensureProgramRole(admin);
  // Not where a program of this folder would look for its own.
  process.env.TIPLEDGER_DATA ??= testFolder;
  await migrateForTests(databaseUrl(server.url, name));
  process.env.DATABASE_URL = programUrl(databaseUrl(server.url, name));
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
