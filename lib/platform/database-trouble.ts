import { log } from './log';
import { singleton } from './singleton';

/** What keeps the database from answering or from taking writes. */
export type Trouble = 'away' | 'full' | 'memory' | 'read-only' | 'crowded' | 'slow';

const said: Readonly<Record<Trouble, string>> = {
  away: 'The database does not answer.',
  full: 'The disk of the database is full: nothing can be written.',
  memory: 'The database has too little memory.',
  'read-only': 'The database is read-only: nothing can be written.',
  crowded: 'The database has no connection left for this program.',
  slow: 'The database takes too long, or what is asked for is locked.',
};

// Of any socket, so that they tell of the database only where the error is of a connection to it.
const socketCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

const codes: Readonly<Record<string, Trouble>> = {
  ...Object.fromEntries(
    ['DATABASE_AWAY', '57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006'].map((code) => [
      code,
      'away',
    ]),
  ),
  '53100': 'full',
  '58030': 'full',
  '53200': 'memory',
  '25006': 'read-only',
  '53300': 'crowded',
  '57014': 'slow',
  '55P03': 'slow',
  '25P03': 'slow',
};

const messages: readonly (readonly [RegExp, Trouble])[] = [
  [/timeout exceeded when trying to connect/, 'crowded'],
  [/Query read timeout/, 'slow'],
  // PgBouncer gives all of its own the code of a broken protocol.
  [/server conn crashed|query_wait_timeout|cannot connect to server|server login has been failing/, 'away'],
  [/no more connections allowed/, 'crowded'],
  [/^Connection terminated|encountered a connection error|^Client was closed|^timeout expired$/, 'away'],
];

// By shape, not by class: an error of Node itself may come from another realm than this module.
function textOf(error: unknown, name: 'code' | 'message'): string {
  return typeof error === 'object' && error !== null && name in error
    ? String((error as Record<string, unknown>)[name])
    : '';
}

const known = singleton('database-errors', () => new WeakSet<object>());

/** The error, known from now on as one of a connection to the database. */
export function ofDatabase<E>(error: E): E {
  if (typeof error === 'object' && error !== null) known.add(error);
  return error;
}

const isOfDatabase = (error: unknown) => typeof error === 'object' && error !== null && known.has(error);

/** The trouble of the database that an error tells of, or null for every other error, such as one of a mail server or of another site. */
export function troubleOf(error: unknown): Trouble | null {
  const code = textOf(error, 'code');
  if (socketCodes.has(code)) return isOfDatabase(error) ? 'away' : null;
  return codes[code] ?? messages.find(([pattern]) => pattern.test(textOf(error, 'message')))?.[1] ?? null;
}

/** One sentence for a person who runs the program. */
export function inWords(trouble: Trouble): string {
  return said[trouble];
}

type Noted = { at: number; loggedAt: number };

const state = singleton('database-trouble', () => ({ isAway: false, last: new Map<Trouble, Noted>() }));

const keptMilliseconds = 15_000;
const logMilliseconds = 10_000;

/** Remembers for a while, and says in the log, what kept the database from doing what it was asked; gives what that was. */
export function noteTrouble(error: unknown): Trouble | null {
  const trouble = troubleOf(error);
  if (trouble === null) return null;
  const at = performance.now();
  const before = state.last.get(trouble);
  const isNews = !before || at - before.loggedAt > logMilliseconds;
  if (isNews)
    log.error({ event: 'database_trouble', trouble, message: said[trouble], cause: textOf(error, 'message') });
  state.last.set(trouble, { at, loggedAt: isNews ? at : before.loggedAt });
  return trouble;
}

/** What troubled the database in the last fifteen seconds. */
export function recentTroubles(): Trouble[] {
  const now = performance.now();
  return [...state.last].flatMap(([trouble, { at }]) => (now - at < keptMilliseconds ? [trouble] : []));
}

/** True when something has troubled the database since this moment of `performance.now()`. */
export function wasTroubledSince(moment: number): boolean {
  return state.isAway || [...state.last.values()].some(({ at }) => at >= moment);
}

/** True while the database is known not to answer: nobody waits for it then. */
export function isDatabaseAway(): boolean {
  return state.isAway;
}

/** Says that the database is known to be away, or to be back; true when that is news. */
export function setDatabaseAway(isAway: boolean): boolean {
  const isNews = state.isAway !== isAway;
  state.isAway = isAway;
  if (isNews && isAway) log.error({ event: 'database_away', message: said.away });
  if (isNews && !isAway) log.info({ event: 'database_back', message: 'The database answers again.' });
  return isNews;
}

/** The error of whoever asks a database that is known to be away. */
export function awayError(): Error {
  return Object.assign(new Error(said.away), { code: 'DATABASE_AWAY' });
}
