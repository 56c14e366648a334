import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Benchmark, readWholeNumbers, say } from '../bench/benchmark';
import { startServer } from '../bench/servers';

const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
const longestMilliseconds = 20_000;

/** Starts the program on the folder and interrupts it at a moment between nothing and the making of its world; gives what it had come to. */
async function interrupt(dataFolder: string, signal: NodeJS.Signals): Promise<string> {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: environment(dataFolder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await Promise.race([sleep(Math.random() * longestMilliseconds), ended]);
  child.kill(signal);
  await ended;
  return said.trim().split('\n').at(-1) ?? '';
}

function environment(dataFolder: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, DATABASE_OWNER_URL: _owner, ...inherited } = process.env;
  return {
    ...inherited,
    NODE_ENV: 'production',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    TIPLEDGER_DATA: dataFolder,
    TIPLEDGER_DEMO: 'on',
  };
}

async function run(args: string[]): Promise<number> {
  const { times } = readWholeNumbers(args, { times: { least: 1, most: 1_000, fallback: 20 } });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-zwölf 賭け-'));
  chmodSync(folder, 0o755);
  const dataFolder = path.join(folder, 'data');
  try {
    for (let time = 1; time <= times; time += 1) {
      const signal = signals[time % signals.length] ?? 'SIGKILL';
      say(`${time}: ${signal} after "${await interrupt(dataFolder, signal)}"`);
    }
    const server = await startServer('tipledger', {
      command: process.execPath,
      args: () => ['scripts/start.mjs'],
      env: { TIPLEDGER_DATA: dataFolder, TIPLEDGER_DEMO: 'on', DATABASE_URL: '', DATABASE_OWNER_URL: '' },
      ready: '/readyz',
    });
    const origin = `http://127.0.0.1:${server.port}`;
    const tipsters = new Set((await (await fetch(`${origin}/tipster`)).text()).match(/"\/tipster\/[a-z0-9-]+"/g)).size;
    const fixtures = (await (await fetch(`${origin}/football`)).text()).match(/"\/fixture\//g)?.length ?? 0;
    await server.end();
    process.stdout.write(
      `After ${times} interrupted starts the next one serves ${tipsters} tipsters on its first page of them and ${fixtures} links to football fixtures.\n`,
    );
    return tipsters > 5 && fixtures > 5 ? 0 : 1;
  } finally {
    await sleep(500);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The first start is interrupted at random moments, by Ctrl-C, SIGTERM and without warning; the one after them must end in the full site. */
export const interruptedStart: Benchmark = {
  name: 'interrupted-start',
  title: 'the first start interrupted at random moments, then started again (needs a build)',
  options: ['--times N   so many interruptions (20)'],
  run,
};
