import type { Viewer } from '@/lib/access/schema';
import { Failure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { networkOf } from '@/lib/platform/rate-limit';
import { EventStream } from './event-stream';
import {
  type Client,
  eventText,
  hub,
  type Hub,
  idOf,
  missedSince,
  placeOf,
  readFacts,
  stopWaiting,
  streamLimits,
  tell,
  wait,
} from './hub';
import { ownFactsOf, watchable, type WatchedTopic } from './topics';

/** The id of the last event of this process: a stream that resumes after it tells of everything that changed from now on. */
export function lastEventIdNow(): string {
  return idOf(hub());
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
