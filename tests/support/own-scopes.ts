import { AsyncLocalStorage } from 'node:async_hooks';

type Scope = AsyncLocalStorage<unknown>;

// Node hands every scope that was ever entered on with each promise; those of a test file stay when it ends, since Jest gives all files one Node.
const place = Symbol.for('tipledger.scopes');
const shared = AsyncLocalStorage as unknown as Record<symbol, Set<Scope> | undefined>;
const entered = (shared[place] ??= watch());

for (const scope of entered) scope.disable();
entered.clear();

function watch(): Set<Scope> {
  const scopes = new Set<Scope>();
  for (const name of ['run', 'enterWith'] as const) {
    const enter = AsyncLocalStorage.prototype[name] as (...given: unknown[]) => unknown;
    Object.assign(AsyncLocalStorage.prototype, {
      [name](this: Scope, ...given: unknown[]) {
        scopes.add(this);
        return Reflect.apply(enter, this, given);
      },
    });
  }
  return scopes;
}
