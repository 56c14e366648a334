import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { bundleProgram, packages } from './program';

/** What open-embedded-postgres.ts says of the server that it opened. */
export type Opened = { url: string; adopted: boolean; pid: number; said: string[] };

/** The folder of the project under test. */
export const project = process.cwd();

const folders: string[] = [];
const children: ChildProcess[] = [];

/** An empty folder that every account may enter, gone after `cleanUp`. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'tl-')));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

/** The pid that the server of a data folder wrote down. */
export function pidIn(dataFolder: string): number {
  return Number.parseInt(readFileSync(path.join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** True while the pid is that of a program, not of one that is dead and merely listed. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Ends the server of a data folder, if one runs, without ceremony. */
export async function endServer(dataFolder: string): Promise<void> {
  if (!existsSync(path.join(dataFolder, 'postgres', 'postmaster.pid'))) return;
  const pid = pidIn(dataFolder);
  if (!isRunning(pid)) return;
  process.kill(pid, 'SIGQUIT');
  while (isRunning(pid)) await sleep(10);
}

/** The rows that one statement gives on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A program of its own, that a kill hits alone: what it has started stays behind. */
export function startProgram(dataFolder: string, { cwd = project, PATH = process.env.PATH } = {}): ChildProcess {
  const file = bundleProgram('tests/support/open-embedded-postgres.ts', newFolder());
  const child = spawn(process.execPath, [file, dataFolder], { cwd, env: { ...process.env, ...packages, PATH } });
  children.push(child);
  return child;
}

/** What the program says when it has opened its server; rejects with its error when it ends before. */
export function opened(child: ChildProcess): Promise<Opened> {
  return new Promise((resolve, reject) => {
    let [output, errors] = ['', ''];
    child.stdout?.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('\n')) resolve(JSON.parse(output) as Opened);
    });
    child.stderr?.on('data', (chunk) => (errors += String(chunk)));
    child.once('exit', () => reject(new Error(errors)));
  });
}

/** Kills a program without warning and waits until it is dead. */
export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  while (child.exitCode === null && child.signalCode === null) await sleep(5);
}

/** Ends every program and server that was started in a folder of `newFolder`, and removes the folders. */
export async function cleanUp(): Promise<void> {
  for (const child of children.splice(0)) await kill(child);
  for (const folder of folders.splice(0)) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (path.basename(name) === 'postgres' && statSync(path.join(folder, name)).isDirectory())
        await endServer(path.join(folder, path.dirname(name)));
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
