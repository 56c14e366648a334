import { sql } from 'kysely';
import { followReplica, hasReplica, leaveReplica, type Position, positionColumns } from './database-replica';
import { afterCommit, database, isInTransaction } from './database';
import { Scoped } from './scoped';
import { singleton } from './singleton';
import { TaggedEntries } from './tagged-entries';

// Work that lasts while more tags than these are dropped counts as not current.
const rememberedDrops = 20_000;

/** The tag that everything stands under, whatever it declared. */
export const everything = '*';

type Entry = { value: unknown; reads: Reads; tags: ReadonlySet<string> };

/** A read under way, which callers of its key join. */
type Reading = { reads: Reads; value: Promise<unknown> };

type Store = {
  entries: TaggedEntries<Entry>;
  readings: Map<string, Reading>;
  /** How often a tag was dropped, all tags together, and at which of these times each one was dropped last; of drops before `since` that is not remembered. */
  drops: number;
  droppedAt: Map<string, number>;
  since: number;
  listeners: Set<(tag: string | null) => void>;
  /** The versions that the last poll found, and the database's time of it. */
  seen: Map<string, string>;
  polledAt: string | null;
};

const store = (): Store =>
  singleton('cache', () => ({
    entries: new TaggedEntries<Entry>({ max: 5_000 }),
    readings: new Map(),
    drops: 0,
    droppedAt: new Map(),
    since: 0,
    listeners: new Set(),
    seen: new Map(),
    polledAt: null,
  }));

/** What a piece of work has read of the cache and of what it declared by `reads`: the tags, and until when it may be kept. */
export class Reads {
  readonly #tags = new Set<string>();
  readonly #store = store();
  readonly #began = this.#store.drops;
  #expiresAt = Number.POSITIVE_INFINITY;

  get tags(): ReadonlySet<string> {
    return this.#tags;
  }

  /** The moment on the clock of `performance.now()` at which the shortest of the times of what was read ends; infinite when nothing was read. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /** False once a tag of what was read was forgotten after the work began, and when that is not remembered. */
  get isCurrent(): boolean {
    const { droppedAt, since } = this.#store;
    if (this.#began < since) return false;
    if ((droppedAt.get(everything) ?? 0) > this.#began) return false;
    for (const tag of this.#tags) if ((droppedAt.get(tag) ?? 0) > this.#began) return false;
    return true;
  }

  /** True for whoever asked at this count of drops: nothing was dropped between the beginning of the work and then, or nothing at all that it read. */
  isCurrentFor(askedAt: number): boolean {
    return askedAt <= this.#began || this.isCurrent;
  }

  /** Takes in what was read under these tags, to be kept until the moment given. */
  add(tags: Iterable<string>, expiresAt: number): void {
    for (const tag of tags) this.#tags.add(tag);
    this.#expiresAt = Math.min(this.#expiresAt, expiresAt);
  }
}

/** How often a tag was dropped in this process so far: the moment of asking for `Reads.isCurrentFor`. */
export const dropsSoFar = (): number => store().drops;

const collecting = new Scoped<Reads>('cache-reads');

const endOf = (ttlSeconds: number) => performance.now() + ttlSeconds * 1000;

/** Runs `body` while everything that it reads, also through what was kept already, is taken in by `into`. */
export async function collectReads<T>(into: Reads, body: () => Promise<T>): Promise<T> {
  return collecting.run(into, body);
}

/** Declares that what the caller reads without `cached` stands under these tags and is good for so many seconds. */
export function reads(tags: Iterable<string>, ttlSeconds: number): void {
  collecting.get()?.add(tags, endOf(ttlSeconds));
}

/**
 * The value of `read`, kept for `ttlSeconds` under `key` and dropped by `forget` of any of its tags or of the tags of what it read itself.
 * Callers of one key at once share one read; what was read while a tag was forgotten is returned but not kept, nor is what a transaction
 * reads, which may be undone. Only views that every guest may see belong here.
 */
export async function cached<T>(
  key: string,
  ttlSeconds: number,
  tags: readonly string[],
  read: () => Promise<T>,
): Promise<T> {
  if (isInTransaction()) return read();
  const { entries, readings } = store();
  const asking = collecting.get();
  const kept = entries.get(key);
  if (kept) {
    asking?.add(kept.tags, kept.reads.expiresAt);
    return kept.value as T;
  }
  const reading = readings.get(key) ?? begin(key, ttlSeconds, tags, read);
  try {
    return (await reading.value) as T;
  } finally {
    asking?.add(reading.reads.tags, reading.reads.expiresAt);
  }
}

function begin(key: string, ttlSeconds: number, tags: readonly string[], read: () => Promise<unknown>): Reading {
  const { entries, readings } = store();
  const own = new Reads();
  own.add(tags, endOf(ttlSeconds));
  const readAndKeep = async () => {
    try {
      const value = await read();
      if (own.isCurrent) entries.set(key, { value, reads: own, tags: own.tags }, own.expiresAt - performance.now());
      return value;
    } finally {
      if (readings.get(key) === reading) readings.delete(key);
    }
  };
  const reading: Reading = { reads: own, value: Promise.resolve() };
  readings.set(key, reading);
  reading.value = collecting.run(own, readAndKeep);
  return reading;
}

function drop(tag: string): void {
  leaveReplica();
  const kept = store();
  kept.drops += 1;
  kept.droppedAt.delete(tag);
  kept.droppedAt.set(tag, kept.drops);
  const [oldest] = kept.droppedAt;
  if (oldest && kept.droppedAt.size > rememberedDrops) {
    kept.droppedAt.delete(oldest[0]);
    kept.since = oldest[1];
  }
  kept.readings.clear();
  if (tag === everything) kept.entries.clear();
  else kept.entries.drop(tag);
  for (const listener of kept.listeners) listener(tag);
}

/** Tells of every tag that is dropped in this process, whoever forgot it, and by null that all of them are; returns what ends that. */
export function onForgotten(listener: (tag: string | null) => void): () => void {
  const { listeners } = store();
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Drops everything kept under the tags: here when the transaction commits, on other instances when they next poll. */
export async function forget(tags: readonly string[]): Promise<void> {
  const topics = [...new Set(tags)].sort();
  if (topics.length === 0) return;
  afterCommit(() => topics.forEach(drop));
  await sql`
    insert into cache_version (topic) select unnest(${topics}::text[])
    on conflict (topic) do update set version = cache_version.version + 1, changed_at = clock_timestamp()
  `.execute(database());
}

/** Drops what other instances have forgotten since the last poll, however long ago that was; called every second or two by the program. */
export async function pollForgotten(): Promise<void> {
  const { seen, polledAt, drops } = store();
  // A minute further back: a change is stamped when it is made and seen when its transaction commits.
  const { rows } = await sql<{ topic: string | null; version: string; polledAt: string } & Partial<Position>>`
    select topic, version::text, clock.now::text as "polledAt"${sql.raw(hasReplica() ? `, ${positionColumns}` : '')} from (select clock_timestamp() as now) clock
    left join cache_version on changed_at > coalesce(${polledAt}::timestamptz, clock.now) - interval '1 minute'
  `.execute(database());
  const isWhole = store().drops === drops;
  const changed = rows.flatMap(({ topic, version }) => (topic === null ? [] : [{ topic, version }]));
  for (const { topic, version } of changed) {
    if (seen.get(topic) !== version) drop(topic);
  }
  seen.clear();
  for (const { topic, version } of changed) seen.set(topic, version);
  store().polledAt = rows[0]?.polledAt ?? null;
  const { position, cluster } = rows[0] ?? {};
  // What was forgotten here meanwhile may lie after the position.
  if (!position || !cluster || !isWhole) return;
  const known = store().drops;
  void followReplica({ position, cluster }, () => store().drops === known);
}

const keptMilliseconds = 86_400_000;

/** Removes what was last forgotten a day ago or more: nothing is kept as long as that. */
export async function pruneForgotten(now: Date): Promise<void> {
  await sql`delete from cache_version where changed_at < ${new Date(now.getTime() - keptMilliseconds)}`.execute(
    database(),
  );
}

/** How many values the cache of this process keeps. */
export const keptValues = (): number => store().entries.load.entries;

/** Empties the cache of this process, and what is kept of it elsewhere. */
export function forgetEverything(): void {
  const { entries, listeners } = store();
  entries.clear();
  for (const listener of listeners) listener(null);
}
