import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Benchmark, readWholeNumbers, Refusal, say } from '../bench/benchmark';
import { startServer } from '../bench/servers';

const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;

/** Where the program is started, and by when it has at the latest been interrupted. */
type Place = { site: string; dataFolder: string; longestMilliseconds: number };

/** Starts the program and interrupts it at a moment between nothing and the making of its world; gives what it had come to. */
async function interrupt({ site, dataFolder, longestMilliseconds }: Place, signal: NodeJS.Signals): Promise<string> {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: site,
    detached: true,
    env: environment(dataFolder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([sleep(Math.random() * longestMilliseconds, undefined, { ref: false }), ended]);
  // Ctrl-C reaches everything that the terminal runs, the others the program alone.
  if (child.exitCode === null && child.signalCode === null)
    process.kill(signal === 'SIGINT' ? -(child.pid ?? 0) : (child.pid ?? 0), signal);
  await ended;
  child.stderr.destroy();
  return lastMessage(said);
}

/** The last thing that a program said, whose lines are JSON where nobody looks at a terminal. */
function lastMessage(said: string): string {
  const line = said.trim().split('\n').at(-1) ?? '';
  return /"message":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line;
}

function environment(dataFolder: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, DATABASE_OWNER_URL: _owner, ...inherited } = process.env;
  return {
    ...inherited,
    NODE_ENV: 'production',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    TIPLEDGER_DATA: dataFolder,
    TIPLEDGER_DEMO: 'on',
  };
}

/** The last commit of this project in a folder of its own, where nothing is installed or built. */
function clone(folder: string): string {
  const site = path.join(folder, 'site');
  const { status, stderr } = spawnSync('git', ['clone', '--quiet', process.cwd(), site], { encoding: 'utf8' });
  if (status !== 0) throw new Refusal(`The project could not be cloned: ${stderr.trim()}`);
  return site;
}

async function run(args: string[]): Promise<number> {
  const {
    times,
    clone: isClone,
    within,
  } = readWholeNumbers(args, {
    times: { least: 1, most: 1_000, fallback: 20 },
    clone: { least: 0, most: 1, fallback: 0 },
    within: { least: 0, most: 3_600, fallback: 0 },
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-zwölf 賭け-'));
  chmodSync(folder, 0o755);
  const dataFolder = path.join(folder, 'data');
  try {
    const longestMilliseconds = 1_000 * (within || (isClone ? 240 : 20));
    const place: Place = { site: isClone ? clone(folder) : process.cwd(), dataFolder, longestMilliseconds };
    for (let time = 1; time <= times; time += 1) {
      const signal = signals[time % signals.length] ?? 'SIGKILL';
      say(`${time}: ${signal} after "${await interrupt(place, signal)}"`);
    }
    const server = await startServer('tipledger', {
      command: process.execPath,
      args: () => ['scripts/start.mjs'],
      env: { TIPLEDGER_DATA: dataFolder, TIPLEDGER_DEMO: 'on', DATABASE_URL: '', DATABASE_OWNER_URL: '' },
      ready: '/readyz',
      cwd: place.site,
      patienceMilliseconds: 1_200_000,
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
  title: 'the first start interrupted at random moments, then started again (needs a build, or --clone 1)',
  options: [
    '--times N    so many interruptions (20)',
    '--clone 1    of a fresh clone, so that installing and building are interrupted as well',
    '--within N   after N seconds at the latest (20, of a clone 240)',
  ],
  run,
};
