import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportSentences } from '@/lib/record/rules';
import { type Benchmark, inWords, readWholeNumbers, say } from '../bench/benchmark';
import { onBenchDatabase } from '../bench/database';
import { onConnection } from './connection';
import { Instance } from './instances';
import { startNginx } from './nginx';
import { Listeners, Readers } from './readers';
import { makeRelease, switchTo } from './releases';
import { closeKept } from './send';
import { enrol, offer, verifyAt } from './tipsters';
import { Writers } from './writers';

const tipsters = 24;
const instances = 3;
const drainSeconds = 5;

async function roll(all: readonly Instance[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const instance of all) {
    const code = await instance.stop();
    if (code !== 0) wrong.push(`an instance that was told to stop ended with ${code}`);
    await instance.start();
  }
  return wrong;
}

type Site = { folder: string; all: Instance[]; releases: string; times: number; count: number };

async function trial({ folder, all, releases, times, count }: Site): Promise<number> {
  const people = await enrol(tipsters);
  const tip = await offer('Rolling', new Date(Date.now() + 86_400_000));
  for (let number = 0; number <= count; number += 1) makeRelease(releases, number);
  switchTo(releases, 0);
  const settings = {
    TIPLEDGER_DATA: path.join(folder, 'data'),
    TIPLEDGER_PROXIES: '1',
    TIPLEDGER_SITE_URL: 'https://tipledger.example',
    DRAIN_SECONDS: String(drainSeconds),
  };
  for (let place = 0; place < instances; place += 1)
    all.push(await Instance.on(settings, [path.join(releases, 'current', 'tipledger.mjs')]));
  await Promise.all(all.map((instance) => instance.start()));
  const nginx = await startNginx(
    folder,
    all.map(({ port }) => port),
  );
  try {
    const { origin } = nginx;
    const portfolio = people[0]?.portfolio ?? '';
    const pages = [
      '/',
      '/football',
      '/tipster',
      `/tipster/${portfolio}`,
      `/fixture/${tip.fixtureReference}`,
      '/ledger',
    ];
    const calls = ['/api/edge/version', `/api/portfolio/${portfolio}`, `/api/fixture/${tip.fixtureReference}`];
    const writers = new Writers(people, tip, { originOf: () => origin, pauseMilliseconds: 1_200 });
    const readers = new Readers(origin, [...pages, ...calls], { readers: 6, pauseMilliseconds: 100 });
    const listeners = new Listeners(origin);
    writers.start();
    readers.start();
    listeners.start(10, `live,portfolio:${portfolio}`);
    const wrong: string[] = [];
    const failures = () => [...readers.failures, ...writers.failures, ...writers.refused, ...listeners.failures];
    let told = 0;
    const tell = (what: string) => {
      const failed = failures();
      say(
        `${what}: ${inWords(readers.answered)} reads, ${inWords(writers.acknowledged)} writes, ${inWords(listeners.opened)} streams, ${failed.length} failed`,
      );
      if (failed.length > told) say(nginx.said().split('\n').slice(-5).join('\n'));
      told = failed.length;
    };
    await sleep(1_000);
    for (let time = 1; time <= times; time += 1) {
      wrong.push(...(await roll(all)));
      tell(`Restart ${time}`);
    }
    for (let number = 1; number <= count; number += 1) {
      switchTo(releases, number);
      wrong.push(...(await roll(all)));
      tell(`Release ${number}`);
    }
    await sleep(1_000);
    await Promise.all([writers.end(), readers.end(), listeners.end()]);
    wrong.push(
      ...(await onConnection(process.env.DATABASE_URL ?? '', async (client) => [
        ...(await writers.lost(client)),
        ...(await writers.differing(client)),
      ])),
    );
    const report = await verifyAt(all[0]?.origin ?? '');
    if (!report.ok) wrong.push(...reportSentences(report));
    const failed = failures();
    process.stdout.write(
      `${times} rolling restarts and ${count} releases of ${instances} instances behind nginx: ${inWords(readers.answered)} reads, ${readers.files} scripts and styles among what was read, ${inWords(writers.acknowledged)} writes, ${inWords(listeners.opened)} streams.\n` +
        `  Failed: ${readers.failures.length} reads, ${writers.failures.length + writers.refused.length} writes, ${listeners.failures.length} streams. Lost, doubled or not verified: ${wrong.length}.\n`,
    );
    for (const line of [...failed, ...wrong].slice(0, 30)) process.stdout.write(`  ${line}\n`);
    return failed.length + wrong.length === 0 ? 0 : 1;
  } finally {
    closeKept();
    await nginx.end();
  }
}

async function run(args: string[]): Promise<number> {
  const { times, releases: count } = readWholeNumbers(args, {
    times: { least: 0, most: 1_000, fallback: 50 },
    releases: { least: 0, most: 1_000, fallback: 10 },
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-rolling-'));
  chmodSync(folder, 0o755);
  const all: Instance[] = [];
  try {
    return await onBenchDatabase(() =>
      trial({ folder, all, releases: path.join(folder, 'releases'), times, count }).finally(() =>
        Promise.all(all.map((instance) => instance.kill())),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Issue 14: instances behind nginx are restarted one after the other, and replaced by other releases, while the site is read, written to and listened to: no request fails. */
export const rolling: Benchmark = {
  name: 'rolling',
  title: 'rolling restarts and releases of three instances behind nginx (needs a build and nginx)',
  options: ['--times 50         rolling restarts', '--releases 10      releases'],
  run,
};
