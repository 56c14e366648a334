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
const listeners = new Map<string, Set<Listener>>();
let isDatabaseSilent = false;
let store: ReturnType<typeof createStore> | null = null;
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
const tiers = [inDatabase, inLocalStorage(name), inMemory];
const holders = [leftBehind, ...tiers];

/** What the database answers; rejects when it cannot, and for the rest of the visit once it has kept silent. */
async function answered<T>(ask: (own: ReturnType<typeof createStore>) => Promise<T>): Promise<T> {
  if (isDatabaseSilent) throw new Error('The database of the browser did not answer.');
  store ??= createStore(name, 'state');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isDatabaseSilent = true;
      reject(new Error('The database of the browser does not answer.'));
    }, patienceMilliseconds);
  });
  const own = store;
  // A browser without a database throws at once, which must not leave the silence unheard.
  return Promise.race([Promise.resolve().then(() => ask(own)), silence]).finally(() => clearTimeout(timer));
}

/** Spec §4, storage tiers: what the first of IndexedDB, local storage and memory that has the key holds under it; undefined when none does. */
export async function readStored(key: string): Promise<unknown> {
  for (const tier of holders) {
    const value = await tier.read(key).catch(() => undefined);
    if (value !== undefined) return value;
  }
  return undefined;
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
  await clear(
    key,
    holders.filter((tier) => tier !== keeper),
  );
  announce(key, value);
}

/** Keeps a value without waiting, for a page that is left before `writeStored` has done it; the next read finds it, the next write takes its place. */
export function leaveBehind(key: string, value: unknown): void {
  // Local storage writes before it answers; where there is none nothing more can be done.
  void leftBehind.write(key, value).catch(() => undefined);
  channel?.postMessage(key);
}

/** Takes the key out of every tier. */
export async function removeStored(key: string): Promise<void> {
  await clear(key, holders);
  announce(key, undefined);
}

/** Calls the listener with each new value of the key (undefined once it is removed), whichever tab of the site wrote it; returns what stops it. */
export function watchStored(key: string, listener: Listener): () => void {
  hearOtherTabs();
  const all = listeners.get(key) ?? new Set();
  listeners.set(key, all.add(listener));
  return () => void all.delete(listener);
}

async function clear(key: string, from: readonly Tier[]): Promise<void> {
  await Promise.allSettled(from.map((tier) => tier.remove(key)));
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
  channel.onmessage = ({ data: key }: MessageEvent<string>) => void readStored(key).then((value) => tell(key, value));
}
