import pg from 'pg';
import { ofDatabase, troubleOf } from './database-trouble';
import { env } from './env';
import { log } from './log';
import { Scoped } from './scoped';
import { singleton } from './singleton';

/** How the replica stands: guests' pages are read from it, it has yet to reach what this instance knows, or it does not answer as a replica. */
export type ReplicaStatus = { standing: 'current' | 'behind' | 'away'; lagBytes: number | null };

type State = ReplicaStatus & { pool: pg.Pool | null; isAsking: boolean };

const state = singleton(
  'database-replica',
  (): State => ({ standing: 'behind', lagBytes: null, pool: null, isAsking: false }),
);

/** The making of a page for guests, which reads the primary from the moment on at which the replica may no longer be read. */
const makings = new Scoped<{ mayRead: boolean }>('database-replica-makings');

const connectMilliseconds = 1_000;
const statementMilliseconds = 2_000;
const tries = 5;
const pauseMilliseconds = 40;

/** True where a replica is set. */
export const hasReplica = (): boolean => env().DATABASE_REPLICA_URL !== undefined;

/** How the replica stands; null where none is set. */
export function replicaStatus(): ReplicaStatus | null {
  return hasReplica() ? { standing: state.standing, lagBytes: state.lagBytes } : null;
}

/** Runs the making of a page for guests: what it reads comes from the replica while that is as new as what this instance knows. */
export function forGuests<T>(body: () => Promise<T>): Promise<T> {
  return hasReplica() ? makings.run({ mayRead: true }, body) : body();
}

/** True for whoever may read the replica now; once false, it stays so for the page that is being made, so that nothing is read older than what came before. */
export function mayReadReplica(): boolean {
  const making = makings.get();
  if (making === undefined) return false;
  making.mayRead &&= state.standing === 'current';
  return making.mayRead;
}

function pool(): pg.Pool {
  if (state.pool) return state.pool;
  const made = new pg.Pool({
    connectionString: env().DATABASE_REPLICA_URL,
    application_name: 'tipledger replica',
    max: env().DATABASE_POOL,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: statementMilliseconds + connectMilliseconds,
    keepAlive: true,
    options: `-c statement_timeout=${statementMilliseconds} -c timezone=UTC`,
  });
  // A replica that was restarted may stand before where it stood.
  made.on('error', lose);
  made.on('connect', (client) => client.on('error', lose));
  return (state.pool = made);
}

function lose(error: unknown): void {
  if (state.standing !== 'away')
    log.warn({ event: 'replica_away', message: error instanceof Error ? error.message : String(error) });
  Object.assign(state, { standing: 'away', lagBytes: null });
}

/** A connection to the replica; what fails on it, or cannot be read there, is asked of the primary. */
export async function connectReplica(primary: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  let client: pg.PoolClient;
  try {
    client = await pool().connect();
  } catch (error) {
    lose(error);
    return primary();
  }
  let isBroken = false;
  const query = async (text: string, values: unknown[]) => {
    try {
      return await client.query(text, values);
    } catch (error) {
      const trouble = troubleOf(ofDatabase(error));
      isBroken = trouble !== null && trouble !== 'read-only';
      if (isBroken) lose(error);
      const other = await primary();
      try {
        return await other.query(text, values);
      } finally {
        other.release();
      }
    }
  };
  return { query, release: () => client.release(isBroken) } as unknown as pg.PoolClient;
}

/** Something was forgotten here: the replica may not have it yet. */
export function leaveReplica(): void {
  if (state.standing === 'current') state.standing = 'behind';
}

/** What the primary is asked beside what was forgotten: a position in its log that everything visible lies before, and which cluster it is. */
export const positionColumns = `case when pg_is_in_recovery() then null else pg_current_wal_insert_lsn()::text end as position, (select system_identifier::text from pg_control_system()) as cluster`;

/** A place in the log of the primary. */
export type Position = { position: string; cluster: string };

/** Lets guests' pages be read from the replica once it has reached the position, unless something was forgotten meanwhile, which `isStill` says. */
export async function followReplica({ position, cluster }: Position, isStill: () => boolean): Promise<void> {
  if (state.isAsking) return;
  state.isAsking = true;
  try {
    for (let asked = 1; asked <= tries && isStill(); asked += 1) {
      const { rows } = await pool().query<{ isReplica: boolean; lag: string | null }>(
        `select pg_is_in_recovery() and (select system_identifier::text from pg_control_system()) = $2 as "isReplica",
           ($1::pg_lsn - pg_last_wal_replay_lsn())::text as lag`,
        [position, cluster],
      );
      const { isReplica = false, lag = null } = rows[0] ?? {};
      if (!isReplica || lag === null) return lose(new Error('DATABASE_REPLICA_URL is no replica of DATABASE_URL.'));
      if (!isStill()) return;
      const isThere = Number(lag) <= 0;
      Object.assign(state, { standing: isThere ? 'current' : 'behind', lagBytes: Math.max(0, Number(lag)) });
      if (isThere) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
  } catch (error) {
    lose(error);
  } finally {
    state.isAsking = false;
  }
}

/** Closes the connections to the replica. */
export async function closeReplica(): Promise<void> {
  const { pool: last } = state;
  Object.assign(state, { pool: null, standing: 'behind', lagBytes: null });
  await last?.end();
}
