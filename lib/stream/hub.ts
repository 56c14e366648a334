import { randomUUID } from 'node:crypto';
import { onForgotten } from '@/lib/platform/cache';
import { now as present } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { factsOf, type WatchedTopic } from './topics';

/** Ours (0033): what one process carries, and how: streams in all and of one network, the pulse, and how long a stream lives. */
export const streamLimits = {
  streams: 5_000,
  perNetwork: 30,
  pulseSeconds: 20,
  lifeSeconds: 540,
  gatherMilliseconds: 100,
  remembered: 20_000,
} as const;

/** One open stream. */
export type Client = {
  /** The facts of `live` that it was told last, as text. */
  lastLive: string;
  send(text: string): void;
  /** Finds anew of which tags it is to hear, where this tag, which was dropped at this count of changes, tells of that; one time after the other. Ends the stream where that fails. */
  renew(tag: string, changedAt: number): void;
  leave(): boolean;
  end(): void;
};

/** The open streams of a process, what they wait for, and what was heard. */
export type Hub = {
  instance: string;
  /** How many changes were heard of, and which of them was the last of each tag; what changed before `since` is not remembered. */
  changes: number;
  changedAt: Map<string, number>;
  since: number;
  pending: Set<string>;
  gathering: boolean;
  clients: Set<Client>;
  /** The topics that are being read, each with those who are told of the next reading. */
  telling: Map<string, Set<Client>>;
  /** The clients by the tags that they wait for, each with its topics of that tag; with none where it only has its tags found anew by it. */
  waiting: Map<string, Map<Client, string[]>>;
  networks: Map<string, number>;
  isClosed: boolean;
  pulse: ReturnType<typeof setInterval> | null;
};

/** That of this process. */
export const hub = (): Hub =>
  singleton('stream', () => {
    const made: Hub = {
      instance: randomUUID().slice(0, 8),
      changes: 0,
      changedAt: new Map(),
      since: 0,
      pending: new Set(),
      gathering: false,
      clients: new Set(),
      telling: new Map(),
      waiting: new Map(),
      networks: new Map(),
      isClosed: false,
      pulse: null,
    };
    onForgotten((tag) => hear(made, tag));
    return made;
  });

const toldOf = /^(?:live|fixtures|(?:fixture|portfolio|news|news-of|account):.*)$/;

function hear(streams: Hub, tag: string | null): void {
  if (tag === null || !toldOf.test(tag)) return;
  streams.changes += 1;
  streams.changedAt.delete(tag);
  streams.changedAt.set(tag, streams.changes);
  const [oldest] = streams.changedAt;
  if (oldest && streams.changedAt.size > streamLimits.remembered) {
    streams.changedAt.delete(oldest[0]);
    streams.since = oldest[1];
  }
  if (!streams.waiting.has(tag)) return;
  streams.pending.add(tag);
  if (streams.gathering) return;
  streams.gathering = true;
  setTimeout(() => void tellAll(streams), streamLimits.gatherMilliseconds).unref();
}

/** One reader for all: each topic that changed is read once, whoever waits for it. */
async function tellAll(streams: Hub): Promise<void> {
  const tags = [...streams.pending];
  streams.pending.clear();
  streams.gathering = false;
  const told = new Map<string, Set<Client>>();
  for (const tag of tags) {
    for (const [client, topics] of streams.waiting.get(tag) ?? []) {
      client.renew(tag, streams.changedAt.get(tag) ?? 0);
      for (const topic of topics) told.set(topic, (told.get(topic) ?? new Set()).add(client));
    }
  }
  await Promise.all([...told].map(([topic, clients]) => tell(streams, topic, clients)));
}

/** Tells of a topic, read after this was asked; one reading at a time, so that what is older is never told last. */
export async function tell(streams: Hub, topic: string, clients: ReadonlySet<Client>): Promise<void> {
  const next = streams.telling.get(topic);
  if (next) return clients.forEach((client) => next.add(client));
  let told = clients;
  try {
    while (told.size > 0) {
      const waiting = new Set<Client>();
      streams.telling.set(topic, waiting);
      // What changes while it is read is not known to be in it.
      const place = placeOf(streams);
      const facts = await readFacts(topic);
      sendFacts(eventText(place, 'change', topic, facts), topic, facts, told);
      told = waiting;
    }
  } finally {
    streams.telling.delete(topic);
  }
}

function sendFacts(event: string, topic: string, facts: unknown, clients: ReadonlySet<Client>): void {
  // Every price of any fixture touches the list of those under way; most leave it as it is.
  const live = topic === 'live' && facts !== null ? JSON.stringify(facts) : null;
  for (const client of clients) {
    if (live !== null && client.lastLive === live) continue;
    if (live !== null) client.lastLive = live;
    client.send(event);
  }
}

/** The facts of a topic; null where they cannot be read. */
export async function readFacts(topic: string, read: typeof factsOf = factsOf): Promise<unknown> {
  try {
    return await read(topic, present());
  } catch (error) {
    log.warn({ event: 'stream_read_failed', topic, err: error });
    return null;
  }
}

/** How far a process had heard at a moment. */
export type Place = Pick<Hub, 'instance' | 'changes'>;

/** How far this process has heard by now. */
export const placeOf = ({ instance, changes }: Place): Place => ({ instance, changes });

/** The id of the last event at a place. */
export const idOf = ({ instance, changes }: Place) => `${instance}-${changes}`;

/** One event: `state` is how a topic stands as the stream opens, `change` that it changed; its id is what resumes the stream after it. */
export function eventText(
  place: Place,
  name: 'open' | 'state' | 'change',
  topic: string | null,
  facts: unknown,
): string {
  const data = JSON.stringify({
    ...(topic === null ? {} : { topic }),
    version: place.changes,
    ...(facts === null ? {} : { facts }),
  });
  return `id: ${idOf(place)}\nevent: ${name}\ndata: ${data}\n\n`;
}

/** The topics of which something was missed since the event of this id, all when that cannot be known; none when nothing came before. */
export function missedSince(
  streams: Hub,
  watched: readonly WatchedTopic[],
  lastEventId: string | null,
): ReadonlySet<string> {
  if (lastEventId === null) return new Set();
  const [, instance, change] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(lastEventId) ?? [];
  const last = Number(change);
  const isKnown = instance === streams.instance && last >= streams.since && last <= streams.changes;
  return new Set(
    watched
      .filter(({ tags }) => !isKnown || tags.some((tag) => (streams.changedAt.get(tag) ?? 0) > last))
      .map(({ topic }) => topic),
  );
}

/** Tells a client from now on of these topics. */
export function wait(streams: Hub, topics: readonly WatchedTopic[], client: Client): void {
  const waitFor = (tag: string, own: readonly string[]) => {
    const clients = streams.waiting.get(tag) ?? new Map<Client, string[]>();
    streams.waiting.set(tag, clients.set(client, [...(clients.get(client) ?? []), ...own]));
  };
  for (const { topic, tags, renewedBy } of topics) {
    for (const tag of tags) waitFor(tag, [topic]);
    if (renewedBy !== null) waitFor(renewedBy, []);
  }
}

/** Takes that back. */
export function stopWaiting(streams: Hub, topics: readonly WatchedTopic[], client: Client): void {
  for (const tag of topics.flatMap(({ tags, renewedBy }) => (renewedBy === null ? tags : [...tags, renewedBy]))) {
    const clients = streams.waiting.get(tag);
    clients?.delete(client);
    if (clients?.size === 0) streams.waiting.delete(tag);
  }
}
