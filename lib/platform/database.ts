import { type ControlledTransaction, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { closeReplica, connectReplica, mayReadReplica } from './database-replica';
import { awayError, isDatabaseAway, noteTrouble, ofDatabase, troubleOf } from './database-trouble';
import { env } from './env';
import { log } from './log';
import { Scoped } from './scoped';
import { singleton } from './singleton';

type Tables = Record<never, never>;

/** What SQL runs on: the pool, or the transaction that the caller stands in. */
export type Database = Kysely<Tables>;

type Scope = { transaction: Database; depth: number; afterCommit: (() => void)[] };

const scopes = new Scoped<Scope>('database-scopes');

/** What the program does to bring its database server back; set by whoever started a private one. */
const revival = singleton('database-revival', () => ({ revive: null as null | (() => Promise<void>) }));

const connections = singleton('database-connections', () => new Set<pg.PoolClient>());

// Of the server, for each statement; the client's own comes after them and is for a server that was stopped.
const limits = { statement_timeout: 60_000, lock_timeout: 8_000, idle_in_transaction_session_timeout: 120_000 };
const clientPatienceMilliseconds = 70_000;
const connectPatienceMilliseconds = 4_000;
const pools = singleton('database-pool', () => ({ current: null as null | pg.Pool }));

/** How many connections the pool of this process has, how many of them are free, and how many callers wait for one. */
export function readPool(): { total: number; idle: number; waiting: number } {
  const { totalCount: total = 0, idleCount: idle = 0, waitingCount: waiting = 0 } = pools.current ?? {};
  return { total, idle, waiting };
}

type Roots = { primary: Database; replica: Database };

const roots = (): Roots =>
  singleton('database', () => {
    const pool = (pools.current = new pg.Pool({
      connectionString: env().DATABASE_URL,
      max: env().DATABASE_POOL,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: connectPatienceMilliseconds,
      query_timeout: clientPatienceMilliseconds,
      keepAlive: true,
      options: `${Object.entries(limits)
        .map(([name, milliseconds]) => `-c ${name}=${milliseconds}`)
        .join(' ')} -c timezone=UTC`,
    }));
    // Also on each connection: one that is lost in use says so by an event of its own, which would end the program unheard.
    const note = (error: Error) => log.warn({ event: 'connection_error', message: error.message });
    pool.on('error', note);
    pool.on('connect', (client) => void connections.add(client.on('error', note)));
    pool.on('remove', (client) => void connections.delete(client));
    const connect = async () => {
      if (isDatabaseAway()) throw awayError();
      try {
        return await pool.connect();
      } catch (error) {
        noteTrouble(ofDatabase(error));
        throw error;
      }
    };
    const on = (way: () => Promise<pg.PoolClient>, end: () => Promise<void>) =>
      new Kysely<Tables>({
        dialect: new PostgresDialect({ pool: { connect: way, end } }),
        log: (event) => void (event.level === 'error' && noteTrouble(ofDatabase(event.error))),
      });
    return {
      primary: on(connect, () => pool.end()),
      replica: on(() => connectReplica(connect), closeReplica),
    };
  });

const root = (): Database => roots().primary;

/** Breaks off every connection of the pool: what waits on one of them fails now, as when the server had ended it. */
export function dropConnections(): void {
  // Ended politely, an idle one would stay in the pool, and be handed out.
  for (const client of [...connections])
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** The database: inside `transact` the transaction, otherwise the pool; for a page of guests the replica where it may be read. */
export function database(): Database {
  return scopes.get()?.transaction ?? (mayReadReplica() ? roots().replica : root());
}

/** Numbers, and words without signs of their own such as hashes, as an array in SQL: written at once, where the driver looks at each for what to escape. */
export const arrayOf = (values: readonly (number | string | null)[]): string =>
  `{${values.map((value) => value ?? 'null').join()}}`;

/** Documents as lines of JSON, in which no line ends otherwise, for `string_to_table`: a third faster than one array that the database takes apart. */
export const linesOf = (documents: readonly unknown[]): string =>
  documents.map((document) => JSON.stringify(document)).join('\n');

/** True inside `transact`: what is read there may be undone. */
export function isInTransaction(): boolean {
  return scopes.get() !== undefined;
}

/** Names what brings a private database server back after it was killed; a `transact` that lost its connection calls it before it tries again. */
export function onDatabaseLost(revive: () => Promise<void>): void {
  revival.revive = revive;
}

const conflictCodes = new Set(['40001', '40P01']);

/** True when the error says that the connection to the database was lost or could not be made. */
export function isConnectionLost(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble === 'away' || trouble === 'crowded';
}

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** True when an error tells of the database and nothing of what it was asked: it was away, slow, locked or full, or gave way to others once too often. */
export function isDatabaseTrouble(error: unknown): boolean {
  return troubleOf(error) !== null || conflictCodes.has(codeOf(error));
}

const usualPatienceSeconds = 30;
const patience = new Scoped<number>('database-patience');

/** Runs `body` so that a `transact` in it gives up on a database that is away after so many seconds; half a minute where nothing is said. */
export function withPatience<T>(seconds: number, body: () => Promise<T>): Promise<T> {
  return patience.run(seconds, body);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function attempt<T>(
  work: () => Promise<T>,
): Promise<{ committing: boolean; value?: T; error?: unknown; afterCommit: (() => void)[] }> {
  const afterCommit: (() => void)[] = [];
  let committing = false;
  let transaction: ControlledTransaction<Tables> | null = null;
  try {
    transaction = await root().startTransaction().execute();
    const value = await scopes.run({ transaction, depth: 0, afterCommit }, work);
    committing = true;
    await transaction.commit().execute();
    return { committing, value, afterCommit };
  } catch (error) {
    if (transaction && !transaction.isCommitted)
      await transaction
        .rollback()
        .execute()
        .catch(() => undefined);
    return { committing, error, afterCommit };
  }
}

/**
 * Runs `work` in one transaction; inside another `transact` in a savepoint of it. Tries again on a serialisation failure or
 * deadlock, and on a lost connection when nothing can have been committed, or when `repeatable` says that a second run does no harm.
 */
export async function transact<T>(work: () => Promise<T>, { repeatable = false } = {}): Promise<T> {
  const scope = scopes.get();
  if (scope) return inSavepoint(scope, work);
  const deadline = performance.now() + 1000 * (patience.get() ?? usualPatienceSeconds);
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(work);
    if (!('error' in outcome)) {
      for (const act of outcome.afterCommit) act();
      return outcome.value as T;
    }
    const { error, committing } = outcome;
    const lost = isConnectionLost(error) && (repeatable || !committing);
    const left = deadline - performance.now();
    if (left <= 0 || !(lost || (tries < 8 && conflictCodes.has(codeOf(error))))) throw error;
    if (lost && revival.revive) await Promise.race([revival.revive(), pause(left)]);
    await pause(Math.min(50 * 2 ** Math.min(tries, 6), 2_000, left) * (0.5 + Math.random() / 2));
  }
}

/** Runs `work` with everything that it reads and writes on this connection, in the transaction that it stands in. */
export async function withinTransactionOf<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const only = { query: client.query.bind(client), release: () => undefined };
  const dialect = new PostgresDialect({
    pool: { connect: async () => only as unknown as pg.PoolClient, end: async () => undefined },
  });
  // As in a transaction, what is asked side by side is sent one after the other.
  return new Kysely<Tables>({ dialect })
    .connection()
    .execute((transaction) => scopes.run({ transaction, depth: 0, afterCommit: [] }, work));
}

/**
 * Runs `work` so many times at once, each with its place and how many there are, and gives what they return; once inside `transact`, whose one
 * connection does one thing after the other. Throws what the first of them threw, after all have ended.
 */
export async function atOnce<T>(times: number, work: (place: number, of: number) => Promise<T>): Promise<T[]> {
  const of = isInTransaction() ? 1 : times;
  const outcomes = await Promise.allSettled(Array.from({ length: of }, (_, place) => work(place, of)));
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

async function inSavepoint<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  const name = sql.raw(`nested_${scope.depth + 1}`);
  const inner: Scope = { transaction: scope.transaction, depth: scope.depth + 1, afterCommit: [] };
  await sql`savepoint ${name}`.execute(scope.transaction);
  try {
    const value = await scopes.run(inner, work);
    await sql`release savepoint ${name}`.execute(scope.transaction);
    scope.afterCommit.push(...inner.afterCommit);
    return value;
  } catch (error) {
    await sql`rollback to savepoint ${name}`.execute(scope.transaction).catch(() => undefined);
    throw error;
  }
}

/** Runs `act` once the outermost transaction that the caller stands in is committed, or at once outside one; never when the caller's own is undone. */
export function afterCommit(act: () => void): void {
  const scope = scopes.get();
  if (scope) scope.afterCommit.push(act);
  else act();
}

/** Closes the pools; the next use opens new ones only in a new process. */
export async function closeDatabase(): Promise<void> {
  await closeReplica();
  await root().destroy();
}
