/** An event of a stream: its id, its name and its data. */
export type ReadEvent = { id: string; name: string; data: { topic?: string; version: number; facts?: unknown } };

/** A reader of a stream of server-sent events: gives its events one by one, waits for one, and lets go of it. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #ready: string[] = [];
  text = '';

  constructor(response: Response) {
    if (!response.body) throw new Error('There is no stream.');
    this.#reader = response.body.getReader();
  }

  /** The next event, comments left out; null at the end of the stream. */
  async next(): Promise<ReadEvent | null> {
    for (;;) {
      const block = this.#ready.shift();
      const event = block === undefined ? null : eventOf(block);
      if (event) return event;
      if (block !== undefined) continue;
      const { done, value } = await this.#reader.read();
      if (done) return null;
      const piece = this.#decoder.decode(value, { stream: true });
      this.text += piece;
      const blocks = (this.#rest + piece).split('\n\n');
      this.#rest = blocks.pop() ?? '';
      this.#ready = blocks;
    }
  }

  /** The next event that is wanted; throws at the end of the stream. */
  async until(wanted: (event: ReadEvent) => boolean): Promise<ReadEvent> {
    for (;;) {
      const event = await this.next();
      if (event === null) throw new Error(`The stream ended before that came:\n${this.text}`);
      if (wanted(event)) return event;
    }
  }

  async end(): Promise<void> {
    await this.#reader.cancel();
  }
}

function eventOf(block: string): ReadEvent | null {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const data = field('data');
  return data === undefined
    ? null
    : { id: field('id') ?? '', name: field('event') ?? '', data: JSON.parse(data) as ReadEvent['data'] };
}
