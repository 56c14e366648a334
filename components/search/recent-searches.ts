import { readStored, removeStored, watchStored, writeStored } from '../state/storage';

const key = 'recent-searches';
const mostKept = 5;

const textsOf = (kept: unknown) =>
  Array.isArray(kept)
    ? kept.filter((text): text is string => typeof text === 'string' && text !== '').slice(0, mostKept)
    : [];

/** What was last searched for in this browser, newest first. */
export async function readRecentSearches(): Promise<string[]> {
  return textsOf(await readStored(key));
}

/** Calls the listener with what was last searched for whenever it changes, in this tab or another; returns what stops it. */
export function watchRecentSearches(listener: (texts: string[]) => void): () => void {
  return watchStored(key, (kept) => listener(textsOf(kept)));
}

/** Keeps what was searched for, and the four before it. */
export async function keepRecentSearch(text: string): Promise<void> {
  const wanted = text.trim();
  if (wanted === '') return;
  const others = (await readRecentSearches()).filter((each) => each.toLowerCase() !== wanted.toLowerCase());
  await writeStored(key, [wanted, ...others].slice(0, mostKept));
}

/** Forgets what was searched for. */
export async function forgetRecentSearches(): Promise<void> {
  await removeStored(key);
}
