import { getDefaultStore } from 'jotai';
import { savesData } from './data-saver';
import { type LiveNews, openLine } from './live-line';
import { usernameAtom } from './viewer';

type Listener = (news: LiveNews) => void;

/** What the tabs of the site say to each other: which topics a tab needs, that the one with the line asks for them, and what it heard, as this member or as nobody. */
type Word =
  | { kind: 'need'; tab: string; topics: readonly string[] }
  | { kind: 'ask' }
  | { kind: 'heard'; username: string | null; news: LiveNews };

const name = 'tipledger-live';
// Ours: as many topics as the server takes, how long the first line of a page waits for all that the page itself asks for, and how long tabs are waited for before it is opened anew.
const mostTopics = 40;
const firstMilliseconds = 1_500;
const gatherMilliseconds = 150;

const listeners = new Map<string, Set<Listener>>();
const tab = Math.random().toString(36).slice(2);
const others = new Map<string, readonly string[]>();

let engaged: { channel: BroadcastChannel | null; release: () => void } | null = null;
let line: { key: string; end: () => string | null } | null = null;
let heardLast = lastEventIdOfPage();
let isLeader = false;
let hasMissed = false;
let isWatching = false;
let hasOpened = false;
let gathering: ReturnType<typeof setTimeout> | undefined;

/** The last event before this page was made; null where the server did not say, and in browsers that do not tell. */
function lastEventIdOfPage(): string | null {
  const [page] = performance.getEntriesByType?.('navigation') ?? [];
  const told = (page as PerformanceNavigationTiming | undefined)?.serverTiming ?? [];
  return told.find((each) => each.name === 'live')?.description || null;
}

const usernameNow = () => getDefaultStore().get(usernameAtom);
const ownTopics = () => [...listeners.keys()];

// Who saves data, or looks elsewhere, is told nothing.
function isWanted(): boolean {
  return listeners.size > 0 && document.visibilityState === 'visible' && navigator.onLine && !savesData();
}

/**
 * Tells the listener how a topic stands and whenever it changes, while the page is in sight; returns what ends that. All tabs of the browser
 * share one connection: the tab that holds the lock has it and passes on what it hears.
 */
export function watchTopic(topic: string, listener: Listener): () => void {
  const own = listeners.get(topic) ?? new Set();
  listeners.set(topic, own.add(listener));
  watchPage();
  look();
  return () => {
    own.delete(listener);
    if (own.size === 0) listeners.delete(topic);
    look();
  };
}

function watchPage(): void {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener('visibilitychange', look);
  for (const event of ['online', 'offline', 'pageshow'] as const) window.addEventListener(event, look);
  window.addEventListener('pagehide', disengage);
  getDefaultStore().sub(usernameAtom, () => openAnew(true));
}

function look(): void {
  if (!isWanted()) return disengage();
  if (!engaged) engage();
  else engaged.channel?.postMessage({ kind: 'need', tab, topics: ownTopics() } satisfies Word);
  openAnew();
}

function engage(): void {
  const over = new AbortController();
  const channel = typeof BroadcastChannel === 'undefined' || !navigator.locks ? null : new BroadcastChannel(name);
  engaged = { channel, release: () => over.abort() };
  channel?.addEventListener('message', ({ data }: MessageEvent<Word>) => hear(data));
  channel?.postMessage({ kind: 'need', tab, topics: ownTopics() } satisfies Word);
  void catchUp();
  if (channel) navigator.locks.request(name, { signal: over.signal }, () => lead(over.signal)).catch(() => undefined);
  else void lead(over.signal);
}

/** Asks for what changed while nobody looked, and before this tab joined the line of another. */
async function catchUp(): Promise<void> {
  const hadMissed = hasMissed;
  hasMissed = false;
  if (hadMissed || (await isLedElsewhere())) for (const topic of ownTopics()) deliver({ topic, kind: 'change' });
}

async function isLedElsewhere(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some((lock) => lock.name === name);
}

async function lead(over: AbortSignal): Promise<void> {
  if (over.aborted) return;
  isLeader = true;
  others.clear();
  engaged?.channel?.postMessage({ kind: 'ask' } satisfies Word);
  openAnew();
  await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
}

function disengage(): void {
  if (!engaged) return;
  engaged.channel?.postMessage({ kind: 'need', tab, topics: [] } satisfies Word);
  engaged.channel?.close();
  engaged.release();
  engaged = null;
  hasMissed = listeners.size > 0;
  isLeader = false;
  clearTimeout(gathering);
  endLine();
  heardLast = null;
}

/** Ends the line; the next one goes on where it had got to. */
function endLine(): void {
  heardLast = line?.end() ?? heardLast;
  line = null;
}

function hear(word: Word): void {
  if (word.kind === 'heard') {
    // What was told to another member is not this one's to know: they ask themselves.
    return deliver(word.username === usernameNow() ? word.news : { topic: word.news.topic, kind: 'change' });
  }
  if (word.kind === 'ask')
    return engaged?.channel?.postMessage({ kind: 'need', tab, topics: ownTopics() } satisfies Word);
  if (word.topics.length > 0) others.set(word.tab, word.topics);
  else others.delete(word.tab);
  openAnew();
}

/** Opens the line for what all tabs need now, once they had time to say so; leaves one that carries that already. */
function openAnew(isForced = false): void {
  if (isForced) endLine();
  if (!isLeader) return;
  clearTimeout(gathering);
  gathering = setTimeout(
    () => {
      const topics = [...new Set([...ownTopics(), ...[...others.values()].flat()])].slice(0, mostTopics).sort();
      const key = topics.join(',');
      if (!isLeader || topics.length === 0 || line?.key === key) return;
      endLine();
      const username = usernameNow();
      line = { key, end: openLine({ topics, tell: (news) => tell(news, username), after: heardLast }) };
      hasOpened = true;
    },
    hasOpened ? gatherMilliseconds : firstMilliseconds,
  );
}

function tell(news: LiveNews, username: string | null): void {
  deliver(news);
  engaged?.channel?.postMessage({ kind: 'heard', username, news } satisfies Word);
}

function deliver(news: LiveNews): void {
  for (const listener of listeners.get(news.topic) ?? []) listener(news);
}
