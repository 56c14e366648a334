import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type RawBuilder, sql } from 'kysely';
import { removeInPieces } from './batches';
import { database, isInTransaction } from './database';
import { singleton } from './singleton';

/** So many hits in a window; where a `network` is named, each network has its own. */
export type RateLimit = { hits: number; windowSeconds: number; network?: string };

/** The network that an address is of: of IPv6 the 64 bits that one line of a provider is given, else the address itself. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [left = '', right] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = left === '' ? [] : left.split(':');
  const whole =
    right === undefined
      ? groups
      : [
          ...groups,
          ...Array.from({ length: 8 - groups.length - (right === '' ? 0 : right.split(':').length) }, () => '0'),
          ...right.split(':'),
        ];
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

// Ours (0117): how many counters that are beyond their limit a process knows, so that a flood of hits asks the database no more.
const mostOver = 10_000;

/** Until when a counter that is beyond its limit stays so, in milliseconds since 1970. */
const overUntil = () => singleton('rate-limits-over', () => new LRUCache<string, number>({ max: mostOver }));

const keyOf = (name: string, network: string | undefined) =>
  createHash('sha256')
    .update(JSON.stringify([name, network === undefined ? null : networkOf(network)]))
    .digest('base64url');

/** Until when `name` has had its hits of the current window; null while it takes more. Counts nothing. */
export async function findFullUntil(
  name: string,
  { hits, windowSeconds, network }: RateLimit,
  now: Date,
): Promise<Date | null> {
  const oldest = new Date(now.getTime() - windowSeconds * 1000);
  const { rows } = await sql<{ windowStart: Date }>`
    select window_start as "windowStart" from rate_limit where key = ${keyOf(name, network)} and window_start > ${oldest} and hits >= ${hits}
  `.execute(database());
  return rows[0] ? new Date(rows[0].windowStart.getTime() + windowSeconds * 1000) : null;
}

/** Counts a hit on `name` and says whether it is within the limit in the current window; holds across instances and restarts. */
export async function countHit(name: string, { hits, windowSeconds, network }: RateLimit, now: Date): Promise<boolean> {
  const oldest = new Date(now.getTime() - windowSeconds * 1000);
  const key = keyOf(name, network);
  const limit = `${key} ${hits} ${windowSeconds}`;
  if (now.getTime() < (overUntil().get(limit) ?? 0)) return false;
  const length = sql`make_interval(secs => ${windowSeconds})`;
  const { rows } = await sql<{ hits: number; windowStart: Date }>`
    insert into rate_limit (key, window_start, hits, ends_at) values (${key}, ${now}, 1, ${now}::timestamptz + ${length})
    on conflict (key) do update set
      hits = case when rate_limit.window_start <= ${oldest} then 1 else least(rate_limit.hits, ${hits}) + 1 end,
      window_start = case when rate_limit.window_start <= ${oldest} then ${now} else rate_limit.window_start end,
      ends_at = case when rate_limit.window_start <= ${oldest} then ${now}::timestamptz else rate_limit.window_start end + ${length}
    returning hits, window_start as "windowStart"
  `.execute(database());
  const [counted] = rows;
  if (counted === undefined || counted.hits <= hits) return true;
  // What a transaction counts may be undone.
  if (!isInTransaction()) overUntil().set(limit, counted.windowStart.getTime() + windowSeconds * 1000);
  return false;
}

// No limit of ours has a longer window.
const longestWindowSeconds = 86_400;

const removedAtOnce = 10_000;

/** Which counters' windows have ended. The release before tells no end, or the one of a window before: its counters go a day after they began. */
export function hasEnded(now: Date): RawBuilder<boolean> {
  const oldest = new Date(now.getTime() - longestWindowSeconds * 1000);
  return sql`((ends_at > window_start and ends_at < ${now}) or ((ends_at > window_start) is not true and window_start < ${oldest}))`;
}

/** Removes the counters whose window has ended, whichever limit they belong to, in pieces, for so many seconds; what is left then is the next run's. */
export async function pruneHits(now: Date, { seconds = 20, atOnce = removedAtOnce } = {}): Promise<void> {
  await removeInPieces(
    sql`
      delete from rate_limit where key in (
        select key from rate_limit where ${hasEnded(now)} limit ${atOnce} for update skip locked)`,
    { size: atOnce, until: performance.now() + 1000 * seconds },
  );
}
