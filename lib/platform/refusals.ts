import { Scoped } from './scoped';

const watched = new Scoped<{ wasRefused: boolean }>('refusals');

/** Remembers that what is under way was refused because too much is being done; nothing where nobody watches it. */
export function noteRefusal(): void {
  const watch = watched.get();
  if (watch) watch.wasRefused = true;
}

/** What the work comes to, and whether any part of it was refused because too much is being done: the one who fails it may not say so. */
export async function watchRefusals<T>(work: () => Promise<T>): Promise<{ result: T; wasRefused: boolean }> {
  const watch = { wasRefused: false };
  const result = await watched.run(watch, work);
  return { result, wasRefused: watch.wasRefused };
}
