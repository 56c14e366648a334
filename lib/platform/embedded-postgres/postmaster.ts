import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { commandOf, type Program } from './account';
import { ownerRole } from './cluster';
import { refusal, remedyFor, textOf } from './refusal';

const patienceSeconds = 30;

// A machine that is busy takes its time; a server that is not there refuses at once.
const connectMilliseconds = 10_000;
const logBytesKept = 1_000_000;

/** The number in the socket's name; no TCP port is ever opened. */
export const port = 5432;

/**
 * Where a cluster is and how it is reached: its real path, a path of the same folder that is short enough for a socket, the log of its server, and the
 * file that names its watchdog.
 */
export type Place = { cluster: string; socketFolder: string; logFile: string; watchFile: string };

/** A server that answers, with the one connection to it, which holds no program open, and the child when this program started it. */
export type Postmaster = { pid: number; connection: pg.Pool; child: ChildProcess | null };

// On the command line, where no file of the cluster can overrule them.
const settings = {
  listen_addresses: '',
  port: String(port),
  unix_socket_directories: '.', // relative to the cluster: has no length limit, moves with the folder, dies with it
  unix_socket_permissions: '0700',
  ...(process.platform === 'darwin' && { wal_sync_method: 'fsync_writethrough' }), // plain fsync stops at the disk's own cache there
  max_connections: '100',
  shared_buffers: '128MB',
  dynamic_shared_memory_type: 'mmap', // /dev/shm is 64 MB in containers, and is emptied when a user logs out
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'log', // the server's own life; failed statements are the program's to log
  log_checkpoints: 'off',
};

// What is written to disk before a commit is acknowledged; only a database that nobody would miss goes without.
const durability = ['fsync', 'full_page_writes', 'synchronous_commit'];

type LockFile = { pid: number; status: string };

function readLockFile(file: string): LockFile | null {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return { pid: Math.abs(Number.parseInt(lines[0] ?? '', 10)), status: lines[7]?.trim() ?? '' };
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes(textOf(error, 'code'))) return null;
    throw error;
  }
}

function isListed(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return textOf(error, 'code') === 'EPERM';
  }
}

function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [statSync(one), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

/** Pids come round again, in containers soon, and the dead stay listed until they are reaped: only a live postmaster stands in its cluster. */
function isPostmasterOf(pid: number, cluster: string): boolean {
  if (process.platform === 'linux') {
    try {
      return isSameFolder(`/proc/${pid}/cwd`, cluster);
    } catch {
      return false; // gone, a zombie, or another account's: whoever may read the cluster may look at its postmaster
    }
  }
  const { stdout } = spawnSync('ps', ['-o', 'stat=,comm=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]\S*\s.*postgres$/.test(stdout.trim());
}

function livePostmaster(cluster: string): LockFile | null {
  const found = readLockFile(path.join(cluster, 'postmaster.pid'));
  return found && isPostmasterOf(found.pid, cluster) ? found : null;
}

/** With a lock file that is empty, or whose pid another program or a zombie bears, PostgreSQL refuses to start for good; its shared memory still guards the cluster. */
function clearMistakenLocks(cluster: string): void {
  for (const name of ['postmaster.pid', `.s.PGSQL.${port}.lock`]) {
    const file = path.join(cluster, name);
    const found = readLockFile(file);
    if (!found) continue;
    const mistaken = Number.isNaN(found.pid) || (isListed(found.pid) && !isPostmasterOf(found.pid, cluster));
    if (mistaken) rmSync(file, { force: true });
  }
}

/** One connection of this role to the server of this cluster, made when it is first asked and kept until it is ended. */
export function connectionAs(user: string, { socketFolder }: Place): pg.Pool {
  const connection = new pg.Pool({
    host: socketFolder,
    port,
    user,
    database: 'postgres',
    ssl: false,
    application_name: 'tipledger launcher',
    connectionTimeoutMillis: connectMilliseconds,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // A killed server ends it; whoever uses the database notices on connections of its own.
  connection.on('error', () => undefined);
  return connection;
}

async function connect(place: Place): Promise<pg.Pool | null> {
  const connection = connectionAs(ownerRole, place);
  try {
    const { rows } = await connection.query<{ folder: string }>("select current_setting('data_directory') as folder");
    if (isSameFolder(rows[0]?.folder ?? '', place.cluster)) return connection;
  } catch {
    // Not ready yet, dying, or not the server of this folder: the caller looks again until its patience ends.
  }
  await connection.end();
  return null;
}

/** Connects as the owner to the server that runs on this cluster, waiting while it starts, recovers or stops; null when none runs. The caller holds the start lock. */
export async function adoptPostmaster(place: Place): Promise<Postmaster | null> {
  let deadline = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const found = livePostmaster(place.cluster);
    if (!found) return null;
    if (found.status === 'ready') {
      const connection = await connect(place);
      if (connection) return { pid: found.pid, connection, child: null };
    }
    // Recovery takes what it takes: the server gets there or dies.
    if (found.status === 'starting') deadline = performance.now() + patienceSeconds * 1000;
    if (performance.now() > deadline) {
      throw refusal(
        `A PostgreSQL (pid ${found.pid}) holds ${place.cluster} but does not answer there for ${patienceSeconds} seconds.`,
        `End it with "kill -INT ${found.pid}" and start again`,
      );
    }
    await sleep(20);
  }
}

function launch(
  { binaries, account }: Program,
  { cluster, logFile }: Place,
  durable: boolean,
): { child: ChildProcess; said: () => string } {
  if (existsSync(logFile) && statSync(logFile).size > logBytesKept) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  if (account.owner) fchownSync(log, account.owner.uid, account.owner.gid);
  const from = fstatSync(log).size;
  const flushed = durability.map((name) => [name, durable ? 'on' : 'off']);
  const args = [...Object.entries(settings), ...flushed].flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const {
    command,
    args: all,
    options,
  } = commandOf(account, path.join(binaries.folder, 'bin', 'postgres'), ['-D', cluster, ...args]);
  const child = spawn(command, all, { ...options, detached: true, stdio: ['ignore', log, log] });
  child.on('error', () => undefined);
  child.unref();
  closeSync(log);
  return { child, said: () => readFileSync(logFile).subarray(from).toString('utf8').trim() };
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function whyNotStarted(said: string, { logFile }: Place): Error {
  const lastLines = said.split('\n').slice(-8).join('\n');
  return refusal(`PostgreSQL does not start; its log is ${logFile}.`, remedyFor(said), { said: lastLines });
}

/** Starts a server that outlives this program and waits until it answers its owner, again until a killed one's memory is free. The caller holds the start lock. */
export async function startPostmaster(program: Program, place: Place, durable: boolean): Promise<Postmaster> {
  const deadline = performance.now() + patienceSeconds * 1000;
  for (;;) {
    clearMistakenLocks(place.cluster);
    const { child, said } = launch(program, place, durable);
    for (;;) {
      const ended = hasEnded(child);
      const running = await adoptPostmaster(place);
      if (running) return { ...running, child: running.pid === child.pid ? child : null };
      if (ended) break;
      if (performance.now() > deadline) throw whyNotStarted(said(), place);
      await sleep(20);
    }
    const worthAnother =
      child.signalCode !== null || /lock file ".*" already exists|pre-existing shared memory block/.test(said());
    if (!worthAnother || performance.now() > deadline) throw whyNotStarted(said(), place);
    await sleep(100);
  }
}

/** Ends a server, its buffers written; waits for the end, at most half a minute. One of another account is left to that. */
export async function endPostmaster(pid: number): Promise<void> {
  const deadline = performance.now() + patienceSeconds * 1000;
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (['ESRCH', 'EPERM'].includes(textOf(error, 'code'))) return;
    throw error;
  }
  while (isAlive(pid) && performance.now() < deadline) await sleep(20);
}

// A child of this program that has ended stays listed until Node has heard of it.
function isAlive(pid: number): boolean {
  if (!isListed(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
