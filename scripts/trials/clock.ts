import { setTimeout as sleep } from 'node:timers/promises';
import { reportSentences } from '@/lib/record/rules';
import { type Benchmark, say } from '../bench/benchmark';
import { onBenchDatabase } from '../bench/database';
import { type Server, startProgram } from '../bench/servers';
import { setDatabaseClock, takeDatabaseClock } from './database-clock';
import { type Answer, enrol, offer, post, publishedAt, signIn, verify } from './tipsters';

const hourSeconds = 3_600;

async function holds(what: string, server: Server, answer: Answer, status: number): Promise<boolean> {
  const report = await verify(server);
  const isRight = answer.status === status && report.ok;
  process.stdout.write(
    `${what}: ${answer.status}${answer.status === 201 ? `, dated ${publishedAt(answer).toISOString()}` : ''}; the ledger is ${report.ok ? 'verified' : 'not verified'}${isRight ? '' : ` — wanted ${status} and a verified ledger`}\n`,
  );
  if (!report.ok) say(reportSentences(report).join('\n'));
  return isRight;
}

async function run(): Promise<number> {
  return onBenchDatabase(async () => {
    process.env.TIPLEDGER_PROXIES = '1';
    const enrolled = await enrol(1);
    const ownerUrl = process.env.DATABASE_OWNER_URL ?? process.env.DATABASE_URL ?? '';
    await takeDatabaseClock(ownerUrl);
    const set = (seconds: number) => setDatabaseClock(ownerUrl, seconds);
    const server = await startProgram();
    try {
      // The program keeps the database's time, so a token of another hour is over, or not yet valid; it hears of a new time within half a second.
      const tipsterNow = async () => {
        await sleep(1_500);
        const [tipster] = await signIn(server, enrolled);
        if (!tipster) throw new Error('The tipster could not sign in.');
        return tipster;
      };
      const inSeconds = (seconds: number) => new Date(Date.now() + 1000 * seconds);
      const soon = await offer('Soon', inSeconds(hourSeconds / 2));
      const later = await offer('Later', inSeconds(3 * hourSeconds));
      const found: boolean[] = [];
      found.push(await holds('Before anything moves', server, await post(server, await tipsterNow(), later), 201));
      await set(hourSeconds);
      found.push(
        await holds(
          'An hour ahead, a fixture that has started by that clock',
          server,
          await post(server, await tipsterNow(), soon),
          409,
        ),
      );
      found.push(
        await holds('An hour ahead, a later fixture', server, await post(server, await tipsterNow(), later), 201),
      );
      await set(0);
      found.push(
        await holds(
          'Set back, with the last entry an hour ahead',
          server,
          await post(server, await tipsterNow(), later),
          503,
        ),
      );
      await set(-hourSeconds);
      found.push(await holds('An hour behind', server, await post(server, await tipsterNow(), later), 503));
      await set(2 * hourSeconds);
      found.push(
        await holds(
          'Two hours ahead: past the last entry again',
          server,
          await post(server, await tipsterNow(), later),
          201,
        ),
      );
      return found.every(Boolean) ? 0 : 1;
    } finally {
      await server.end();
    }
  });
}

/** Product §5: the database's clock is set forward and back: nothing is dated before the entry before it, and the record verifies all the while. */
export const clock: Benchmark = {
  name: 'clock',
  title: 'the clock of the database set forward and back (needs a build)',
  options: [],
  run,
};
