import { AsyncLocalStorage } from 'node:async_hooks';
import { type ControlledTransaction, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { env } from './env';
import { log } from './log';
import { singleton } from './singleton';

type Tables = Record<never, never>;

/** What SQL runs on: the pool, or the transaction that the caller stands in. */
export type Database = Kysely<Tables>;

type Scope = { transaction: ControlledTransaction<Tables>; depth: number; afterCommit: (() => void)[] };

const scopes = singleton('database-scopes', () => new AsyncLocalStorage<Scope>());

/** What the program does to bring its database server back; set by whoever started a private one. */
const revival = singleton('database-revival', () => ({ revive: null as null | (() => Promise<void>) }));

function root(): Database {
  return singleton('database', () => {
    const pool = new pg.Pool({
      connectionString: env().DATABASE_URL,
      max: 16,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 10_000,
      options: '-c statement_timeout=60000 -c timezone=UTC',
    });
    // Also on each connection: one that is lost in use says so by an event of its own, which would end the program unheard.
    const note = (error: Error) => log.warn({ event: 'connection_error', message: error.message });
    pool.on('error', note);
    pool.on('connect', (client) => void client.on('error', note));
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  });
}

/** The database: inside `transact` the transaction, otherwise the pool. */
export function database(): Database {
  return scopes.getStore()?.transaction ?? root();
}

/** True inside `transact`: what is read there may be undone. */
export function isInTransaction(): boolean {
  return scopes.getStore() !== undefined;
}

/** Names what brings a private database server back after it was killed; a `transact` that lost its connection calls it before it tries again. */
export function onDatabaseLost(revive: () => Promise<void>): void {
  revival.revive = revive;
}

const lostCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P02', '57P03', '08006', '08003', '08001']);
const conflictCodes = new Set(['40001', '40P01']);

const lostMessages = /Connection terminated|timeout exceeded when trying to connect|encountered a connection error/;

// By shape, not by class: an error of Node itself may come from another realm than this module.
function textOf(error: unknown, name: 'code' | 'message'): string {
  return typeof error === 'object' && error !== null && name in error ? String((error as Record<string, unknown>)[name]) : '';
}

/** True when the error says that the connection to the database was lost or could not be made. */
export function isConnectionLost(error: unknown): boolean {
  return lostCodes.has(textOf(error, 'code')) || lostMessages.test(textOf(error, 'message'));
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function attempt<T>(work: () => Promise<T>): Promise<{ committing: boolean; value?: T; error?: unknown; afterCommit: (() => void)[] }> {
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
    if (transaction && !transaction.isCommitted) await transaction.rollback().execute().catch(() => undefined);
    return { committing, error, afterCommit };
  }
}

/**
 * Runs `work` in one transaction; inside another `transact` in a savepoint of it. Tries again on a serialisation failure or
 * deadlock, and on a lost connection when nothing can have been committed, or when `repeatable` says that a second run does no harm.
 */
export async function transact<T>(work: () => Promise<T>, { repeatable = false } = {}): Promise<T> {
  const scope = scopes.getStore();
  if (scope) return inSavepoint(scope, work);
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(work);
    if (!('error' in outcome)) {
      for (const act of outcome.afterCommit) act();
      return outcome.value as T;
    }
    const { error, committing } = outcome;
    const lost = isConnectionLost(error) && (repeatable || !committing);
    if (tries >= 8 || !(lost || conflictCodes.has(textOf(error, 'code')))) throw error;
    if (lost && revival.revive) await revival.revive();
    await pause(Math.min(50 * 2 ** tries, 2_000) * (0.5 + Math.random() / 2));
  }
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
  const scope = scopes.getStore();
  if (scope) scope.afterCommit.push(act);
  else act();
}

/** True when the database answers within the pool's limits. */
export async function isDatabaseReady(): Promise<boolean> {
  try {
    await sql`select 1`.execute(root());
    return true;
  } catch {
    return false;
  }
}

/** Closes the pool; the next use opens a new one only in a new process. */
export async function closeDatabase(): Promise<void> {
  await root().destroy();
}
