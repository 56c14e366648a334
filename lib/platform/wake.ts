import { afterCommit } from './database';
import { singleton } from './singleton';

const listeners = singleton('wakes', () => new Set<(what: string) => void>());

/** Tells this program, once the caller's transaction is committed, that there is work of this name; other programs find it by their clocks. */
export function wake(what: string): void {
  afterCommit(() => listeners.forEach((listener) => listener(what)));
}

/** Calls the listener for all work that is told of; returns what ends that. */
export function onWake(listener: (what: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
