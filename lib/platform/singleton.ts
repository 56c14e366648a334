const registry = Symbol.for('tipledger.singletons');

type Registry = Map<string, unknown>;

/** The one value of this name in the process, made on first use; survives the separate module graphs that Next builds for server, pages and handlers. */
export function singleton<T>(name: string, make: () => T): T {
  const host = globalThis as typeof globalThis & { [registry]?: Registry };
  const values = (host[registry] ??= new Map());
  if (!values.has(name)) values.set(name, make());
  return values.get(name) as T;
}
