import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { enrol, matchOf, offer, post, quote, signIn, type Tipster } from '../trials/tipsters';
import { type Benchmark, inWords, readWholeNumbers, say, table } from './benchmark';
import { onBenchDatabase } from './database';
import type { Arrival, Sinks } from './news-sinks';
import { type Crowd, endMemberships, expectedOf, fillCrowd } from './news-world';
import { type Server, startProgram } from './servers';

const word = 'Nimbusholm';
const alone = 20;
const settledEverySeconds = 3;
const patienceSeconds = 300;
const pagesASecond = 20;
const quietSeconds = 15;
/** Messages of one way that may be under way at once, in both lanes together: as many followers may arrive before the last member. */
const underWay = 600;
/** What was looked at so shortly before a membership ended may still be on its way. */
const atOnceMilliseconds = 1_500;
const limits = { firstSeconds: 2, allSeconds: 60, lagSeconds: 5, timesSlower: 2 };

async function openSinks(): Promise<{ sinks: Sinks; child: ChildProcess }> {
  const child = fork('scripts/run.mjs', ['scripts/bench/news-sinks.ts', word], { env: { ...process.env } });
  const [sinks] = (await once(child, 'message')) as [Sinks];
  return { sinks, child };
}

async function ask<T>(child: ChildProcess, what: 'count' | 'report'): Promise<T> {
  child.send(what);
  const [answer] = (await once(child, 'message')) as [T];
  return answer;
}

/** Asks for pages by turns at a steady pace until it is told to stop; gives what 99 of 100 took at most, in milliseconds. */
function browse({ port }: Server, paths: readonly string[]): () => Promise<number> {
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  const timer = setInterval(() => {
    const start = performance.now();
    const path = paths[asked.length % paths.length] ?? '/';
    asked.push(
      fetch(`http://127.0.0.1:${port}${path}`)
        .then((response) => response.arrayBuffer())
        .then(() => void times.push(performance.now() - start)),
    );
  }, 1000 / pagesASecond);
  return async () => {
    clearInterval(timer);
    await Promise.all(asked);
    return times.toSorted((a, b) => a - b)[Math.ceil(0.99 * times.length) - 1] ?? 0;
  };
}

/** Looks at what is due to be settled until it is told to stop; gives for how long the longest was, in seconds. */
function watchSettlement(): () => Promise<number> {
  let longest = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await sql<{ lag: number | null }>`
        select extract(epoch from clock_timestamp() - min(due_at))::float8 as lag from open_tip where due_at <= clock_timestamp()
      `.execute(database());
      longest = Math.max(longest, rows[0]?.lag ?? 0);
      await sleep(250);
    }
    return longest;
  })();
  return () => {
    isOver = true;
    return watching;
  };
}

/** Publishes tips on a match that starts in a moment, gives how long each took in milliseconds, and has one fall due every few seconds from then on. */
async function publishToSettle(
  server: Server,
  tipster: Tipster,
): Promise<{ times: number[]; fallDue(): Promise<void> }> {
  const startsAt = new Date(Date.now() + 30_000);
  const tip = await offer('Earlier', startsAt);
  const times: number[] = [];
  for (let number = 0; number < alone; number += 1) {
    const start = performance.now();
    const { status, text } = await post(server, tipster, tip);
    if (status !== 201) throw new Error(`A tip was answered with ${status}: ${text}`);
    times.push(performance.now() - start);
  }
  return {
    times: times.toSorted((a, b) => a - b),
    fallDue: async () => {
      await sleep(Math.max(0, startsAt.getTime() + 1_000 - Date.now()));
      await quote([
        {
          ...matchOf('Earlier', startsAt, 2_000, new Date()),
          markets: [],
          result: { home: 2, away: 1, halfTime: { home: 1, away: 0 } },
        },
      ]);
      await sql`
        update open_tip set due_at = clock_timestamp() + ${settledEverySeconds}::int * place * interval '1 second'
        from (select tip_id, row_number() over (order by tip_id) as place from open_tip) waiting where waiting.tip_id = open_tip.tip_id
      `.execute(database());
    },
  };
}

/** What is wrong with what arrived, in sentences. */
function judge(arrivals: readonly Arrival[], crowd: Crowd, endedAt: Date): string[] {
  const got = new Map<number, Arrival[]>();
  for (const arrival of arrivals) got.set(arrival.reader, [...(got.get(arrival.reader) ?? []), arrival]);
  let [missing, twice, unasked, leaks, silent] = [0, 0, 0, 0, 0];
  for (let number = 1; number <= crowd.followers; number += 1) {
    const [expected, own] = [expectedOf(number, crowd), got.get(number) ?? []];
    if (expected.way === null) unasked += own.length;
    else if (own.length === 0) missing += 1;
    else if (own.length > 1) twice += 1;
    const until = expected.tells === 'until it ends' ? endedAt.getTime() + atOnceMilliseconds : Infinity;
    if (own.some(({ tells, at }) => tells && (!expected.tells || at > until))) leaks += 1;
    if (own.some(({ tells }) => !tells && expected.tells === true)) silent += 1;
  }
  return [
    [missing, 'were not told'],
    [twice, 'were told twice'],
    [unasked, 'messages came to people who are not to be told now'],
    [leaks, 'read what only members may read'],
    [silent, 'members were not told the selection'],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${inWords(Number(count))} ${what}.`]));
}

const ofWay = (arrivals: readonly Arrival[], way: Arrival['way']) =>
  arrivals.filter((arrival) => arrival.way === way).toSorted((a, b) => a.at - b.at);

/** How many followers who are no members were told by a way before the last member was. */
function jumped(arrivals: readonly Arrival[], { members }: Crowd): number {
  const last = arrivals.findLastIndex(({ reader }) => reader <= members);
  return arrivals.slice(0, Math.max(0, last)).filter(({ reader }) => reader > members).length;
}

async function measure(crowd: Crowd, child: ChildProcess, sinks: Sinks): Promise<number> {
  process.env.SMTP_URL = sinks.smtp;
  process.env.TIPLEDGER_OUTGOING_PRIVATE = new URL(sinks.push).host;
  const [told, other] = await enrol(2);
  if (!told || !other) throw new Error('There are no tipsters.');
  say('Filling the crowd…');
  await fillCrowd(told.portfolio, crowd, sinks);
  const server = await startProgram();
  try {
    const [publisher, loner] = await signIn(server, [told, other]);
    if (!publisher || !loner) throw new Error('Nobody is signed in.');
    const { times, fallDue } = await publishToSettle(server, loner);
    const tip = await offer(word, new Date(Date.now() + 3_600_000));
    const paths = ['/', '/tipster', `/tipster/${other.portfolio}`];
    const endQuiet = browse(server, paths);
    await sleep(1000 * quietSeconds);
    const before = await endQuiet();
    await fallDue();

    const [endPages, endSettlement] = [browse(server, paths), watchSettlement()];
    const expected = Array.from({ length: crowd.followers }, (_, index) => expectedOf(index + 1, crowd));
    const wanted = expected.filter(({ way }) => way !== null).length;
    const start = Date.now();
    const { status, text } = await post(server, publisher, tip, { free: false });
    if (status !== 201) throw new Error(`The tip was answered with ${status}: ${text}`);
    const publishing = Date.now() - start;
    const endedAt = await endMemberships();
    while ((await ask<number>(child, 'count')) < wanted && Date.now() - start < 1000 * patienceSeconds)
      await sleep(250);
    const [during, lag] = [await endPages(), await endSettlement()];
    // Whatever comes to somebody who is not to be told comes by then.
    await sleep(3_000);

    const arrivals = await ask<Arrival[]>(child, 'report');
    const { rows } = await sql<{ listed: number }>`
      select count(*)::int as listed from delivery join event on event.id = event_id where channel = 'app' and event.kind = 'tip'
        and event.portfolio_id = (select id from portfolio where reference = ${told.portfolio})
    `.execute(database());
    const wrong = judge(arrivals, crowd, endedAt);
    const toList = expected.filter(({ listed }) => listed).length;
    if (rows[0]?.listed !== toList)
      wrong.push(`${inWords(toList)} were to have it in their lists, and ${inWords(rows[0]?.listed ?? 0)} do.`);
    const seconds = (at: number | undefined) => (at === undefined ? Infinity : (at - start) / 1000);
    const lines = (['mail', 'push'] as const).map((way) => {
      const own = ofWay(arrivals, way);
      const members = own.filter(({ reader }) => reader <= crowd.members);
      return {
        way,
        count: own.length,
        first: seconds(members[0]?.at),
        members: seconds(members.at(-1)?.at),
        all: seconds(own.at(-1)?.at),
        jumped: jumped(own, crowd),
      };
    });
    process.stdout.write(
      `${table([
        [
          `${inWords(crowd.followers)} followers`,
          'messages',
          'first member',
          'last member',
          'all, seconds',
          'followers before the last member',
        ],
        ...lines.map((line) => [
          line.way,
          inWords(line.count),
          line.first.toFixed(2),
          line.members.toFixed(2),
          line.all.toFixed(2),
          inWords(line.jumped),
        ]),
      ])}\n`,
    );
    const slowest = times.at(-1) ?? 0;
    process.stdout.write(
      `publishing ${publishing} ms, without followers ${(times[Math.floor(times.length / 2)] ?? 0).toFixed(0)} ms (slowest of ${alone}: ${slowest.toFixed(0)} ms); settlement behind by ${lag.toFixed(1)} s at most; p99 of pages ${during.toFixed(0)} ms, ${before.toFixed(0)} ms before\n`,
    );
    const late = [
      ...lines.flatMap((line) => [
        ...(line.first <= limits.firstSeconds
          ? []
          : [`The first member was told by ${line.way} after more than ${limits.firstSeconds} s.`]),
        ...(line.all <= limits.allSeconds
          ? []
          : [`All were told by ${line.way} after more than ${limits.allSeconds} s.`]),
        ...(line.jumped <= underWay ? [] : [`Followers were told by ${line.way} before members.`]),
      ]),
      ...(publishing <= slowest ? [] : ['Publishing took longer than without followers.']),
      ...(lag < limits.lagSeconds ? [] : [`Settlement was ${limits.lagSeconds} s behind.`]),
      ...(during < limits.timesSlower * before ? [] : [`Pages took ${(during / before).toFixed(1)} times as long.`]),
    ];
    for (const line of [...wrong, ...late]) process.stdout.write(`  ${line}\n`);
    return wrong.length + late.length === 0 ? 0 : 1;
  } finally {
    await server.end();
  }
}

/** A tip for members given to all followers of a portfolio by the program as it is run, over a mail server and a push service of this machine, while pages are read and tips are settled. */
export const news: Benchmark = {
  name: 'news',
  title: 'a tip told to its followers in the list, by mail and by push, while pages are read and tips settled',
  options: ['--followers <number> how many there are (50000)', '--members <number>   how many of them pay (5000)'],
  run: (args) => {
    const crowd = readWholeNumbers(args, {
      followers: { least: 100, most: 1_000_000, fallback: 50_000 },
      members: { least: 10, most: 1_000_000, fallback: 5_000 },
    });
    return onBenchDatabase(async () => {
      const { sinks, child } = await openSinks();
      try {
        return await measure(crowd, child, sinks);
      } finally {
        child.kill();
      }
    });
  },
};
