import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase } from '@/lib/platform/database';
import { migrate } from '@/lib/platform/migrations';
import { reportSentences } from '@/lib/record/rules';
import { storeBookmakers } from '@/lib/reference/commands';
import { type Benchmark, inWords, readWholeNumbers, say } from '../bench/benchmark';
import { Bouncer, makePostgresFolder, makeRoles, Postgres } from './cluster';
import { onConnection } from './connection';
import { Instance } from './instances';
import { Readers } from './readers';
import { closeKept } from './send';
import { enrol, offer, verifyAt } from './tipsters';
import { Writers } from './writers';

const tipsters = 12;

// What the one who watches over PostgreSQL needs to be sure that it is gone.
const noticeMilliseconds = 1_000;

type Site = {
  within: number;
  folder: string;
  instance: Instance;
  bouncer: Bouncer;
  writers: Writers;
  readers: Readers;
};

/** Kills the primary, promotes its standby and leads PgBouncer to it; gives how long no write was acknowledged. */
async function failOver({ bouncer, writers }: Site, primary: Postgres, standby: Postgres): Promise<number> {
  primary.kill();
  const since = performance.now();
  await sleep(noticeMilliseconds);
  await standby.promote();
  bouncer.leadTo(standby);
  const back = performance.now();
  while (writers.lastAt < back) await sleep(10);
  return writers.lastAt - since;
}

async function check({ instance, writers }: Site, primary: Postgres): Promise<string[]> {
  const goOn = await writers.pause();
  const found = await onConnection(primary.url('postgres', 'tipledger'), async (client) => [
    ...(await writers.lost(client)),
    ...(await writers.differing(client)),
  ]);
  const report = await verifyAt(instance.origin);
  goOn();
  return [...found, ...(report.ok ? [] : reportSentences(report))];
}

async function trial(site: Site, first: Postgres, servers: Postgres[], times: number): Promise<number> {
  const { within, folder, writers, readers } = site;
  const wrong: string[] = [];
  const pauses: number[] = [];
  let primary = first;
  for (let time = 1; time <= times; time += 1) {
    const standby = await Postgres.follow(path.join(folder, `server-${time}`), primary);
    servers.push(standby);
    await primary.waitForStandby(true);
    await sleep(2_000);
    pauses.push(await failOver(site, primary, standby));
    wrong.push(...(await check(site, standby)));
    primary = standby;
    say(
      `Failover ${time}: writes back after ${((pauses.at(-1) ?? 0) / 1000).toFixed(1)} s; ${inWords(writers.acknowledged)} writes, ${wrong.length} problems; ${inWords(readers.answered)} reads, ${readers.failures.length} failed`,
    );
  }
  await Promise.all([writers.end(), readers.end()]);
  const late = pauses.filter((each) => each > 1_000 * within).length;
  process.stdout.write(
    `${times} failovers to a synchronous standby through PgBouncer: ${inWords(writers.acknowledged)} writes acknowledged, ${wrong.length} lost, doubled or not verified, ${writers.refused.length} refused; ${inWords(readers.answered)} reads of guests, ${readers.failures.length} failed.\n` +
      `  No write was acknowledged for ${pauses.map((each) => (each / 1000).toFixed(1)).join(', ')} s.\n`,
  );
  for (const line of [...wrong, ...writers.refused, ...readers.failures].slice(0, 30))
    process.stdout.write(`  ${line}\n`);
  return wrong.length + writers.refused.length + readers.failures.length + late === 0 ? 0 : 1;
}

async function run(args: string[]): Promise<number> {
  const { times, within } = readWholeNumbers(args, {
    times: { least: 1, most: 1_000, fallback: 10 },
    within: { least: 1, most: 600, fallback: 10 },
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-failover-'));
  chmodSync(folder, 0o755);
  makePostgresFolder(path.join(folder, 'servers'));
  const own = path.join(folder, 'own');
  mkdirSync(own, { mode: 0o755 });
  const servers: Postgres[] = [];
  const ends: (() => unknown)[] = [];
  try {
    const primary = await Postgres.make(path.join(folder, 'servers', 'first'));
    servers.push(primary);
    makeRoles(primary, own);
    const ownerUrl = primary.url('tipledger_owner', 'tipledger');
    await migrate(ownerUrl, path.resolve('migrations'), 'tipledger_program');
    const bouncer = await Bouncer.start(own, primary);
    ends.push(() => bouncer.end());
    process.env.DATABASE_URL = bouncer.url;
    await storeBookmakers();
    const people = await enrol(tipsters);
    const tip = await offer('Failover', new Date(Date.now() + 86_400_000));
    await closeDatabase();
    const instance = await Instance.on({
      DATABASE_URL: bouncer.url,
      DATABASE_OWNER_URL: ownerUrl,
      TIPLEDGER_DATA: path.join(folder, 'data'),
      TIPLEDGER_PROXIES: '1',
      TIPLEDGER_SITE_URL: 'http://tipledger.example',
    });
    ends.unshift(() => instance.kill());
    await instance.start();
    const { origin } = instance;
    const pages = [
      '/',
      '/football',
      '/tipster',
      `/fixture/${tip.fixtureReference}`,
      `/tipster/${people[0]?.portfolio}`,
    ];
    const readers = new Readers(origin, pages, { readers: 3, pauseMilliseconds: 60 });
    const writers = new Writers(people, tip, { originOf: () => origin, pauseMilliseconds: 300 });
    ends.unshift(closeKept);
    readers.start();
    writers.start();
    const site = { within, folder: path.join(folder, 'servers'), instance, bouncer, writers, readers };
    return await trial(site, primary, servers, times);
  } finally {
    for (const end of ends) await end();
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Issue 14: the primary PostgreSQL is killed and its synchronous standby promoted: nothing that was acknowledged is lost, guests are served throughout, and members write again within ten seconds. */
export const failover: Benchmark = {
  name: 'failover',
  title: 'a standby of PostgreSQL takes over (needs a build, Debian’s PostgreSQL and PgBouncer)',
  options: ['--times 10    failovers', '--within 10   the longest time without writes, in seconds'],
  run,
};
