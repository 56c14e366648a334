import { LRUCache } from 'lru-cache';

/** Values under keys, each dropped by any of its tags, by its time or, the longest unused first, when there are too many. */
export class TaggedEntries<V extends { tags: Iterable<string> }> {
  readonly #keysOfTag = new Map<string, Set<string>>();
  readonly #entries: LRUCache<string, V>;

  constructor(limits: { max: number } | { maxSize: number; sizeCalculation: (value: V) => number }) {
    this.#entries = new LRUCache<string, V>({
      ...limits,
      dispose: (value, key) => this.#release(key, value),
    } as LRUCache.Options<string, V, unknown>);
  }

  #release(key: string, { tags }: V): void {
    for (const tag of tags) {
      const keys = this.#keysOfTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysOfTag.delete(tag);
    }
  }

  /** The value under the key while it is kept. */
  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** Keeps the value in place of the one before, for so many milliseconds when that is given. */
  set(key: string, value: V, ttlMilliseconds?: number): void {
    this.#entries.set(
      key,
      value,
      ttlMilliseconds === undefined ? {} : { ttl: Math.max(1, Math.ceil(ttlMilliseconds)) },
    );
    if (!this.#entries.has(key)) return;
    for (const tag of value.tags) this.#keysOfTag.set(tag, (this.#keysOfTag.get(tag) ?? new Set()).add(key));
  }

  /** How many values are kept, and what they come to by the calculation of sizes. */
  get load(): { entries: number; size: number } {
    return { entries: this.#entries.size, size: this.#entries.calculatedSize };
  }

  /** Drops what stands under the key. */
  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Everything that has the tag. */
  with(tag: string): V[] {
    return [...(this.#keysOfTag.get(tag) ?? [])].flatMap((key) => this.#entries.peek(key) ?? []);
  }

  /** Drops everything that has the tag. */
  drop(tag: string): void {
    for (const key of [...(this.#keysOfTag.get(tag) ?? [])]) this.#entries.delete(key);
  }

  /** Drops everything. */
  clear(): void {
    this.#entries.clear();
  }
}
