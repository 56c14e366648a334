import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseProgram } from './embedded-postgres/account';
import { type Binaries, findBinaries } from './embedded-postgres/binaries';
import { ensureCluster, makeDataFolder, role } from './embedded-postgres/cluster';
import { adoptPostmaster, endPostmaster, type Place, type Postmaster, port, startPostmaster } from './embedded-postgres/postmaster';
import { refusal, textOf } from './embedded-postgres/refusal';
import { holdStartLock } from './embedded-postgres/start-lock';
import { singleton } from './singleton';

/** A private PostgreSQL that answers; `url` stays the same for a data folder, also when the server is started anew. */
export type EmbeddedPostgres = {
  /** postgres:// URL over the unix socket, understood by pg. */
  url: string;
  /** True when the server was running already. */
  adopted: boolean;
  /** Stops the server when this program started it and nobody else is connected, so close your own pool first; otherwise leaves it running to be adopted. */
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
    throw refusal(`${folder} must be a folder of this user alone, and is not.`, 'Remove it, or set TIPLEDGER_DATA to a folder with a path under 80 characters');
  }
  const link = path.join(folder, 'data');
  if (existsSync(link) && realpathSync(link) === cluster) return link;
  rmSync(link, { force: true });
  symlinkSync(cluster, link);
  return link;
}

async function start(binaries: Binaries, dataFolder: string, place: Place, say: (line: string) => void): Promise<Postmaster> {
  const program = await chooseProgram(binaries, dataFolder, place.cluster, say);
  await ensureCluster(program, place.cluster, say);
  return startPostmaster(program, place);
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

/** True when this is the only connection; those that were closed a moment ago get half a second to go. */
async function isAlone(connection: pg.Pool): Promise<boolean> {
  const others = "select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { rowCount } = await connection.query(others);
    if (!rowCount) return true;
    await sleep(50);
  }
  return false;
}

/** The servers that this program is connected to, by cluster; opening one again takes the place of the time before. */
const joined = singleton('embedded-postgres', () => new Map<string, Postmaster>());

async function join(cluster: string, server: Postmaster): Promise<void> {
  const before = joined.get(cluster);
  if (before?.pid === server.pid) server.child ??= before.child;
  joined.set(cluster, server);
  await before?.presence.end();
}

async function leave(dataFolder: string, cluster: string, say: (line: string) => void): Promise<void> {
  const server = joined.get(cluster);
  if (!server) return;
  joined.delete(cluster);
  const release = await holdStartLock(dataFolder, say);
  try {
    const last = server.child && (await isAlone(server.presence).catch(() => false));
    await server.presence.end();
    if (server.child && last) await endPostmaster(server.child);
  } finally {
    release();
  }
}

const systemCallFailures = ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT'];

function explained(error: unknown, dataFolder: string): unknown {
  const code = textOf(error, 'code');
  if (!systemCallFailures.includes(code)) return error;
  const full = ['ENOSPC', 'EDQUOT'].includes(code);
  const remedy = full ? 'Free some space on that disk' : 'Make it a folder that this user may write, set TIPLEDGER_DATA to another';
  return refusal(`The data folder ${path.resolve(dataFolder)} cannot be used (${textOf(error, 'message')}).`, remedy, { cause: error });
}

/**
 * Adopts the PostgreSQL that runs on `<dataFolder>/postgres` or starts it, making it on first use, and creates `database` where it is missing.
 * It is reached over a unix socket only, flushes every commit before acknowledging it, and outlives a crash of this program.
 * Any number of programs may call this at once; throws an Error that says what to do where PostgreSQL cannot run.
 */
export async function openEmbeddedPostgres(options: {
  dataFolder: string;
  say: (line: string) => void;
  database?: string;
}): Promise<EmbeddedPostgres> {
  const { dataFolder, say, database = role } = options;
  try {
    return await open(dataFolder, database, say);
  } catch (error) {
    throw explained(error, dataFolder);
  }
}

async function open(wantedFolder: string, database: string, say: (line: string) => void): Promise<EmbeddedPostgres> {
  const binaries = findBinaries();
  const dataFolder = makeDataFolder(wantedFolder);
  const named = path.join(dataFolder, 'postgres');
  const cluster = existsSync(named) ? realpathSync(named) : named;
  const release = await holdStartLock(dataFolder, say);
  try {
    const place = { cluster, socketFolder: shortPathTo(cluster), logFile: path.join(dataFolder, 'postgres.log') };
    const running = await adoptPostmaster(place);
    const server = running ?? (await start(binaries, dataFolder, place, say));
    await join(cluster, server);
    await ensureDatabase(server.presence, database);
    say(server.child && !running ? 'PostgreSQL is running' : 'PostgreSQL is running already');
    const address = `host=${encodeURIComponent(place.socketFolder)}&sslmode=disable`;
    return {
      url: `postgres://${role}@localhost:${port}/${encodeURIComponent(database)}?${address}`,
      adopted: !server.child || Boolean(running),
      stop: () => leave(dataFolder, cluster, say),
    };
  } finally {
    release();
  }
}
