const registry = Symbol.for('tipledger.singletons');

const singletons = () =>
  (globalThis as typeof globalThis & { [registry]?: Map<string, unknown> })[registry] ?? new Map<string, unknown>();

/** Another instance of the program, as far as its cache is concerned: what runs in it has a cache of its own and the same database. */
export function newInstance(): <T>(body: () => Promise<T>) => Promise<T> {
  let own: unknown;
  return async (body) => {
    const values = singletons();
    const before = values.get('cache');
    if (own === undefined) values.delete('cache');
    else values.set('cache', own);
    try {
      return await body();
    } finally {
      own = values.get('cache');
      values.set('cache', before);
    }
  };
}
