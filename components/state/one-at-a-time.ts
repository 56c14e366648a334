const lastOf = new Map<string, Promise<unknown>>();

/** Runs what bears a name one at a time in all tabs of the site, in the order in which it comes; in this tab alone where the browser has no locks (they need a secure context). */
export function oneAtATime<T>(name: string, act: () => Promise<T>): Promise<T> {
  if (typeof navigator !== 'undefined' && 'locks' in navigator) return navigator.locks.request(name, act) as Promise<T>;
  const mine = (lastOf.get(name) ?? Promise.resolve()).then(act);
  lastOf.set(
    name,
    mine.catch(() => undefined),
  );
  return mine;
}
