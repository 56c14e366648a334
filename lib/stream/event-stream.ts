import { z } from 'zod';
import type { Answer } from '@/lib/api/answer';
import { OwnAnswer } from '@/lib/api/own-answer';

const streamMediaType = 'text/event-stream';

/** Ours (0033): how many events wait for a reader before it counts as too slow. */
export const waitingEvents = 64;

/** An answer that goes on: server-sent events, begun by `open` when somebody reads, which returns what ends it when the reader has gone. */
export class EventStream extends OwnAnswer {
  readonly #open: (controller: ReadableStreamDefaultController<Uint8Array>) => () => void;

  constructor(open: (controller: ReadableStreamDefaultController<Uint8Array>) => () => void) {
    super();
    this.#open = open;
  }

  /** The answer to a request; one for the head alone opens nothing. */
  answer(request: Request): Answer {
    // No proxy may hold events back, keep them or write them anew.
    const headers = Object.entries({
      'content-type': `${streamMediaType}; charset=utf-8`,
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    if (request.method === 'HEAD') return { status: 200, headers, body: null };
    const open = this.#open;
    let end: () => void = () => undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          end = open(controller);
          request.signal.addEventListener('abort', end, { once: true });
        },
        cancel: () => end(),
      },
      new CountQueuingStrategy({ highWaterMark: waitingEvents }),
    );
    return { status: 200, headers, body };
  }
}

/** What a call declares as its answer when that is a stream of events. */
export function eventStreamOf(): z.ZodType<EventStream, EventStream> {
  return z.instanceof(EventStream).meta({ mediaTypes: [streamMediaType] });
}
