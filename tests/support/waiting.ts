import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { onOwnConnection } from './database';

const waiting = async () =>
  (
    await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      database(),
    )
  ).rows.length;

/** Waits until so many connections to the test database wait for a lock. */
export async function untilWaiting(count: number): Promise<void> {
  for (let tries = 0; (await waiting()) < count; tries += 1) {
    if (tries > 400) throw new Error(`${count} should wait for a lock by now.`);
    await pause(10);
  }
}

/** What becomes of work that begins while `first` is held up where it first needs this table, and that ends or waits before `first` goes on. */
export async function begunMeanwhile<T>(
  table: string,
  first: () => Promise<unknown>,
  works: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  return onOwnConnection(async (other) => {
    await other.query(`begin; lock table ${table} in access exclusive mode`);
    const held = first();
    await untilWaiting(1);
    let ended = 0;
    const begun = works.map(async (work) => work().finally(() => (ended += 1)));
    const outcomes = Promise.allSettled(begun);
    for (let tries = 0; (await waiting()) + ended < 1 + works.length && tries < 400; tries += 1) await pause(10);
    await other.query('commit');
    await held;
    return outcomes;
  });
}
