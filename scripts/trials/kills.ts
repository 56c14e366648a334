import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { migrate } from '@/lib/platform/migrations';
import { reportSentences } from '@/lib/record/rules';
import { storeBookmakers } from '@/lib/reference/commands';
import { type Benchmark, inWords, readWholeNumbers, say } from '../bench/benchmark';
import { childrenOf } from './cluster';
import { onConnection } from './connection';
import { Instance, untilAnswered } from './instances';
import { closeKept } from './send';
import { enrol, offer, verifyAt } from './tipsters';
import { Writers } from './writers';

// So many that none of them reaches the 500 bets that one records within a day.
const tipsters = 60;
const pauseMilliseconds = 1_500;
const verifiedEvery = 25;

/** What is found after a kill: how long the first page and the first write took, and what is wrong. */
type Round = { firstPage: number; firstWrite: number };

/** A private PostgreSQL, and programs on its folder, which bring it back themselves. */
type Site = {
  longestFirstPage: number;
  instances: readonly Instance[];
  writers: Writers;
  ownerUrl: string;
  dataFolder: string;
};

const pick = <T>(all: readonly T[]): T => all[randomInt(all.length)] as T;

/** One instance is killed, at times all of them at once, and started again at once. */
async function killPrograms({ instances }: Site): Promise<{ killed: number; since: number }> {
  const chosen = randomInt(5) === 0 ? instances : [pick(instances)];
  await Promise.all(chosen.map((instance) => instance.kill()));
  const since = performance.now();
  await Promise.all(chosen.map((instance) => instance.start()));
  return { killed: chosen.length, since };
}

/** The postmaster is killed, or one of its children, after which it throws out all others, or all of them at once. */
async function killPostgres({ dataFolder }: Site): Promise<{ killed: number; since: number }> {
  const postmaster = Number.parseInt(readFileSync(path.join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const children = childrenOf(postmaster);
  const which = randomInt(3);
  const victims = which === 0 ? [postmaster] : which === 1 ? [pick(children)] : [postmaster, ...children];
  const since = performance.now();
  for (const pid of victims)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself since it was listed.
    }
  return { killed: 1, since };
}

async function round(site: Site, kill: typeof killPrograms): Promise<Round & { killed: number; lost: string[] }> {
  const { instances, writers, ownerUrl } = site;
  await sleep(randomInt(400));
  const { killed, since } = await kill(site);
  const pages = await Promise.all(instances.map(({ origin }) => untilAnswered(origin, '/', since)));
  // Not one that had just been answered when the kill came.
  const back = performance.now();
  while (writers.lastAt < back) await sleep(5);
  const firstWrite = writers.lastAt - since;
  const lost = await onConnection(ownerUrl, (client) => writers.lost(client));
  return { killed, firstPage: Math.max(...pages), firstWrite, lost };
}

/** Whether everything agrees while nobody writes: neither more nor less than was acknowledged, and a record that verifies. */
async function checkAll({ instances, writers, ownerUrl }: Site): Promise<string[]> {
  const goOn = await writers.pause();
  const found = await onConnection(ownerUrl, async (client) => [
    ...(await writers.lost(client)),
    ...(await writers.differing(client)),
  ]);
  const report = await verifyAt(instances[0]?.origin ?? '');
  goOn();
  return [...found, ...(report.ok ? [] : [`the record is not verified: ${reportSentences(report).join(' ')}`])];
}

async function trial(site: Site, name: string, kills: number, kill: typeof killPrograms): Promise<boolean> {
  if (kills === 0) return true;
  const rounds: Round[] = [];
  const wrong: string[] = [];
  let [killed, verified] = [0, 0];
  while (killed < kills) {
    const found = await round(site, kill);
    rounds.push(found);
    const before = killed;
    killed += found.killed;
    wrong.push(...found.lost);
    if (killed < kills && Math.floor(before / verifiedEvery) === Math.floor(killed / verifiedEvery)) continue;
    wrong.push(...(await checkAll(site)));
    verified += 1;
    say(
      `${inWords(killed)} kills of ${name}: ${inWords(site.writers.acknowledged)} writes acknowledged, ${wrong.length} problems`,
    );
  }
  const { refused, acknowledged } = site.writers;
  const { longestFirstPage } = site;
  const late = rounds.filter(({ firstPage }) => firstPage > longestFirstPage).length;
  process.stdout.write(
    `${inWords(killed)} kills of ${name} on ${site.instances.length} instances: ${inWords(acknowledged)} writes acknowledged so far, ${wrong.length} lost, doubled or not verified (looked at ${verified} times), ${refused.length} refused.\n` +
      `  First page after ${spread(rounds.map(({ firstPage }) => firstPage))}, ${late} times later than ${longestFirstPage / 1000} s; first write after ${spread(rounds.map(({ firstWrite }) => firstWrite))}.\n`,
  );
  for (const line of [...wrong, ...refused].slice(0, 20)) process.stdout.write(`  ${line}\n`);
  return wrong.length + refused.length + late === 0;
}

function spread(milliseconds: readonly number[]): string {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number) => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1000).toFixed(1);
  return `${at(0)} / ${at(0.5)} / ${at(1)} s (least, median, most)`;
}

async function run(args: string[]): Promise<number> {
  const {
    times,
    postgres,
    instances: count,
    within,
  } = readWholeNumbers(args, {
    times: { least: 0, most: 10_000, fallback: 100 },
    postgres: { least: 0, most: 10_000, fallback: 40 },
    instances: { least: 1, most: 4, fallback: 3 },
    within: { least: 1, most: 600, fallback: 5 },
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-kills-'));
  // PostgreSQL does not run as root; whoever it runs as must get here.
  chmodSync(folder, 0o755);
  const dataFolder = path.join(folder, 'data');
  const server = await openEmbeddedPostgres({ dataFolder, say });
  const instances: Instance[] = [];
  try {
    process.env.DATABASE_URL = server.ownerUrl;
    process.env.TIPLEDGER_DATA = dataFolder;
    await migrate(server.ownerUrl, path.resolve('migrations'));
    await storeBookmakers();
    const people = await enrol(tipsters);
    const tip = await offer('Kill', new Date(Date.now() + 86_400_000));
    await closeDatabase();
    const settings = {
      DATABASE_URL: '',
      TIPLEDGER_DATA: dataFolder,
      TIPLEDGER_PROXIES: '1',
      TIPLEDGER_SITE_URL: 'http://tipledger.example',
    };
    for (let place = 0; place < count; place += 1) instances.push(await Instance.on(settings));
    await Promise.all(instances.map((instance) => instance.start()));
    const writers = new Writers(people, tip, { originOf: () => pick(instances).origin, pauseMilliseconds });
    const site = { longestFirstPage: 1_000 * within, instances, writers, ownerUrl: server.ownerUrl, dataFolder };
    writers.start();
    const found = [
      await trial(site, 'the program', times, killPrograms),
      await trial(site, 'PostgreSQL', postgres, killPostgres),
    ];
    await writers.end();
    return found.every(Boolean) ? 0 : 1;
  } finally {
    closeKept();
    await Promise.all(instances.map((instance) => instance.stop()));
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Issue 14: the program and its private PostgreSQL killed under writes: nothing that was acknowledged is lost, nothing is there twice, and the record verifies. */
export const kills: Benchmark = {
  name: 'kills',
  title: 'the program and its PostgreSQL killed while members write (needs a build)',
  options: [
    '--times 100       kills of the program',
    '--postgres 40     kills of PostgreSQL',
    '--instances 3     programs on one PostgreSQL',
    '--within 5        the longest time to the first page, in seconds',
  ],
  run,
};
