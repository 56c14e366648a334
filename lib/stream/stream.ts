import { randomUUID } from 'node:crypto';
import type { Viewer } from '@/lib/access/schema';
import { onForgotten } from '@/lib/platform/cache';
import { now as present } from '@/lib/platform/clock';
import { Failure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { networkOf } from '@/lib/platform/rate-limit';
import { singleton } from '@/lib/platform/singleton';
import { EventStream } from './event-stream';
import { factsOf, ownFactsOf, watchable, type WatchedTopic } from './topics';

/** Ours (0033): what one process carries, and how: streams in all and of one network, the pulse, and how long a stream lives. */
export const streamLimits = {
  streams: 5_000,
  perNetwork: 30,
  pulseSeconds: 20,
  lifeSeconds: 540,
  gatherMilliseconds: 100,
  remembered: 20_000,
} as const;

type Client = {
  /** The facts of `live` that it was told last, as text. */
  lastLive: string;
  send(text: string): void;
  /** Finds anew of which tags it is to hear, where this tag, which was dropped at this count of changes, tells of that; one time after the other. Ends the stream where that fails. */
  renew(tag: string, changedAt: number): void;
  leave(): boolean;
  end(): void;
};

type Hub = {
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

const hub = (): Hub =>
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
async function tell(streams: Hub, topic: string, clients: ReadonlySet<Client>): Promise<void> {
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

async function readFacts(topic: string, read: typeof factsOf = factsOf): Promise<unknown> {
  try {
    return await read(topic, present());
  } catch (error) {
    log.warn({ event: 'stream_read_failed', topic, err: error });
    return null;
  }
}

/** How far a process had heard at a moment. */
type Place = Pick<Hub, 'instance' | 'changes'>;

const placeOf = ({ instance, changes }: Place): Place => ({ instance, changes });

const idOf = ({ instance, changes }: Place) => `${instance}-${changes}`;

/** The id of the last event of this process: a stream that resumes after it tells of everything that changed from now on. */
export function lastEventIdNow(): string {
  return idOf(hub());
}

/** One event: `state` is how a topic stands as the stream opens, `change` that it changed; its id is what resumes the stream after it. */
function eventText(place: Place, name: 'open' | 'state' | 'change', topic: string | null, facts: unknown): string {
  const data = JSON.stringify({
    ...(topic === null ? {} : { topic }),
    version: place.changes,
    ...(facts === null ? {} : { facts }),
  });
  return `id: ${idOf(place)}\nevent: ${name}\ndata: ${data}\n\n`;
}

type Listener = { viewer: Viewer; topics: readonly string[]; address: string; lastEventId: string | null };

/**
 * Product §4: one stream of server-sent events about these topics, as far as the viewer may see them: how they stand as it opens, then that
 * something changed, and with it only what everybody may know. Resumes after `lastEventId`; of what this process cannot know any more it says
 * that it changed. Failure 'too-many' when the network or the process has its fill, 'unavailable' when the program is about to end: the ordinary
 * calls go on answering.
 */
export async function openStream({ viewer, topics, address, lastEventId }: Listener): Promise<EventStream> {
  const streams = hub();
  const began = placeOf(streams);
  const watched = await watchable(viewer, topics);
  if (streams.isClosed) throw new Failure('unavailable', 'The site is about to restart. Ask again in a moment.');
  const missed = missedSince(streams, watched, lastEventId);
  const opening = await Promise.all(
    watched.map(async ({ topic }) => {
      const name = missed.has(topic) ? 'change' : 'state';
      const facts = await readFacts(topic, (of, now) => ownFactsOf(viewer, of, now));
      return name === 'state' && facts === null ? '' : eventText(began, name, topic, facts);
    }),
  );
  const network = networkOf(address);
  const own = streams.networks.get(network) ?? 0;
  if (own >= streamLimits.perNetwork || streams.clients.size >= streamLimits.streams)
    throw new Failure('too-many', 'Too many streams are open. Close some, or ask the ordinary calls.');
  return new EventStream((controller) => {
    const client = join(streams, { viewer, watched, network }, controller);
    client.send(
      `retry: 3000\n${eventText(began, 'open', null, { topics: watched.map(({ topic }) => topic) })}${opening.join('')}`,
    );
    for (const topic of missedSince(streams, watched, idOf(began))) void tell(streams, topic, new Set([client]));
    const renewed = watched.find(
      ({ renewedBy }) => renewedBy !== null && (streams.changedAt.get(renewedBy) ?? 0) > began.changes,
    );
    if (renewed?.renewedBy) client.renew(renewed.renewedBy, began.changes);
    return () => void client.leave();
  });
}

/** The topics of which something was missed since the event of this id, all when that cannot be known; none when nothing came before. */
function missedSince(streams: Hub, watched: readonly WatchedTopic[], lastEventId: string | null): ReadonlySet<string> {
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

const encoder = new TextEncoder();

type Joining = { viewer: Viewer; watched: readonly WatchedTopic[]; network: string };

function join(
  streams: Hub,
  { viewer, watched, network }: Joining,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Client {
  let isOver = false;
  let topics = watched;
  let renewal = Promise.resolve();
  const leave = () => {
    if (isOver) return false;
    isOver = true;
    clearTimeout(life);
    streams.clients.delete(client);
    stopWaiting(streams, topics, client);
    const left = (streams.networks.get(network) ?? 1) - 1;
    if (left > 0) streams.networks.set(network, left);
    else streams.networks.delete(network);
    if (streams.clients.size === 0 && streams.pulse !== null) {
      clearInterval(streams.pulse);
      streams.pulse = null;
    }
    return true;
  };
  const renew = async (changedAt: number) => {
    const found = await watchable(
      viewer,
      topics.flatMap(({ topic, renewedBy }) => (renewedBy === null ? [] : [topic])),
    );
    if (isOver) return;
    const known = new Set(topics.flatMap(({ tags }) => tags));
    stopWaiting(streams, topics, client);
    topics = topics.map((own) => found.find(({ topic }) => topic === own.topic) ?? own);
    wait(streams, topics, client);
    // What came of the new ones before they were waited for.
    const fresh = found.map((each) => ({ ...each, tags: each.tags.filter((tag) => !known.has(tag)) }));
    for (const topic of missedSince(streams, fresh, idOf({ instance: streams.instance, changes: changedAt })))
      void tell(streams, topic, new Set([client]));
  };
  const client: Client = {
    lastLive: '',
    leave,
    send: (text) => {
      if (isOver) return;
      if ((controller.desiredSize ?? 0) > 0) return controller.enqueue(encoder.encode(text));
      // Who reads too slowly is cut off and comes again by the id of what it read last.
      if (leave()) controller.error(new DOMException('The reader is too slow.', 'AbortError'));
    },
    renew: (tag, changedAt) => {
      if (!topics.some(({ renewedBy }) => renewedBy === tag)) return;
      renewal = renewal
        .then(() => renew(changedAt))
        .catch((error: unknown) => {
          log.warn({ event: 'stream_renewal_failed', err: error });
          // It comes again by the id of what it read last, and waits for all that it may hear of then.
          client.end();
        });
    },
    end: () => void (leave() && controller.close()),
  };
  const life = setTimeout(() => client.end(), streamLimits.lifeSeconds * 1000);
  life.unref();
  streams.clients.add(client);
  streams.networks.set(network, (streams.networks.get(network) ?? 0) + 1);
  wait(streams, topics, client);
  streams.pulse ??= setInterval(
    () => streams.clients.forEach((each) => each.send(': pulse\n\n')),
    streamLimits.pulseSeconds * 1000,
  ).unref();
  return client;
}

function wait(streams: Hub, topics: readonly WatchedTopic[], client: Client): void {
  const waitFor = (tag: string, own: readonly string[]) => {
    const clients = streams.waiting.get(tag) ?? new Map<Client, string[]>();
    streams.waiting.set(tag, clients.set(client, [...(clients.get(client) ?? []), ...own]));
  };
  for (const { topic, tags, renewedBy } of topics) {
    for (const tag of tags) waitFor(tag, [topic]);
    if (renewedBy !== null) waitFor(renewedBy, []);
  }
}

function stopWaiting(streams: Hub, topics: readonly WatchedTopic[], client: Client): void {
  for (const tag of topics.flatMap(({ tags, renewedBy }) => (renewedBy === null ? tags : [...tags, renewedBy]))) {
    const clients = streams.waiting.get(tag);
    clients?.delete(client);
    if (clients?.size === 0) streams.waiting.delete(tag);
  }
}

/** Ends every stream of this process and opens no other, so that the program can end; each is told to come again, at a moment of its own, to whoever answers then. */
export function closeStreams(): void {
  const streams = hub();
  streams.isClosed = true;
  for (const client of [...streams.clients]) {
    client.send(`retry: ${Math.round(200 + 1_800 * Math.random())}\nevent: close\ndata: {"reason":"restart"}\n\n`);
    client.end();
  }
}

/** How many streams are open in this process. */
export function countStreams(): number {
  return hub().clients.size;
}
