import { LRUCache } from 'lru-cache';
import { sql } from 'kysely';
import { afterCommit, database, isInTransaction } from './database';
import { singleton } from './singleton';

type Entry = { value: unknown; tags: readonly string[] };

type Store = {
  entries: LRUCache<string, Entry>;
  keysOfTag: Map<string, Set<string>>;
  reads: Map<string, Promise<unknown>>;
  generations: Map<string, number>;
  /** The versions that the last poll found, and the database's time of it. */
  seen: Map<string, string>;
  polledAt: string | null;
};

function store(): Store {
  return singleton('cache', () => {
    const keysOfTag = new Map<string, Set<string>>();
    return {
      entries: new LRUCache<string, Entry>({
        max: 5_000,
        dispose: (entry, key) => {
          for (const tag of entry.tags) {
            const keys = keysOfTag.get(tag);
            keys?.delete(key);
            if (keys?.size === 0) keysOfTag.delete(tag);
          }
        },
      }),
      keysOfTag,
      reads: new Map(),
      generations: new Map(),
      seen: new Map(),
      polledAt: null,
    };
  });
}

/**
 * The value of `read`, kept for `ttlSeconds` under `key` and dropped by `forget` of any of its tags. Callers of one key at once share
 * one read; what was read while a tag was forgotten is returned but not kept, nor is what a transaction reads, which may be undone.
 * Only views that every guest may see belong here.
 */
export async function cached<T>(key: string, ttlSeconds: number, tags: readonly string[], read: () => Promise<T>): Promise<T> {
  if (isInTransaction()) return read();
  const { entries, reads } = store();
  const kept = entries.get(key);
  if (kept) return kept.value as T;
  const running = reads.get(key);
  if (running) return running as Promise<T>;
  const reading = readAndKeep(key, ttlSeconds, tags, read).finally(() => {
    if (reads.get(key) === reading) reads.delete(key);
  });
  reads.set(key, reading);
  return reading;
}

async function readAndKeep<T>(key: string, ttlSeconds: number, tags: readonly string[], read: () => Promise<T>): Promise<T> {
  const { entries, keysOfTag, generations } = store();
  const before = tags.map((tag) => generations.get(tag) ?? 0);
  const value = await read();
  if (tags.every((tag, index) => (generations.get(tag) ?? 0) === before[index])) {
    entries.set(key, { value, tags }, { ttl: ttlSeconds * 1000 });
    for (const tag of tags) keysOfTag.set(tag, (keysOfTag.get(tag) ?? new Set()).add(key));
  }
  return value;
}

function drop(tag: string): void {
  const { entries, reads, keysOfTag, generations } = store();
  generations.set(tag, (generations.get(tag) ?? 0) + 1);
  reads.clear();
  for (const key of [...(keysOfTag.get(tag) ?? [])]) entries.delete(key);
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
  const { seen, polledAt } = store();
  // A minute further back: a change is stamped when it is made and seen when its transaction commits.
  const { rows } = await sql<{ topic: string | null; version: string; polledAt: string }>`
    select topic, version::text, clock.now::text as "polledAt" from (select clock_timestamp() as now) clock
    left join cache_version on changed_at > coalesce(${polledAt}::timestamptz, clock.now) - interval '1 minute'
  `.execute(database());
  const changed = rows.flatMap(({ topic, version }) => (topic === null ? [] : [{ topic, version }]));
  for (const { topic, version } of changed) {
    if (seen.get(topic) !== version) drop(topic);
  }
  seen.clear();
  for (const { topic, version } of changed) seen.set(topic, version);
  store().polledAt = rows[0]?.polledAt ?? null;
}

/** Empties the cache of this process. */
export function forgetEverything(): void {
  store().entries.clear();
}
