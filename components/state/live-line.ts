import type { AnswerOf } from '@/lib/calls';
import { api, apiStream, type Sending } from './api';
import { debugLog } from './browser-log';

/** What is told of a topic: how it stands, or that it changed. Without `facts` the ordinary calls are to be asked; `isSure` where a process that knows what was heard before tells that it changed since: another one says so of everything. */
export type LiveNews = { topic: string; kind: 'state' | 'change'; facts?: unknown; isSure?: true };

/** What a line tells, and whom; `after` is the id of the event that it goes on after, if there is one. */
export type LiveLine = { topics: readonly string[]; tell: (news: LiveNews) => void; after?: string | null };

// Ours (0033), in seconds: how long the first event may take, how long the pulse may stay away, the pauses between attempts and rounds, and how long polling goes on before the stream is tried again.
const patience = { first: 8, pulse: 45, again: 1, round: 10, longestRound: 120, polling: 120 } as const;
const failuresBeforePolling = 2;

/** How far a line has heard: the id of its last event. */
type Place = { id: string | null };

/** Tells of the topics until it is ended: by the stream, and by asking the ordinary calls while the stream cannot be had. What ends it says which event it heard last. */
export function openLine(line: LiveLine): () => string | null {
  const over = new AbortController();
  const place: Place = { id: line.after ?? null };
  void keepTelling(line, place, over.signal);
  return () => {
    over.abort();
    return place.id;
  };
}

async function keepTelling(line: LiveLine, place: Place, over: AbortSignal): Promise<void> {
  let failures = 0;
  while (!over.aborted) {
    failures = (await listen(line, place, over)) ? 0 : failures + 1;
    if (failures >= failuresBeforePolling) await poll(line, over);
    else await pause(patience.again * (1 + Math.random()), over);
  }
}

/** Reads the stream to its end; false when there was no event. */
async function listen({ topics, tell }: LiveLine, place: Place, over: AbortSignal): Promise<boolean> {
  const given = new AbortController();
  const resumed = place.id;
  const stop = () => given.abort();
  over.addEventListener('abort', stop, { once: true });
  let hasHeard = false;
  let silence = setTimeout(stop, patience.first * 1000);
  try {
    const headers: Record<string, string> = {
      accept: 'text/event-stream',
      ...(place.id === null ? {} : { 'last-event-id': place.id }),
    };
    const body = await apiStream('GET /stream', { query: { topics: topics.join(',') }, headers, signal: given.signal });
    for await (const event of eventsOf(body)) {
      if (over.aborted) break;
      clearTimeout(silence);
      silence = setTimeout(stop, patience.pulse * 1000);
      if (event.id !== null) {
        place.id = event.id;
        hasHeard = true;
      }
      const news = newsOf(event, resumed);
      if (news) tell(news);
    }
  } catch (error) {
    if (!over.aborted) debugLog('The stream broke off.', error);
  } finally {
    clearTimeout(silence);
    over.removeEventListener('abort', stop);
  }
  return hasHeard;
}

type StreamEvent = { id: string | null; name: string; data: string };

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield readEvent(block);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** One block of the stream; a comment, such as the pulse, is an event without a name. */
export function readEvent(block: string): StreamEvent {
  const fields = new Map(
    block
      .split('\n')
      .flatMap((line): [string, string][] =>
        line.startsWith(':') ? [] : [[line.split(':', 1)[0] ?? '', line.replace(/^[^:]*: ?/, '')]],
      ),
  );
  return { id: fields.get('id') ?? null, name: fields.get('event') ?? '', data: fields.get('data') ?? '' };
}

const processOf = (id: string | null) => id?.split('-', 1)[0];

function newsOf({ id, name, data }: StreamEvent, resumed: string | null): LiveNews | null {
  if (name !== 'state' && name !== 'change') return null;
  const { topic, facts } = JSON.parse(data) as { topic: string; facts?: unknown };
  const isSure = name === 'change' && id !== null && processOf(id) === processOf(resumed);
  return { topic, kind: name, ...(facts === undefined ? {} : { facts, ...(isSure && { isSure }) }) };
}

/** The facts of a topic: what the ordinary call for it answers. */
export type FactsOf<T extends string> = T extends 'live'
  ? AnswerOf<'GET /live-scores'>
  : T extends `fixture:${string}`
    ? AnswerOf<'GET /fixture/{reference}/score'>
    : T extends 'news'
      ? AnswerOf<'GET /user/notifications/unread'>
      : T extends 'account'
        ? Pick<AnswerOf<'GET /user'>, 'opens'> & {
            user: Pick<AnswerOf<'GET /user'>['user'], 'hasProMembership'>;
          } & Partial<Pick<AnswerOf<'GET /user'>, 'settings' | 'portfolios'>>
        : never;

/** Asks the ordinary call for the facts of a topic; null where there is none. */
export function askTopic(topic: string, given: Sending = {}): Promise<unknown> | null {
  if (topic === 'live') return api('GET /live-scores', given);
  if (topic === 'account') return api('GET /user', given);
  if (!topic.startsWith('fixture:')) return null;
  return api('GET /fixture/{reference}/score', { params: { reference: topic.slice('fixture:'.length) }, ...given });
}

/** Asks in rounds for a while; the pause grows while nobody answers. */
async function poll({ topics, tell }: LiveLine, over: AbortSignal): Promise<void> {
  const until = performance.now() + patience.polling * 1000;
  let gap: number = patience.round;
  while (!over.aborted && performance.now() < until) {
    const answered = await Promise.all(topics.map((topic) => ask(topic, tell, over)));
    gap = answered.every(Boolean) ? patience.round : Math.min(gap * 2, patience.longestRound);
    await pause(gap, over);
  }
}

async function ask(topic: string, tell: LiveLine['tell'], over: AbortSignal): Promise<boolean> {
  try {
    const facts = await askTopic(topic, { signal: over });
    if (!over.aborted) tell({ topic, kind: 'change', ...(facts === undefined || facts === null ? {} : { facts }) });
    return true;
  } catch {
    return false;
  }
}

function pause(seconds: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (over.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      over.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    over.addEventListener('abort', end, { once: true });
  });
}
