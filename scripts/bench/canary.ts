import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fillDemoWorld, fullScale } from '@/lib/demo/world';
import { now } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import { publishTip } from '@/lib/tips/commands';
import { type Benchmark, inWords, readWholeNumbers, say } from './benchmark';
import { askIn } from './canary-requests';
import { type Login, signIn } from './login';
import { canaryPassword, type CanaryWorld, markOf, openCanaries, readOffers } from './canary-world';
import { onBenchDatabase } from './database';
import { type Server, startProgram } from './servers';

type Answer = { status: number; text: string; location: string; retryAfterSeconds: number };

const clients = 32;
const publishEvery = 500;
// Within the ten minutes that an access token holds.
const signInEverySeconds = 240;
const crowd = 1_000;
const mostTimes = 5;
// What a second holds with the time to make a page anew, on a machine that does nothing else.
const publishedWithinSeconds = 1;

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

function ask(options: http.RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', ...options }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('error', reject)
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const bytes = Buffer.concat(chunks);
            const decode = decoders[response.headers['content-encoding'] ?? ''];
            resolve({
              status: response.statusCode ?? 0,
              text: (decode && bytes.length > 0 ? decode(bytes) : bytes).toString('utf8'),
              location: response.headers.location ?? '',
              retryAfterSeconds: Number(response.headers['retry-after'] ?? 0),
            });
          });
      })
      .on('error', reject);
  });
}

/** Asks as the router of Next does where the headers say so: it names the part of the page that it wants in the address, and is told how when it does not. */
async function askAsReader(options: http.RequestOptions & { headers: http.OutgoingHttpHeaders }): Promise<Answer> {
  const answer = await ask(options);
  if (options.headers.rsc === undefined || answer.status !== 307 || !/[?&]_rsc\b/.test(answer.location)) return answer;
  const { pathname, search } = new URL(answer.location, 'http://127.0.0.1');
  return ask({ ...options, path: pathname + search });
}

const marksIn = (text: string) => [...new Set(text.match(/canary-\d+-/g) ?? [])].toSorted();

/** The logins of all, made anew before their tokens end. */
class Logins {
  #byNumber = new Map<number, Login>();
  #madeAt = -Infinity;
  #making: Promise<void> | null = null;

  constructor(
    private readonly origin: string,
    private readonly world: CanaryWorld,
  ) {}

  async now(): Promise<ReadonlyMap<number, Login>> {
    if (performance.now() - this.#madeAt > signInEverySeconds * 1000)
      await (this.#making ??= this.#make().finally(() => (this.#making = null)));
    return this.#byNumber;
  }

  async #make(): Promise<void> {
    const made = new Map<number, Login>();
    for (const person of [...this.world.owners, ...this.world.members])
      made.set(person.number, await signIn(this.origin, person.username, canaryPassword));
    this.#byNumber = made;
    this.#madeAt = performance.now();
  }
}

/** Publishes a tip for members with the mark of its owner, as a program beside the site does; gives the portfolio and the tip. */
async function publishOne({ owners }: CanaryWorld, number: number): Promise<{ portfolio: string; tip: string }> {
  const owner = owners[number % owners.length];
  const offers = await readOffers(200);
  const leg = offers[number % offers.length];
  if (!owner || !leg) throw new Error('No price is on offer to publish a tip at.');
  const input = {
    idempotencyKey: `live-${number}`,
    legs: [leg],
    stakeHundredths: 100,
    free: false,
    analysis: `For members: ${markOf(owner.number)}live`,
  };
  return { portfolio: owner.portfolio, tip: (await publishTip(owner.viewer, owner.portfolio, input)).reference };
}

type Run = { answered: number; wrong: string[]; byStatus: Map<number, number>; sentLater: number };

/** Sends the requests of all, many at a time, with a tip published every few hundred, and compares the marks in each answer with those that its reader may see. */
async function mix(port: number, world: CanaryWorld, requests: number): Promise<Run> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const logins = new Logins(`http://127.0.0.1:${port}`, world);
  const run: Run = { answered: 0, wrong: [], byStatus: new Map(), sentLater: 0 };
  let next = 0;
  // Whoever is told that all renders are taken comes again after the time that is named.
  const askPatiently = async (options: http.RequestOptions & { headers: http.OutgoingHttpHeaders }) => {
    for (let times = 1; ; times += 1) {
      const answer = await askAsReader(options);
      if (answer.status !== 503 || answer.retryAfterSeconds === 0 || times === mostTimes) return answer;
      run.sentLater += 1;
      if (marksIn(answer.text).length > 0) run.wrong.push(`${options.path}: a mark in an answer that refuses`);
      await sleep(answer.retryAfterSeconds * 1000);
    }
  };
  const client = async () => {
    for (let turn = next++; turn < requests; turn = next++) {
      const { who, path, headers, marks } = askIn(turn, world, await logins.now());
      const { status, text } = await askPatiently({ port, path, agent, headers });
      const found = marksIn(text).join(' ');
      if (found !== marks.map(markOf).toSorted().join(' '))
        run.wrong.push(
          `${path} for ${who}: ${found || 'nothing'} instead of ${marks.map(markOf).join(' ') || 'nothing'} (${status})`,
        );
      run.byStatus.set(status, (run.byStatus.get(status) ?? 0) + 1);
      run.answered += 1;
      if (turn % publishEvery === publishEvery - 1) await publishOne(world, turn);
      if (run.answered % 10_000 === 0) say(`${inWords(run.answered)} of ${inWords(requests)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    agent.destroy();
  }
  return run;
}

/** How many different answers a crowd gets that asks at once for a page that nobody asked for before: each making of a page carries another identity. */
async function rush(port: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: crowd });
  const answers = await Promise.all(
    Array.from({ length: crowd }, () => ask({ port, path: routes.sport('volleyball', { days: 14 }), agent })),
  );
  agent.destroy();
  return new Set(answers.map(({ status, text }) => `${status} ${text}`)).size;
}

/** The seconds from a publication by another program until the portfolio's page, its tips and the record all have it. */
async function secondsUntilShown(port: number, world: CanaryWorld, number: number): Promise<number> {
  const owner = world.owners[number % world.owners.length];
  if (!owner) throw new Error('There is no owner to publish.');
  const pages = [routes.portfolio(owner.portfolio), routes.portfolioPage(owner.portfolio, 'tips'), routes.ledger()];
  const read = () => Promise.all(pages.map(async (path) => (await ask({ port, path })).text));
  await read();
  const { tip } = await publishOne(world, number);
  const since = performance.now();
  while (!(await read()).every((text) => text.includes(tip))) {
    if (performance.now() - since > 30_000) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return (performance.now() - since) / 1000;
}

async function runOn({ port }: Server, world: CanaryWorld, requests: number): Promise<number> {
  const verdicts: boolean[] = [];
  const report = (isMet: boolean, line: string) => {
    verdicts.push(isMet);
    process.stdout.write(`${line}: ${isMet ? 'met' : 'MISSED'}\n`);
  };
  const renders = await rush(port);
  report(
    renders === 1,
    `${inWords(crowd)} at once on a cold page: ${inWords(renders)} different answer${renders === 1 ? '' : 's'}`,
  );

  const started = performance.now();
  const { answered, wrong, byStatus, sentLater } = await mix(port, world, requests);
  const statuses = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status} ${inWords(count)}`)
    .join(', ');
  process.stdout.write(
    `${inWords(answered)} requests in ${inWords(Math.round((performance.now() - started) / 1000))} s (${statuses}); ${inWords(sentLater)} asked to come again\n`,
  );
  for (const line of wrong.slice(0, 20)) say(line);
  report(
    wrong.length === 0 && [...byStatus.keys()].every((status) => status < 500 && status !== 429),
    `${inWords(wrong.length)} answers with a mark too many or too few`,
  );

  const seconds: number[] = [];
  for (let number = 0; number < 5; number += 1) seconds.push(await secondsUntilShown(port, world, 1_000_000 + number));
  report(
    Math.max(...seconds) <= publishedWithinSeconds,
    `a tip published by another program stands on every page after ${seconds.map((each) => each.toFixed(2)).join(', ')} s`,
  );
  return verdicts.every(Boolean) ? 0 : 1;
}

/** The program under guests, members and owners at once, with real sessions: nothing of one's own may reach anybody else. */
export const canary: Benchmark = {
  name: 'canary',
  title:
    'guests, members and owners at once on the real program, each with a mark in every view of their own: none of it in a wrong answer',
  options: ['--requests <number> requests in all (100000)'],
  run: (args) => {
    const { requests } = readWholeNumbers(args, { requests: { least: 1, most: 100_000_000, fallback: 100_000 } });
    return onBenchDatabase(async () => {
      // A smaller world has every kind of page as well, and is there sooner.
      await fillDemoWorld(now(), say, { ...fullScale, pastDays: 30, tipsters: 12 });
      const world = await openCanaries(await readOffers(200), now());
      const server = await startProgram();
      try {
        return await runOn(server, world, requests);
      } finally {
        await server.end();
      }
    });
  },
};
