import { sql } from 'kysely';
import { startJobs } from '@/lib/jobs/schedule';
import { clockAheadMilliseconds, keepTime, now } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { closeProbe, probeDatabase } from '@/lib/platform/database-probe';
import { asOwner, onTestDatabase } from '../support/database';
import { standAt } from '../support/clock';

onTestDatabase();
afterAll(closeProbe);

const hour = 3_600_000;
const machine = Date.now();
const databaseNow = async () =>
  (await sql<{ at: Date }>`select clock_timestamp() as at`.execute(database())).rows[0]?.at.getTime() ?? 0;
const off = async () => Math.abs(now().getTime() - (await databaseNow()));

test.each([
  ['six hours ahead', 6 * hour],
  ['an hour ahead', hour],
  ['an hour behind', -hour],
  ['six hours behind', -6 * hour],
])(
  'a machine whose clock is %s goes by the database’s: jobs run when they are due, and write down its time',
  async (_name, ahead) => {
    standAt(new Date(machine + ahead));
    await probeDatabase();
    expect(await off()).toBeLessThan(1_000);
    expect(Math.abs(clockAheadMilliseconds() - ahead)).toBeLessThan(60_000);
    await asOwner(sql`truncate job_run`);
    const stop = startJobs();
    const started = async () =>
      (
        await sql<{
          at: Date;
        }>`select started_at as at from job_run where name = 'close-markets' and finished_at is not null`.execute(
          database(),
        )
      ).rows[0]?.at;
    while (!(await started())) await new Promise((resolve) => setTimeout(resolve, 100));
    await stop();
    expect(Math.abs(((await started())?.getTime() ?? 0) - (await databaseNow()))).toBeLessThan(20_000);
  },
);

test('what was long on its way does not set a clock that is known to be near', () => {
  const heardAt = performance.now();
  keepTime(new Date(machine), heardAt - 1, heardAt);
  keepTime(new Date(machine - 4_000), heardAt - 5_000, heardAt);
  expect(Math.abs(now().getTime() - machine)).toBeLessThan(1_000);
  keepTime(new Date(machine - 60_000), heardAt - 5_000, heardAt);
  expect(Math.abs(now().getTime() - (machine - 60_000))).toBeLessThan(1_000);
});
