import { sql } from 'kysely';
import { database } from './database';
import { Scoped } from './scoped';

type Clock = () => Date;

const held = new Scoped<Clock>('moment-scope');

/**
 * The moment of a decision: the present by the database's clock, to the millisecond. Asked for inside the transaction that decides, after the
 * locks that it needs, never before a body was read or a lock was waited for; so all instances decide by one clock.
 */
export async function decisionMoment(): Promise<Date> {
  const known = heldMoment();
  if (known) return known;
  const { rows } = await sql<{ at: Date }>`select date_trunc('milliseconds', clock_timestamp()) as at`.execute(
    database(),
  );
  if (!rows[0]) throw new Error('The database did not tell the time.');
  return rows[0].at;
}

/** The moment that decisions are taken at inside `decidedAt`; null outside, where the database tells it. */
export function heldMoment(): Date | null {
  return held.get()?.() ?? null;
}

/** Runs `body` as if decisions in it were taken at this moment, or by this clock: for a world that is made in the order of its own time, and for tests. */
export function decidedAt<T>(at: Date | Clock, body: () => Promise<T>): Promise<T> {
  return held.run(typeof at === 'function' ? at : () => at, body);
}
