const name = 'tipledger-session';

let last: Promise<unknown> = Promise.resolve();

/** Runs one change of the tokens at a time in all tabs of the site; in this tab alone where the browser has no locks (they need a secure context). */
export async function inTurn<T>(change: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(name, () => change());
  const mine = last.then(change);
  last = mine.catch(() => undefined);
  return mine;
}
