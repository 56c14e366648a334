import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdHeader, requestIdOf } from './request-end';
import { brotliQuality, compress, type Encoding, encodingFor, isCompressible } from './encoding';

/** A header as it is sent. */
export type Header = readonly [name: string, value: string];

type Variant = { bytes: Buffer; etag: string; headers: string[] };

type Parts = {
  status: number;
  mediaType: string;
  /** What every answer carries, a 304 as well. */
  headers: readonly Header[];
  body: Buffer;
};

/** These headers and the id of the request. Set on the response beforehand, it would have Node check and merge each of the others anew. */
function withId(headers: string[], response: ServerResponse): string[] {
  const id = requestIdOf(response);
  return id === undefined ? headers : [...headers, requestIdHeader, id];
}

const suffixes = { br: '-br', gzip: '-gz', identity: '' } as const;

/**
 * A whole answer that is sent again and again: its bytes in each encoding, made once when first asked for, with headers that are ready.
 * Each encoding has a strong ETag of its own; whoever has one of them gets a 304 with the same headers.
 */
export class StoredAnswer {
  readonly status: number;
  readonly #parts: Parts;
  readonly #tag: string;
  readonly #compressible: boolean;
  readonly #variants: Partial<Record<Encoding, Variant>> = {};
  readonly #making: Partial<Record<Encoding, Promise<Variant>>> = {};

  constructor(parts: Parts) {
    this.status = parts.status;
    this.#parts = parts;
    this.#tag = createHash('sha256')
      .update(parts.mediaType)
      .update('\0')
      .update(parts.body)
      .digest('base64url')
      .slice(0, 27);
    this.#compressible = isCompressible(parts.mediaType, parts.body.length);
    this.#variants.identity = this.#variantOf('identity', parts.body, suffixes.identity);
  }

  /** The bytes that it holds in memory, compressed ones included. */
  get byteSize(): number {
    return Object.values(this.#variants).reduce((sum, { bytes }) => sum + bytes.length, 1024);
  }

  get body(): Buffer {
    return this.#parts.body;
  }

  get mediaType(): string {
    return this.#parts.mediaType;
  }

  /** Sends the answer when its bytes are there in the encoding that the client takes; false, with nothing sent, when they have to be made. */
  sendNow(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers } = request;
    const variant = this.#variants[this.#compressible ? encodingFor(headers['accept-encoding']) : 'identity'];
    if (variant === undefined) return false;
    const known = headers['if-none-match'];
    const tag = known === undefined || this.status !== 200 ? null : this.#tagIn(known, variant);
    if (tag !== null) {
      response.writeHead(304, withId([...this.#parts.headers.flat(), 'etag', tag], response));
      response.end();
      return true;
    }
    response.writeHead(this.status, withId(variant.headers, response));
    if (request.method === 'HEAD') response.end();
    else response.end(variant.bytes);
    return true;
  }

  /** Sends the answer, made in the encoding that the client takes. */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.sendNow(request, response)) return;
    await this.#make(encodingFor(request.headers['accept-encoding']));
    this.sendNow(request, response);
  }

  /** Takes the smallest bytes there can be, which are made when they are not given. */
  async improve(given?: Buffer): Promise<void> {
    if (this.#compressible)
      this.#variants.br = this.#variantOf(
        'br',
        given ?? (await compress(this.#parts.body, 'br', brotliQuality.lasting)),
        '-br11',
      );
  }

  async #make(encoding: Encoding): Promise<Variant> {
    const making = (this.#making[encoding] ??= compress(this.#parts.body, encoding).then((bytes) =>
      this.#variantOf(encoding, bytes, suffixes[encoding]),
    ));
    return (this.#variants[encoding] ??= await making);
  }

  #variantOf(encoding: Encoding, bytes: Buffer, suffix: string): Variant {
    const { headers, mediaType } = this.#parts;
    const etag = `"${this.#tag}${suffix}"`;
    const own: Header[] = [
      ['content-type', mediaType],
      ['content-length', String(bytes.length)],
      ['etag', etag],
      ...headers,
    ];
    if (encoding !== 'identity') own.push(['content-encoding', encoding]);
    return { bytes, etag, headers: own.flat() };
  }

  // Bytes that were compressed otherwise hold the same answer.
  #tagIn(known: string, { etag }: Variant): string | null {
    if (known.trim() === '*') return etag;
    const start = known.indexOf(`"${this.#tag}`);
    const end = known.indexOf('"', start + 1);
    return start < 0 || end < 0 ? null : known.slice(start, end + 1);
  }
}
