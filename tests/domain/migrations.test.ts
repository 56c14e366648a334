import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { auditKept } from '@/lib/audit/queries/kept';
import { withinTransactionOf } from '@/lib/platform/database';
import { migrate } from '@/lib/platform/migrations';
import { onEmptyDatabase, onOwnConnection } from '../support/database';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** A folder with the given files. */
function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const migrationsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();

const own = path.resolve('migrations');

/** The migrations of the program that come before one. */
const before = (number: string) =>
  folderOf(
    Object.fromEntries(
      migrationsIn(own)
        .filter((name) => name < number)
        .map((name) => [name, readFileSync(path.join(own, name), 'utf8')]),
    ),
  );

/** What the audit finds of what the database keeps of changes. */
async function keptProblems(): Promise<string[]> {
  const problems: string[] = [];
  for (let step = await auditKept(null, 1000); ; step = await auditKept(step.next, 1000)) {
    problems.push(...step.problems);
    if (step.next === null) return problems;
  }
}

const tables = (url: string) =>
  onOwnConnection(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    );
    return rows.map(({ name }) => name).filter((name) => !name.startsWith('migration'));
  }, url);

const applied = (url: string) =>
  onOwnConnection(
    async (client) =>
      (await client.query<{ name: string }>('select name from migration order by name')).rows.map(({ name }) => name),
    url,
  );

const one = { '0001-one.sql': 'create table one (id int);' };
const two = { ...one, '0002-two.sql': 'create table two (id int); insert into two select id from one;' };

describe('migrations', () => {
  test('make the schema of the program, and a second run changes nothing', () =>
    onEmptyDatabase(async (url) => {
      const names = migrationsIn(own);
      expect(await migrate(url, own)).toEqual(names);
      expect(await tables(url)).toEqual(
        expect.arrayContaining(['bookmaker', 'cache_version', 'fixture', 'job_run', 'price_change']),
      );
      expect(await migrate(url, own)).toEqual([]);
      expect(await applied(url)).toEqual(names);
    }));

  test('that an older release runs beside make each guard anew that they drop, and switch none off', () => {
    const texts = migrationsIn(path.resolve('migrations'))
      .map((name) => ({ name, text: readFileSync(path.resolve('migrations', name), 'utf8') }))
      .filter(({ text }) => /^-- compatible from/m.test(text));
    expect(texts.length).toBeGreaterThan(30);
    const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;
    const wrong = texts.filter(
      ({ text }) =>
        /\bdisable trigger\b/i.test(text) ||
        count(text, /\bdrop trigger\b/gi) > count(text, /\bcreate trigger\b/gi) ||
        count(text, /\bdrop trigger\b/gi) > count(text, /\benable always trigger\b/gi),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test('correct the help line that was shipped with another organisation’s number, and no line that staff changed', () =>
    onEmptyDatabase(async (url) => {
      await migrate(url, before('0105'));
      const lines = await onOwnConnection(async (client) => {
        await client.query(`
          insert into help_line (country_id, name, url, telephone, revision) values
            (1, 'As it was shipped', 'https://help.example/', '1-800-426-2537', 0),
            (2, 'As staff have it', 'https://help.example/', '1-800-426-2537', 1),
            (3, 'Another country', 'https://help.example/', '0808 8020 133', 0)
        `);
        await migrate(url, own);
        return (await client.query('select telephone from help_line order by country_id')).rows;
      }, url);
      expect(lines.map(({ telephone }) => telephone)).toEqual(['1-800-697-3738', '1-800-426-2537', '0808 8020 133']);
    }));

  test('keep of tips that were hidden before what the audit asks of them', () =>
    onEmptyDatabase(async (url) => {
      await migrate(url, before('0103'));
      const problems = await onOwnConnection(async (client) => {
        // Without the portfolio that they belong to, which nothing here asks for.
        await client.query(`
          set session_replication_role = replica;
          insert into tip (reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication)
          select repeat(key, 10), 1, key, key, now(), now() + interval '1 day', 100, false, false, hidden, '', '{}' from (values ('a', true), ('b', false), ('c', true)) as made (key, hidden);
          reset session_replication_role
        `);
        await migrate(url, own);
        await client.query('begin');
        const found = () => withinTransactionOf(client, keptProblems);
        const asMigrated = await found();
        await client.query(`alter table tip disable trigger user; update tip set hidden = not hidden`);
        return [asMigrated, await found()];
      }, url);
      const changed = [1, 2, 3].map((id) => `In tip, what belongs to id ${id} is not what was kept of its changes.`);
      expect(problems).toEqual([[], changed]);
    }));

  test('are applied once each when five programs start at once', () =>
    onEmptyDatabase(async (url) => {
      const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(url, own)));
      expect(runs.flat().sort()).toEqual(migrationsIn(own));
    }));

  test('that wait for a backup or another long transaction hold up nobody who reads meanwhile', () =>
    onEmptyDatabase((url) =>
      onOwnConnection(async (backup) => {
        await migrate(url, folderOf(one));
        await backup.query('begin; select from migration; select from one');
        const said: string[] = [];
        const altered = { ...one, '0002-two.sql': 'alter table one add column name text;' };
        const run = migrate(url, folderOf(altered), undefined, (line) => said.push(line));
        await new Promise((resolve) => setTimeout(resolve, 300));
        await onOwnConnection(async (reader) => {
          await reader.query(`set statement_timeout = '3s'`);
          await reader.query('select from migration; select from one');
        }, url);
        expect(await applied(url)).toEqual(['0001-one.sql']);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        expect(said).toEqual([expect.stringMatching(/a table is in use, such as by a backup: trying again/)]);
        await backup.query('commit');
        expect(await run).toEqual(['0002-two.sql']);
      }, url),
    ));

  test('are applied in the order of their numbers, the new ones alone later', () =>
    onEmptyDatabase(async (url) => {
      expect(await migrate(url, folderOf(one))).toEqual(['0001-one.sql']);
      expect(await migrate(url, folderOf(two))).toEqual(['0002-two.sql']);
      expect(await tables(url)).toEqual(['one', 'two']);
    }));

  test('refuse to go on when one was changed afterwards, and say what to do', () =>
    onEmptyDatabase(async (url) => {
      await migrate(url, folderOf(one));
      const changed = folderOf({ ...two, '0001-one.sql': 'create table one (id bigint);' });
      await expect(migrate(url, changed)).rejects.toThrow(
        'The migration 0001-one.sql was changed after it had been applied. Restore it and put the change into a new migration.',
      );
      expect(await tables(url)).toEqual(['one']);
    }));

  test('leave nothing of one that fails, keep those before it, and go on once it is mended', () =>
    onEmptyDatabase(async (url) => {
      const broken = folderOf({
        ...one,
        '0002-two.sql': 'create table two (id int); select 1/0;',
        '0003-three.sql': 'create table three ();',
      });
      await expect(migrate(url, broken)).rejects.toThrow('division by zero');
      expect([await tables(url), await applied(url)]).toEqual([['one'], ['0001-one.sql']]);
      expect(await migrate(url, folderOf(two))).toEqual(['0002-two.sql']);
    }));

  test.each(['1-one.sql', '0001_one.sql', '0001-One.sql', 'one.sql'])('refuse a file called %s', (name) =>
    onEmptyDatabase(async (url) => {
      await expect(migrate(url, folderOf({ [name]: 'select 1' }))).rejects.toThrow(
        `The migration ${name} must be named like 0001-what.sql.`,
      );
    }),
  );

  test('pass over what is no migration', () =>
    onEmptyDatabase(async (url) => {
      expect(
        await migrate(url, folderOf({ ...one, 'README.md': '# Migrations', '0001-one.sql.orig': 'nonsense' })),
      ).toEqual(['0001-one.sql']);
    }));

  test.each([
    [140011, 'This PostgreSQL is too old: Tipledger needs version 15 or newer. Point DATABASE_URL at a newer server.'],
    [149999, 'too old'],
    [90624, 'too old'],
  ])('refuse a server of version %d and leave it alone', (version, message) =>
    onEmptyDatabase(async (url) => {
      await pretend(url, 'server_version_num', String(version));
      await expect(migrate(url, folderOf(one))).rejects.toThrow(message);
      expect(await tables(url)).toEqual([]);
    }),
  );

  test('take a server of version 15', () =>
    onEmptyDatabase(async (url) => {
      await pretend(url, 'server_version_num', '150000');
      expect(await migrate(url, folderOf(one))).toEqual(['0001-one.sql']);
    }));

  test.each(['SQL_ASCII', 'LATIN1'])('refuse a database of the encoding %s and leave it alone', (encoding) =>
    onEmptyDatabase(async (url) => {
      await pretend(url, 'server_encoding', encoding);
      await expect(migrate(url, folderOf(one))).rejects.toThrow(
        `This database keeps texts in ${encoding}: Tipledger needs UTF8. Create one with "encoding 'UTF8' template template0", as deploy/roles.sh does, and name it in DATABASE_URL and DATABASE_OWNER_URL.`,
      );
      expect(await tables(url)).toEqual([]);
    }),
  );

  test('end their connection whatever happens', () =>
    onEmptyDatabase(async (url) => {
      await migrate(url, folderOf(one));
      await migrate(url, folderOf({ '0002-two.sql': 'nonsense' })).catch(() => undefined);
      const others = await onOwnConnection(
        (client) =>
          client.query('select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'),
        url,
      );
      expect(others.rows).toEqual([]);
    }));
});

/** Has a database say that a setting is another to whoever connects from here on. */
async function pretend(url: string, setting: string, value: string): Promise<void> {
  await onOwnConnection(
    (client) =>
      client.query(`
        create schema pretended;
        create function pretended.current_setting(name text) returns text language sql as
          'select case name when ''${setting}'' then ''${value}'' else pg_catalog.current_setting(name) end';
        do $$ begin execute format('alter database %I set search_path = pretended, pg_catalog, public', current_database()); end $$;`),
    url,
  );
}
