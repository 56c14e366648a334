import { createStore, del, get, set } from 'idb-keyval';

type Tier = {
  read: (key: string) => Promise<unknown>;
  write: (key: string, value: unknown) => Promise<void>;
  remove: (key: string) => Promise<void>;
};
type Listener = (value: unknown) => void;

const name = 'tipledger';
// Some browsers never answer when their database is locked or switched off.
const patienceMilliseconds = 2000;

const memory = new Map<string, unknown>();
/** What was read or written last in this visit: stands in while the database cannot be asked. */
const last = new Map<string, unknown>();
const listeners = new Map<string, Set<Listener>>();
let isDatabaseSilent = false;
// A database that never answered in this visit has nothing that this visit kept.
let hasDatabaseAnswered = false;
let store: Store | null = null;
let channel: BroadcastChannel | null = null;

const inDatabase: Tier = {
  read: (key) => answered((own) => get<unknown>(key, own)),
  write: (key, value) => answered((own) => set(key, value, own)),
  remove: (key) => answered((own) => del(key, own)),
};

const inLocalStorage = (prefix: string): Tier => ({
  read: async (key) => {
    const text = localStorage.getItem(`${prefix}:${key}`);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  },
  write: async (key, value) => localStorage.setItem(`${prefix}:${key}`, JSON.stringify(value)),
  remove: async (key) => localStorage.removeItem(`${prefix}:${key}`),
});

const inMemory: Tier = {
  read: async (key) => memory.get(key),
  write: async (key, value) => void memory.set(key, value),
  remove: async (key) => void memory.delete(key),
};

const leftBehind = inLocalStorage(`${name}-left`);
// Left behind of a key that was removed while the database could not be told.
const removed = null;
const tiers = [inDatabase, inLocalStorage(name), inMemory];
const holders = [leftBehind, ...tiers];

type Store = ReturnType<typeof createStore>;
type Question<T> = (own: Store) => Promise<T>;

/** What the database answers; rejects when it cannot. Browsers close a connection without saying so: one that has worked is opened anew, once. */
async function answered<T>(ask: Question<T>): Promise<T> {
  const own = opened();
  try {
    return await answeredAtOnce(own, ask);
  } catch (error) {
    if (isDatabaseSilent || !hasDatabaseAnswered || isFull(error)) throw error;
    // Of two that fail at once the second takes what the first has opened.
    if (store === own) store = null;
    return answeredAtOnce(opened(), ask);
  }
}

const isFull = (error: unknown) => Object(error).name === 'QuotaExceededError';

/** Throws for the rest of the visit once the database has kept silent. */
function opened(): Store {
  if (isDatabaseSilent) throw new Error('The database of the browser did not answer.');
  return (store ??= createStore(name, 'state'));
}

async function answeredAtOnce<T>(own: Store, ask: Question<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isDatabaseSilent = true;
      reject(new Error('The database of the browser does not answer.'));
    }, patienceMilliseconds);
  });
  // A browser without a database throws at once, which must not leave the silence unheard.
  const answer = await Promise.race([Promise.resolve().then(() => ask(own)), silence]).finally(() =>
    clearTimeout(timer),
  );
  hasDatabaseAnswered = true;
  return answer;
}

/** What is known of a key: `isSure` is false where a database that has answered in this visit cannot be asked now, `isKnown` where this visit has not read or written the key before either. */
export type Found = { value: unknown; isSure: boolean; isKnown: boolean };

/** Spec §4, storage tiers: what the first of IndexedDB, local storage and memory that has the key holds under it, undefined when none does; what it held last where that cannot be asked. */
export async function readStored(key: string): Promise<unknown> {
  return (await readSurely(key)).value;
}

/** As `readStored`, and how far that can be relied on: nothing may be written in the place of what is not known. */
export async function readSurely(key: string): Promise<Found> {
  const found = await find(key);
  if (!found.isSure) return { value: last.get(key), isSure: false, isKnown: last.has(key) };
  last.set(key, found.value);
  return { ...found, isKnown: true };
}

async function find(key: string): Promise<Pick<Found, 'value' | 'isSure'>> {
  let isSure = true;
  for (const tier of holders) {
    try {
      const value = await tier.read(key);
      if (value !== undefined)
        return { value: tier === leftBehind && value === removed ? undefined : value, isSure: true };
    } catch {
      if (tier === inDatabase && hasDatabaseAnswered) isSure = false;
    }
  }
  return { value: undefined, isSure };
}

/** Keeps a value that JSON can hold in the first tier that takes it, and nothing older in the others. */
export async function writeStored(key: string, value: unknown): Promise<void> {
  let keeper: Tier | undefined;
  for (const tier of tiers) {
    keeper = await tier.write(key, value).then(
      () => tier,
      () => undefined,
    );
    if (keeper) break;
  }
  const others = holders.filter((tier) => tier !== keeper);
  if (!(await clear(key, others))) await putBefore(key, value);
  last.set(key, value);
  announce(key, value);
}

/** Keeps a value without waiting, for a page that is left before `writeStored` has done it; the next read finds it, the next write takes its place. */
export function leaveBehind(key: string, value: unknown): void {
  // Local storage writes before it answers; where there is none nothing more can be done.
  void leftBehind.write(key, value).catch(() => undefined);
  channel?.postMessage(key);
}

/** Keeps a text where a script finds it without waiting, an empty one by taking it away; under a key that is spelt whole and that no tier has. */
export function leaveAtHand(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Where the browser forbids it, a page shows itself as it was made until the tiers have been asked.
  }
}

/** Takes the key out of every tier. */
export async function removeStored(key: string): Promise<void> {
  if (!(await clear(key, holders))) await putBefore(key, removed);
  last.set(key, undefined);
  announce(key, undefined);
}

/** Calls the listener with each new value of the key (undefined once it is removed), whichever tab of the site wrote it; returns what stops it. */
export function watchStored(key: string, listener: Listener): () => void {
  hearOtherTabs();
  const all = listeners.get(key) ?? new Set();
  listeners.set(key, all.add(listener));
  return () => void all.delete(listener);
}

/** False where a database that may have an older value could not be told. */
async function clear(key: string, from: readonly Tier[]): Promise<boolean> {
  const outcomes = await Promise.allSettled(from.map((tier) => tier.remove(key)));
  const isTold = outcomes[from.indexOf(inDatabase)]?.status !== 'rejected';
  return isTold || !hasDatabaseAnswered;
}

/** Puts a value where it is found before what the database has, for every tab and the next visit, until something else is kept. */
async function putBefore(key: string, value: unknown): Promise<void> {
  await leftBehind.write(key, value).catch(() => undefined);
}

function announce(key: string, value: unknown): void {
  hearOtherTabs();
  channel?.postMessage(key);
  tell(key, value);
}

function tell(key: string, value: unknown): void {
  for (const listener of listeners.get(key) ?? []) listener(value);
}

/** Only the key is told: what is kept under it, tokens among it, is read from the tiers by each tab itself. */
function hearOtherTabs(): void {
  if (channel || typeof BroadcastChannel === 'undefined') return;
  channel = new BroadcastChannel(`${name}-storage`);
  channel.onmessage = ({ data: key }: MessageEvent<string>) =>
    void readSurely(key).then(({ value, isSure }) => isSure && tell(key, value));
}
