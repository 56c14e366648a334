import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportSentences } from '@/lib/record/rules';
import { type Benchmark, inWords, readWholeNumbers, say } from '../bench/benchmark';
import { onBenchDatabase } from '../bench/database';
import { type Server, startProgram } from '../bench/servers';
import {
  type Answer,
  bodyOf,
  enrol,
  headersOf,
  matchOf,
  type Offer,
  offer,
  post,
  publishedAt,
  quote,
  signIn,
  type Tipster,
  verify,
} from './tipsters';

const tipsters = 100;
const millisecondsApart = 4;
const leadMilliseconds = 120;
const secondsToPrepare = 1.5;
const bursts = 5;

type Tally = {
  asked: number;
  accepted: number;
  refused: number;
  other: Map<number, number>;
  late: number;
  stale: number;
  unverified: number;
};

/** Sends the head of the call at once and its body so many seconds later; the status is 0 when the server closed the connection. */
function postSlowly(server: Server, tipster: Tipster, tip: Offer, seconds: number): Promise<Answer> {
  const body = bodyOf(tip);
  const head = [
    `POST /api/user/portfolio/${tipster.portfolio}/tips/add-tip HTTP/1.1`,
    `host: 127.0.0.1:${server.port}`,
    ...Object.entries(headersOf(tipster)).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    'connection: close',
  ];
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(server.port, '127.0.0.1', () =>
      socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`),
    );
    const timer = setTimeout(() => socket.write(body.slice(5)), 1000 * seconds);
    socket.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    });
  });
}

function count(tally: Tally, answers: readonly { answer: Answer; tip: Offer }[]): void {
  for (const { answer, tip } of answers) {
    tally.asked += 1;
    if (answer.status === 201) {
      tally.accepted += 1;
      if (publishedAt(answer) >= tip.startsAt) tally.late += 1;
    } else if (answer.status === 409) tally.refused += 1;
    else tally.other.set(answer.status, (tally.other.get(answer.status) ?? 0) + 1);
  }
}

async function check(server: Server, tally: Tally): Promise<void> {
  const report = await verify(server);
  if (report.ok) return;
  tally.unverified += 1;
  say(reportSentences(report).join('\n'));
}

/** How many tips a second are taken when all tipsters publish at once and nothing is about to start. */
async function burst(
  servers: readonly Server[],
  people: readonly Tipster[],
): Promise<{ accepted: number; seconds: number }> {
  const tip = await offer('Omega', new Date(Date.now() + 3_600_000));
  let accepted = 0;
  const began = performance.now();
  for (let turn = 0; turn < bursts; turn += 1) {
    const answers = await Promise.all(
      people.map((tipster, place) => post(servers[place % servers.length] as Server, tipster, tip)),
    );
    accepted += answers.filter(({ status }) => status === 201).length;
  }
  return { accepted, seconds: (performance.now() - began) / 1000 };
}

const until = async (moment: number) => sleep(Math.max(0, moment - Date.now()));

async function race(
  round: number,
  servers: readonly Server[],
  people: readonly Tipster[],
): Promise<{ answer: Answer; tip: Offer }[]> {
  const start = new Date(Date.now() + 1000 * secondsToPrepare);
  const tips = [await offer(`Alpha ${round}`, start), await offer(`Beta ${round}`, new Date(start.getTime() + 150))];
  await until(start.getTime() - leadMilliseconds);
  return Promise.all(
    people.map(async (tipster, place) => {
      await sleep(place * millisecondsApart);
      const tip = tips[place % 2];
      const server = servers[(place >> 1) % servers.length];
      if (!tip || !server) throw new Error('There is nothing to publish or nowhere to send it.');
      return { answer: await post(server, tipster, tip), tip };
    }),
  );
}

/** Bodies held back past the start, and past a price that fell from 2.00 to 1.01 meanwhile. */
async function holdBack(
  servers: readonly Server[],
  people: readonly Tipster[],
  longestSeconds: number,
  tally: Tally,
): Promise<{ answer: Answer; tip: Offer }[]> {
  const holds = [1, 2, 5, 12, 30, 60, 120, 240, 300].filter((seconds) => seconds <= longestSeconds);
  const moved = await offer('Gamma', new Date(Date.now() + 3_600_000));
  const started = await offer('Delta', new Date(Date.now() + 900));
  const sent = holds.flatMap((seconds, index) =>
    [started, moved].map(async (tip, which) => {
      const [server, tipster] = [servers[index % servers.length], people[2 * index + which]];
      if (!server || !tipster) throw new Error('There are not enough tipsters for the bodies that are held back.');
      return { answer: await postSlowly(server, tipster, tip, seconds), tip };
    }),
  );
  await sleep(500);
  await quote([matchOf('Gamma', moved.startsAt, 1_010, new Date())]);
  const answers = await Promise.all(sent);
  tally.stale += answers.filter(({ answer, tip }) => tip === moved && answer.status === 201).length;
  return answers;
}

const options = {
  rounds: { least: 1, most: 10_000, fallback: 200 },
  instances: { least: 1, most: 4, fallback: 2 },
  longest: { least: 1, most: 300, fallback: 300 },
};

async function run(args: string[]): Promise<number> {
  const { rounds, instances, longest } = readWholeNumbers(args, options);
  return onBenchDatabase(async () => {
    // Each tipster has an address of their own, so that the limit of sign-ins by address is not met, and all instances issue sessions for one site.
    process.env.TIPLEDGER_PROXIES = '1';
    process.env.TIPLEDGER_SITE_URL = 'http://tipledger.example';
    const enrolled = await enrol(tipsters);
    const servers = await Promise.all(Array.from({ length: instances }, () => startProgram()));
    try {
      const [first] = servers;
      if (!first) return 1;
      const people = await signIn(first, enrolled);
      const tally: Tally = { asked: 0, accepted: 0, refused: 0, other: new Map(), late: 0, stale: 0, unverified: 0 };
      // Once to warm up.
      await burst(servers, people.slice(0, 20));
      const { accepted, seconds } = await burst(servers, people);
      process.stdout.write(
        `${inWords(accepted)} of ${inWords(bursts * people.length)} tips accepted an hour before their start, ${(accepted / seconds).toFixed(0)} a second.\n`,
      );
      for (let round = 1; round <= rounds; round += 1) {
        // Sessions last ten minutes.
        const fresh = round % 100 === 0 ? await signIn(first, enrolled) : people;
        people.splice(0, people.length, ...fresh);
        count(tally, await race(round, servers, people));
        await check(first, tally);
        if (round % 10 === 0)
          say(
            `${inWords(round)} of ${inWords(rounds)} rounds: ${inWords(tally.accepted)} accepted, ${inWords(tally.refused)} refused, ${tally.late} late, ${tally.unverified} times not verified`,
          );
      }
      const held = await holdBack(servers, await signIn(first, enrolled), longest, tally);
      count(tally, held);
      await check(first, tally);
      const others = [...tally.other]
        .map(([status, times]) => `${times} × ${status === 0 ? 'connection closed' : status}`)
        .join(', ');
      process.stdout.write(
        `${inWords(tally.asked)} tips sent by ${instances} instances: ${inWords(tally.accepted)} accepted, ${inWords(tally.refused)} refused as too late or moved${others && `, ${others}`}\n`,
      );
      process.stdout.write(
        `Accepted at or after the start: ${tally.late}, at a price that had fallen: ${tally.stale}. Ledger not verified: ${tally.unverified} of ${rounds + 1} times.\n`,
      );
      const unexpected = [...tally.other.keys()].filter((status) => ![0, 408].includes(status));
      return tally.late === 0 &&
        tally.stale === 0 &&
        tally.unverified === 0 &&
        tally.accepted > 0 &&
        tally.refused > 0 &&
        unexpected.length === 0
        ? 0
        : 1;
    } finally {
      await Promise.all(servers.map((server) => server.end()));
    }
  });
}

/** Product §5: tips sent around a start to several instances at once, and slowly: none is accepted that is not before its start and at a price on offer, and the record verifies after every round. */
export const publication: Benchmark = {
  name: 'publication',
  title: 'tips around a start, by several instances and in slow requests (needs a build)',
  options: [
    '--rounds 200      rounds of 100 tips',
    '--instances 2     programs on one database',
    '--longest 300     the longest time that a body is held back, in seconds',
  ],
  run,
};
