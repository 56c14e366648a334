import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillDemoWorld } from '@/lib/demo/world';
import { now } from '@/lib/platform/clock';
import { say } from './benchmark';
import { onBenchDatabase } from './database';

/** A server under measurement. */
export type Server = {
  name: string;
  port: number;
  pid: number;
  child: ChildProcess;
  /** The last 4,000 characters that it wrote. */
  said(): string;
  end(): Promise<void>;
};

const ticksASecond = 100;

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}

/** Starts a program that serves on the port it is told, or on one that is free, and waits until it answers the path. */
export async function startServer(
  name: string,
  {
    command,
    args,
    env = {},
    ready,
    port: given,
    cwd,
    patienceMilliseconds = 300_000,
  }: {
    command: string;
    args: (port: number) => string[];
    env?: Record<string, string>;
    ready: string;
    port?: number;
    cwd?: string;
    patienceMilliseconds?: number;
  },
): Promise<Server> {
  const port = given ?? (await freePort());
  const child = spawn(command, args(port), {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const stop = () => void child.kill('SIGTERM');
  process.once('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (said = `${said}${String(chunk)}`.slice(-4_000)));
  const failure = new Promise<never>((_, reject) =>
    child.once('error', reject).once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${said}`))),
  );
  const answers = async () => {
    const deadline = performance.now() + patienceMilliseconds;
    while (
      !(await fetch(`http://127.0.0.1:${port}${ready}`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (performance.now() > deadline) throw new Error(`${name} was not ready in time:\n${said}`);
      await sleep(100);
    }
  };
  failure.catch(() => undefined);
  try {
    await Promise.race([answers(), failure]);
  } catch (error) {
    await endOf(child);
    throw error;
  }
  return { name, port, pid: child.pid ?? 0, child, said: () => said, end: () => endOf(child) };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(timer);
}

/** The seconds of processor that a program and those it started have used; only where there is /proc. */
export function cpuSeconds(pid: number): number {
  const all = readdirSync('/proc')
    .flatMap((name) => (/^\d+$/.test(name) ? [statOf(name)] : []))
    .filter((stat) => stat !== null);
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const stat of all) if (family.has(stat.parent)) family.add(stat.pid);
  }
  return all.filter((stat) => family.has(stat.pid)).reduce((sum, { ticks }) => sum + ticks, 0) / ticksASecond;
}

function statOf(name: string): { pid: number; parent: number; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { pid: Number(name), parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) };
  } catch {
    return null;
  }
}

/** Starts the site as `npm start` does, with more arguments of Node where they are given. */
export function startProgram(nodeArgs: readonly string[] = []): Promise<Server> {
  return startServer('tipledger', {
    command: process.execPath,
    args: () => ['--max-semi-space-size=32', ...nodeArgs, 'scripts/start.mjs'],
    env: { TIPLEDGER_DEMO: 'off' },
    ready: '/readyz',
  });
}

/** Runs `body` with the demo world in a database of its own, which the servers that it starts use as well. */
export function onDemoWorld(body: () => Promise<number>): Promise<number> {
  return onBenchDatabase(async () => {
    await fillDemoWorld(now(), say);
    return body();
  });
}
