import { setTimeout as sleep } from 'node:timers/promises';
import { open, send } from './send';

/** Guests who read pages and calls one after the other, with the scripts and styles that pages name, and note whatever is not answered with 200. */
export class Readers {
  readonly #origin: string;
  readonly #paths: readonly string[];
  readonly #readers: number;
  readonly #pauseMilliseconds: number;
  readonly #files = new Set<string>();
  readonly #atWork: Promise<void>[] = [];
  #isOver = false;
  answered = 0;
  readonly failures: string[] = [];

  constructor(
    origin: string,
    paths: readonly string[],
    { readers, pauseMilliseconds }: { readers: number; pauseMilliseconds: number },
  ) {
    this.#origin = origin;
    this.#paths = paths;
    this.#readers = readers;
    this.#pauseMilliseconds = pauseMilliseconds;
  }

  /** How many scripts and styles the pages have named so far. */
  get files(): number {
    return this.#files.size;
  }

  start(): void {
    for (let place = 0; place < this.#readers; place += 1) this.#atWork.push(this.#read(place));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#atWork);
  }

  async #read(place: number): Promise<void> {
    for (let turn = place; !this.#isOver; turn += 1) {
      const from = `127.2.0.${place + 1}`;
      const page = await this.#get(this.#paths[turn % this.#paths.length] ?? '/', from);
      const named = [...new Set(page.match(/\/_next\/static\/[\w./-]+\.(?:js|css)/g) ?? [])];
      for (const file of named) this.#files.add(file);
      // One of this page, and one of a page that somebody has had open for a while.
      const open = [...this.#files];
      for (const file of [named[turn % named.length], open[turn % open.length]]) if (file) await this.#get(file, from);
      await sleep(this.#pauseMilliseconds * (0.5 + Math.random()));
    }
  }

  async #get(path: string, from: string): Promise<string> {
    const began = performance.now();
    try {
      const { status, text } = await send(this.#origin, { path, from });
      this.answered += 1;
      if (status === 200) return text;
      this.failures.push(`${path}: ${status} ${text.slice(0, 100)}`);
    } catch (error) {
      this.failures.push(
        `${path}: ${error instanceof Error ? error.message : String(error)} after ${Math.round(performance.now() - began)} ms`,
      );
    }
    return '';
  }
}

/** Readers of the stream of events, who come again when they are told to, and note when a stream ends without that. */
export class Listeners {
  readonly #origin: string;
  readonly #atWork: Promise<void>[] = [];
  readonly #let: AbortController[] = [];
  #isOver = false;
  opened = 0;
  readonly failures: string[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  start(listeners: number, topics: string): void {
    for (let place = 0; place < listeners; place += 1)
      this.#atWork.push(this.#listen(`/api/stream?topics=${topics}`, `127.3.0.${place + 1}`));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    for (const each of this.#let) each.abort();
    await Promise.all(this.#atWork);
  }

  async #listen(path: string, from: string): Promise<void> {
    let last = '';
    while (!this.#isOver) {
      const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
      const over = new AbortController();
      this.#let.push(over);
      let text = '';
      try {
        const response = await open(this.#origin, { path, from, headers, timeoutMilliseconds: 0 });
        over.signal.addEventListener('abort', () => response.destroy());
        if (response.statusCode !== 200) this.failures.push(`a stream was refused with ${response.statusCode}`);
        else this.opened += 1;
        for await (const chunk of response) text = `${text}${String(chunk)}`.slice(-2_000);
        if (!/\nevent: close\n/.test(text) && !this.#isOver) this.failures.push('a stream ended and said nothing');
      } catch (error) {
        if (!this.#isOver)
          this.failures.push(`a stream broke: ${error instanceof Error ? error.message : String(error)}`);
      }
      last = [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? last;
      if (!this.#isOver) await sleep(Number([...text.matchAll(/^retry: (\d+)$/gm)].at(-1)?.[1] ?? 500));
    }
  }
}
