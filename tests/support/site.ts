import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The program serving on a port of its own; `said` is what it has written so far, `end` sends a signal and gives the exit code. */
export type RunningSite = {
  origin: string;
  pid: number;
  said(): string;
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

/** A program that was started: what it has said so far, and its exit code once it has ended. */
export type Started = { child: ChildProcess; said(): string; ended: Promise<number | null> };

// A build that is out of date is made anew before the site starts.
const patienceMilliseconds = 300_000;

/** What the tests set for themselves, and what the programs under test must find as a person's terminal has it. */
const settings = /^(NODE_ENV|DATABASE_URL|PORT|HOST|LOG_LEVEL|TIPLEDGER_.*|npm_.*)$/;

/** An empty folder for a program's data that every account may pass through. */
export function newDataFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'tipledger-e2e-')));
  chmodSync(folder, 0o755);
  return folder;
}

/** A port of this machine that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}

function start(command: string, args: readonly string[], variables: Record<string, string>): Started {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
  const child = spawn(command, args, {
    env: { ...inherited, ...variables } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  // What a test that failed left running ends with the process that ran the test.
  const stop = () => void child.kill('SIGTERM');
  process.once('exit', stop);
  const leave = () => void process.off('exit', stop);
  ended.then(leave, leave);
  return { child, said: () => output, ended };
}

async function finish(what: string, { said, ended }: Started): Promise<string> {
  const code = await ended;
  if (code !== 0) throw new Error(`${what} ended with ${code}:\n${said()}`);
  return said();
}

/** Runs the import command as an operator does and gives what it said; throws with that when it fails. */
export async function importFiles(dataFolder: string, adapter: string, files: readonly string[]): Promise<string> {
  return finish(
    'The import',
    start('npm', ['run', '--silent', 'import', '--', adapter, ...files], { TIPLEDGER_DATA: dataFolder }),
  );
}

/** Runs a program of ours on the data folder, as the commands of scripts are run; throws with what it said when it fails. */
export async function runProgram(dataFolder: string, script: string, args: readonly string[]): Promise<string> {
  return finish(script, start(process.execPath, ['scripts/run.mjs', script, ...args], { TIPLEDGER_DATA: dataFolder }));
}

/** Starts the program on a port of its own and does not wait for it: for what happens before it is ready. */
export function startProgramOnly(variables: Record<string, string>): Started {
  return start(process.execPath, ['scripts/start.mjs'], { HOST: '127.0.0.1', PORT: '0', ...variables });
}

/** Starts the production site through scripts/start.mjs, without the demo world unless it is asked for, and waits until it is ready; throws with what it said when it ends before. */
export async function startSite(variables: Record<string, string>): Promise<RunningSite> {
  const port = await freePort();
  const { child, said, ended } = start(process.execPath, ['scripts/start.mjs'], {
    HOST: '127.0.0.1',
    PORT: String(port),
    TIPLEDGER_DEMO: 'off',
    ...variables,
  });
  const origin = `http://127.0.0.1:${port}`;
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  const deadline = Date.now() + patienceMilliseconds;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The site ended before it was ready:\n${said()}`);
    const ready = await fetch(`${origin}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ready) return { origin, pid: child.pid ?? 0, said, end };
    if (Date.now() > deadline) {
      await end('SIGKILL');
      throw new Error(`The site was not ready after ${patienceMilliseconds / 1000} seconds:\n${said()}`);
    }
    await sleep(100);
  }
}
