import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseProgram } from './embedded-postgres/account';
import { type Binaries, findBinaries } from './embedded-postgres/binaries';
import { ensureCluster, makeDataFolder, ownerRole, programRole } from './embedded-postgres/cluster';
import {
  adoptPostmaster,
  connectionAs,
  endPostmaster,
  type Place,
  type Postmaster,
  port,
  startPostmaster,
} from './embedded-postgres/postmaster';
import { refusal, textOf } from './embedded-postgres/refusal';
import { holdStartLock } from './embedded-postgres/start-lock';
import { watchOver } from './embedded-postgres/watchdog';
import { singleton } from './singleton';

/** A private PostgreSQL that answers; its URLs, over the unix socket and understood by pg, stay the same for a data folder, also when the server is started anew. */
export type EmbeddedPostgres = {
  /** Of the role that owns nothing, as which a program runs. */
  url: string;
  /** Of the role that owns the database, for migrations and set-up. */
  ownerUrl: string;
  /** True when the server was running already. */
  adopted: boolean;
  /** Stops the server when nobody else is connected, whoever started it, so close your own pool first; the last one out stops it. */
  stop(): Promise<void>;
};

const socketPathBytes = 103; // 107 on Linux, 103 on macOS

/** A path on which the cluster's socket can be reached: its own, or where that is too long a link in a folder that only this user may enter. */
function shortPathTo(cluster: string): string {
  const fits = (folder: string) => Buffer.byteLength(path.join(folder, `.s.PGSQL.${port}`)) <= socketPathBytes;
  if (fits(cluster)) return cluster;
  const uid = process.geteuid?.();
  const name = `tipledger-${uid}-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  const folder = path.join(fits(path.join(os.tmpdir(), name, 'data')) ? os.tmpdir() : '/tmp', name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || stats.uid !== uid || stats.mode & 0o077) {
    throw refusal(
      `${folder} must be a folder of this user alone, and is not.`,
      'Remove it, or set TIPLEDGER_DATA to a folder with a path under 80 characters',
    );
  }
  const link = path.join(folder, 'data');
  if (existsSync(link) && realpathSync(link) === cluster) return link;
  rmSync(link, { force: true });
  symlinkSync(cluster, link);
  return link;
}

async function start(
  binaries: Binaries,
  dataFolder: string,
  place: Place,
  say: (line: string) => void,
  durable: boolean,
): Promise<Postmaster> {
  const program = await chooseProgram(binaries, dataFolder, place.cluster, say);
  await ensureCluster(program, place.cluster, say);
  return startPostmaster(program, place, durable);
}

async function ensureProgramRole(connection: pg.Pool): Promise<void> {
  const { rowCount } = await connection.query('select from pg_roles where rolname = $1', [programRole]);
  await connection.query(
    `${rowCount ? 'alter' : 'create'} role ${programRole} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
  );
}

async function ensureDatabase(connection: pg.Pool, database: string): Promise<void> {
  const { rowCount } = await connection.query('select from pg_database where datname = $1', [database]);
  if (rowCount) return;
  try {
    await connection.query(`create database ${pg.escapeIdentifier(database)}`);
  } catch (error) {
    // A killed program's statement went on without it and has made the database just now.
    if (!['42P04', '23505'].includes(textOf(error, 'code'))) throw error;
  }
}

/**
 * True when this is the only connection; those that were closed a moment ago get half a second to go, and five where one still works, since what
 * was cut off in the middle of a statement is rolled back first.
 */
async function isAlone(connection: pg.Pool): Promise<boolean> {
  const others = `
    select state is distinct from 'idle' as works from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { rows } = await connection.query<{ works: boolean }>(others);
    if (rows.length === 0) return true;
    if (attempt >= 10 && rows.every(({ works }) => !works)) return false;
    await sleep(50);
  }
  return false;
}

/** The servers that this program is connected to, by cluster, with the connection that shows its presence to others; opening one again takes the place of the time before. */
const joined = singleton(
  'embedded-postgres',
  () => new Map<string, { pid: number; presence: pg.Pool; callOff: () => void }>(),
);

async function join(place: Place, { pid }: Postmaster): Promise<void> {
  const before = joined.get(place.cluster);
  const presence = connectionAs(programRole, place);
  await presence.query('select 1');
  const callOff = before?.pid === pid ? before.callOff : watchOver(pid, place.watchFile);
  joined.set(place.cluster, { pid, presence, callOff });
  if (before && before.pid !== pid) before.callOff();
  await before?.presence.end();
}

async function leave(dataFolder: string, place: Place, say: (line: string) => void): Promise<void> {
  const server = joined.get(place.cluster);
  if (!server) return;
  joined.delete(place.cluster);
  const release = await holdStartLock(dataFolder, say);
  try {
    await server.presence.end();
    const owner = connectionAs(ownerRole, place);
    const last = await isAlone(owner).catch(() => false);
    await owner.end();
    if (last) await endPostmaster(server.pid);
    server.callOff();
  } finally {
    release();
  }
}

const systemCallFailures = ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT'];

function explained(error: unknown, dataFolder: string): unknown {
  const code = textOf(error, 'code');
  if (!systemCallFailures.includes(code)) return error;
  const full = ['ENOSPC', 'EDQUOT'].includes(code);
  const remedy = full
    ? 'Free some space on that disk'
    : 'Make it a folder that this user may write, set TIPLEDGER_DATA to another';
  return refusal(`The data folder ${path.resolve(dataFolder)} cannot be used (${textOf(error, 'message')}).`, remedy, {
    cause: error,
  });
}

/**
 * Adopts the PostgreSQL that runs on `<dataFolder>/postgres` or starts it, making it on first use, and creates `database` and the program's role where they are missing.
 * It is reached over a unix socket only, flushes every commit before acknowledging it unless it was started with `durable` false, and outlives a
 * crash of this program by some seconds, in which the next one may adopt it.
 * Any number of programs may call this at once; throws an Error that says what to do where PostgreSQL cannot run.
 */
export async function openEmbeddedPostgres(options: {
  dataFolder: string;
  say: (line: string) => void;
  database?: string;
  durable?: boolean;
}): Promise<EmbeddedPostgres> {
  const { dataFolder, say, database = ownerRole, durable = true } = options;
  try {
    return await open(dataFolder, database, say, durable);
  } catch (error) {
    throw explained(error, dataFolder);
  }
}

async function open(
  wantedFolder: string,
  database: string,
  say: (line: string) => void,
  durable: boolean,
): Promise<EmbeddedPostgres> {
  const binaries = findBinaries();
  const dataFolder = makeDataFolder(wantedFolder);
  const named = path.join(dataFolder, 'postgres');
  const cluster = existsSync(named) ? realpathSync(named) : named;
  const release = await holdStartLock(dataFolder, say);
  try {
    const place = {
      cluster,
      socketFolder: shortPathTo(cluster),
      logFile: path.join(dataFolder, 'postgres.log'),
      watchFile: path.join(dataFolder, 'postgres.watchdog'),
    };
    const running = await adoptPostmaster(place);
    const server = running ?? (await start(binaries, dataFolder, place, say, durable));
    try {
      await ensureProgramRole(server.connection);
      await ensureDatabase(server.connection, database);
      await join(place, server);
    } finally {
      await server.connection.end();
    }
    say(server.child && !running ? 'PostgreSQL is running' : 'PostgreSQL is running already');
    const urlOf = (role: string) =>
      `postgres://${role}@localhost:${port}/${encodeURIComponent(database)}?host=${encodeURIComponent(place.socketFolder)}&sslmode=disable`;
    return {
      url: urlOf(programRole),
      ownerUrl: urlOf(ownerRole),
      adopted: !server.child || Boolean(running),
      stop: () => leave(dataFolder, place, say),
    };
  } finally {
    release();
  }
}
