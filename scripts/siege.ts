import { sql } from 'kysely';
import { fillDemoWorld, fullScale } from '@/lib/demo/world';
import { now } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { Role } from '@/lib/reference/schema';
import { inWords, readWholeNumbers, Refusal, say } from './bench/benchmark';
import { onBenchDatabase } from './bench/database';
import { startProgram } from './bench/servers';
import { collected } from './siege/left-behind';
import { watchErrors } from './siege/logged';
import { besiege, type Login, type Outcome, type Plan } from './siege/siege';
import { enrol, password } from './trials/tipsters';

const usage = `Usage: npm run siege -- [options]

Sends hostile requests to a program that is started for it on a database of its own, and says what did not stand firm.

  --requests N   how many (20,000)
  --seed S       by what they are chosen (1); the same seed sends the same
  --clients C    how many at once (16)
  --hang MS      how long an answer may take (2,000)
  --url URL      besieges the program there instead, as guests only; never one that is not yours`;

const people = 4;
const smallWorld = { ...fullScale, pastDays: 20, tipsters: 8 };

/** Fetches; once more where the program let go of a connection that was kept since it was asked whether it is ready. */
const fetchOnceMore = (address: string, init: RequestInit): Promise<Response> =>
  fetch(address, init).catch(() => fetch(address, init));

/** Signs everybody in by the call, from addresses of their own. */
async function signInAll(origin: string, usernames: readonly string[]): Promise<Login[]> {
  return Promise.all(
    usernames.map(async (username, index) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${index + 1}` };
      const response = await fetchOnceMore(`${origin}/api/auth/token`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ username, password }),
      });
      const cookie = response.headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; ');
      const { token = '' } = (await response.json()) as { token?: string };
      return { token, cookie };
    }),
  );
}

const isFailed = /: (?:status 5|HTTP\/1\.1 5)/;

/** Besieges a program of its own, whose log may hold no error either; what that logged last is said with every answer that says that it failed. */
async function onOwnProgram(plan: Plan): Promise<number> {
  return onBenchDatabase(async () => {
    process.env.TIPLEDGER_PROXIES = '1';
    say('Filling a small world…');
    await fillDemoWorld(now(), () => undefined, smallWorld);
    const enrolled = await enrol(people);
    const usernames = enrolled.map(({ username }) => username);
    await sql`update account set role = ${Role.superAdmin} where username = ${usernames.at(-1)}`.execute(database());
    const server = await startProgram(collected);
    const onWrong = (what: string) => {
      say(what);
      if (isFailed.test(what)) say(server.said());
    };
    const logged: string[] = [];
    const noteLogged = (what: string) => {
      logged.push(what);
      say(what);
    };
    for (const stream of [server.child.stdout, server.child.stderr]) if (stream) watchErrors(stream, noteLogged);
    const origin = `http://127.0.0.1:${server.port}`;
    try {
      const outcome = await besiege(
        {
          origin,
          siteUrl: `http://localhost:${server.port}`,
          pid: server.pid,
          behindProxy: true,
          references: enrolled.map(({ portfolio }) => portfolio),
          signIn: () => signInAll(origin, usernames),
        },
        { ...plan, onWrong },
      );
      return report({ ...outcome, wrong: [...outcome.wrong, ...logged] }, plan);
    } finally {
      await server.end();
    }
  });
}

function report({ sent, statuses, slowest, wrong, descriptors, megabytes }: Outcome, { seed }: Plan): number {
  const counts = Object.entries(statuses).map(([status, count]) => `${status} × ${inWords(count)}`);
  const kept = [
    ...(descriptors ? [`descriptors ${descriptors.join(' → ')}`] : []),
    ...(megabytes ? [`memory ${megabytes.join(' → ')} MB`] : []),
  ];
  process.stdout.write(
    `${[`${inWords(sent)} requests (seed ${seed}): ${counts.join(', ')}`, `slowest ${inWords(slowest.milliseconds)} ms (${slowest.label})`, ...kept].join('\n')}\n`,
  );
  process.stdout.write(wrong.length === 0 ? 'It stood firm.\n' : `${inWords(wrong.length)} did not stand firm.\n`);
  return wrong.length === 0 ? 0 : 1;
}

/** Besieges a program; returns the exit code: 0 when it stood firm. */
export async function main(args: string[]): Promise<number> {
  try {
    const at = args.indexOf('--url');
    const url = at < 0 ? null : args.splice(at, 2)[1];
    const { requests, seed, clients, hang } = readWholeNumbers(args, {
      requests: { least: 1, most: 100_000_000, fallback: 20_000 },
      seed: { least: 0, most: 2 ** 31, fallback: 1 },
      clients: { least: 1, most: 500, fallback: 16 },
      hang: { least: 1, most: 60_000, fallback: 2_000 },
    });
    const plan: Plan = {
      requests,
      seed,
      clients,
      hangMilliseconds: hang,
      onProgress: (sent) => void (sent % 10_000 === 0 && say(`${inWords(sent)} sent…`)),
      onWrong: say,
    };
    if (url === null) return await onOwnProgram(plan);
    const origin = URL.parse(url ?? '')?.origin;
    if (!origin) throw new Refusal('--url must be an address such as http://localhost:3000.');
    return report(
      await besiege(
        { origin, siteUrl: origin, pid: null, behindProxy: false, references: [], signIn: async () => [] },
        plan,
      ),
      plan,
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(`Error: ${error.message}\n\n${usage}`);
    return 1;
  }
}
