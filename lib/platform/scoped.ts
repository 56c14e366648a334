import { AsyncLocalStorage } from 'node:async_hooks';
import { singleton } from './singleton';

const values = singleton('scoped-values', () => new AsyncLocalStorage<ReadonlyMap<string, unknown>>());

/**
 * A value that holds while a body runs, with everything that it awaits. All of them live in one store of Node, which until Node 24 copies
 * each store to every callback.
 */
export class Scoped<T> {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  run<R>(value: T, body: () => R): R {
    return values.run(new Map(values.getStore()).set(this.#name, value), body);
  }

  /** The value that holds for the caller; undefined outside of any. */
  get(): T | undefined {
    return values.getStore()?.get(this.#name) as T | undefined;
  }
}
