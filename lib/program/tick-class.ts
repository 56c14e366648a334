import { executionAsyncResource } from 'node:async_hooks';

const held: object[] = [];

/**
 * Keeps one of the objects that Node makes for every `process.nextTick`, in `kept`. V8 forgets a hidden class of which a garbage collection finds no
 * object; once it has forgotten this one some ten times, it makes every further one by its slowest path until the process ends (0095).
 */
export function keepTickClass(kept: object[] = held): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
