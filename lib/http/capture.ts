import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** What answers requests: Next, or whatever stands in for it. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What may answer a request before Next is asked. */
export type Dispatch = {
  /** True for the path of a call or file that it answers. */
  has(path: string): boolean;
  /** Answers at once from what is kept; false when there is nothing to send. */
  answerKept(request: IncomingMessage, response: ServerResponse): boolean;
  /** Answers a request; null, with nothing done, for one that it leaves to Next. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void> | null;
};

/** A response that keeps what is written to it. */
class Capture extends ServerResponse {
  private readonly chunks: Buffer[] = [];
  readonly ended = new Promise<void>((resolve) => this.once('finish', resolve));

  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    this.statusCode = status;
    const given = typeof reason === 'object' ? reason : headers;
    if (given && !Array.isArray(given))
      for (const [name, value] of Object.entries(given)) if (value !== undefined) this.setHeader(name, value);
    return this;
  }

  override flushHeaders(): void {}

  override write(chunk: Buffer | string, ...rest: unknown[]): boolean {
    this.chunks.push(Buffer.from(chunk as string));
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  }

  override end(...given: unknown[]): this {
    const [chunk] = given;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.chunks.push(Buffer.from(chunk as string));
    this.emit('finish');
    const done = given.at(-1);
    if (typeof done === 'function') done();
    return this;
  }

  get body(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

/** A whole answer: its headers by lower-case names. */
export type Captured = { status: number; headers: Readonly<Record<string, string | string[]>>; body: Buffer };

// Next sends the title and the description after the page to whoever names no program, whatever `htmlLimitedBots` says.
const userAgent = 'Tipledger';

/** Asks `handler` for a document with exactly these request headers, in the name of the program, and keeps the answer whole; nothing of who asked gets through but what the headers say. */
export async function capture(handler: Handler, url: string, headers: IncomingMessage['headers']): Promise<Captured> {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'GET', url, headers: { ...headers, 'user-agent': userAgent } });
  for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete request.headers[name];
  request.push(null);
  const response = new Capture(request);
  await Promise.all([handler(request, response), response.ended]);
  const written = Object.entries(response.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)] as const],
  );
  return { status: response.statusCode, headers: Object.fromEntries(written), body: response.body };
}
