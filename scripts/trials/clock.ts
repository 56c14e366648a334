import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { reportSentences } from '@/lib/record/rules/report';
import { type Benchmark, Refusal, say } from '../bench/benchmark';
import { onBenchDatabase } from '../bench/database';
import { type Server, startProgram } from '../bench/servers';
import { type Answer, enrol, offer, post, publishedAt, signIn, verify } from './tipsters';

const hourSeconds = 3_600;

/** The library that gives programs another time, where it is installed (Debian's package faketime). */
function findFakeTime(): string {
  const libraries = '/usr/lib';
  const folders = existsSync(libraries) ? readdirSync(libraries).map((name) => path.join(libraries, name, 'faketime', 'libfaketime.so.1')) : [];
  const found = folders.find((file) => existsSync(file));
  if (!found) throw new Refusal('This trial sets the clock of a private PostgreSQL by libfaketime, which is not installed (Debian: faketime).');
  return found;
}

/** Runs `body` with a PostgreSQL of its own, whose clock alone `set` puts ahead by so many seconds. */
async function onMovedClock(body: (set: (seconds: number) => void) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-clock-'));
  const file = path.join(folder, 'clock');
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
  set(0);
  const variables: Record<string, string> = { LD_PRELOAD: findFakeTime(), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  Object.assign(process.env, variables);
  try {
    return await onBenchDatabase(() => {
      // The programs that are started from here on keep the machine's time.
      for (const name of Object.keys(variables)) delete process.env[name];
      return body(set);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function holds(what: string, server: Server, answer: Answer, status: number): Promise<boolean> {
  const report = await verify(server);
  const isRight = answer.status === status && report.ok;
  process.stdout.write(`${what}: ${answer.status}${answer.status === 201 ? `, dated ${publishedAt(answer).toISOString()}` : ''}; the ledger is ${report.ok ? 'verified' : 'not verified'}${isRight ? '' : ` — wanted ${status} and a verified ledger`}\n`);
  if (!report.ok) say(reportSentences(report).join('\n'));
  return isRight;
}

async function run(): Promise<number> {
  return onMovedClock(async (set) => {
    process.env.TIPLEDGER_PROXIES = '1';
    const enrolled = await enrol(1);
    const server = await startProgram();
    try {
      const [tipster] = await signIn(server, enrolled);
      if (!tipster) return 1;
      const inSeconds = (seconds: number) => new Date(Date.now() + 1000 * seconds);
      const soon = await offer('Soon', inSeconds(hourSeconds / 2));
      const later = await offer('Later', inSeconds(3 * hourSeconds));
      const found: boolean[] = [];
      found.push(await holds('Before anything moves', server, await post(server, tipster, later), 201));
      set(hourSeconds);
      found.push(await holds('An hour ahead, a fixture that has started by that clock', server, await post(server, tipster, soon), 409));
      found.push(await holds('An hour ahead, a later fixture', server, await post(server, tipster, later), 201));
      set(0);
      found.push(await holds('Set back, with the last entry an hour ahead', server, await post(server, tipster, later), 503));
      set(-hourSeconds);
      found.push(await holds('An hour behind', server, await post(server, tipster, later), 503));
      set(2 * hourSeconds);
      found.push(await holds('Two hours ahead: past the last entry again', server, await post(server, tipster, later), 201));
      return found.every(Boolean) ? 0 : 1;
    } finally {
      await server.end();
    }
  });
}

/** Product §5: the database's clock is set forward and back: nothing is dated before the entry before it, and the record verifies all the while. */
export const clock: Benchmark = { name: 'clock', title: 'the clock of the database set forward and back (needs a build, and libfaketime)', options: [], run };
