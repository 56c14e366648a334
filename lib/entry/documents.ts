import { readdirSync } from 'node:fs';
import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** A response that keeps what is written to it. */
class Capture extends ServerResponse {
  private readonly chunks: Buffer[] = [];
  readonly ended = new Promise<void>((resolve) => this.once('finish', resolve));

  override writeHead(status: number, reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[], headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this {
    this.statusCode = status;
    const given = typeof reason === 'object' ? reason : headers;
    if (given && !Array.isArray(given)) for (const [name, value] of Object.entries(given)) if (value !== undefined) this.setHeader(name, value);
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

/** True for a path that every reader takes for the same: it can be decoded, names no other host, and has neither steps upwards nor control characters. */
export function isPlainPath(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.startsWith('/') && !/\/\/|\\|\p{Cc}/u.test(decoded) && !decoded.split('/').some((part) => part === '.' || part === '..');
  } catch {
    return false;
  }
}

const publicFiles = new Set(readdirSync('public', { recursive: true, encoding: 'utf8' }).map((name) => `/${name.split(sep).join('/')}`));

// The record of a portfolio is a file under the portfolio's address, sent as it is read and never captured whole.
const notDocuments = /^\/(?:_next|api)\/|^\/portfolio\/[^/]+\/ledger$/;

/** True for a request that a person's browser or a search engine makes for a page, there or missing, rather than for data, assets or a part of a page. */
export function isDocumentRequest({ method, url = '/', headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (headers.rsc !== undefined || headers['next-action'] !== undefined) return false;
  const [path = ''] = url.split('?');
  return !notDocuments.test(path) && !publicFiles.has(path);
}

// Next sends readers without script an empty body with these statuses; these pages have the words.
const bodies: Partial<Record<number, string>> = { 404: '/_not-found', 500: '/~error' };

/** Answers a page request whole, a missing or failed page with the words of its error page, compressed as the client accepts it. */
export async function answerDocument(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
  const page = await capture(request, request.url ?? '/', handler);
  const instead = bodies[page.statusCode];
  const shown = instead === undefined ? page : await capture(request, instead, handler);
  for (const [name, value] of Object.entries(shown.getHeaders())) if (value !== undefined) response.setHeader(name, value);
  response.statusCode = page.statusCode;
  const [encoding, bytes] = await encode(request.headers['accept-encoding'] ?? '', shown.body);
  if (encoding) response.setHeader('content-encoding', encoding);
  response.setHeader('vary', [...new Set([...String(response.getHeader('vary') ?? '').split(/,\s*/), 'accept-encoding'])].filter(Boolean).join(', '));
  response.removeHeader('transfer-encoding');
  response.setHeader('content-length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function capture(request: IncomingMessage, url: string, handler: Handler): Promise<Capture> {
  const inner = new IncomingMessage(request.socket);
  inner.method = 'GET';
  inner.url = url;
  inner.headers = { ...request.headers };
  for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete inner.headers[name];
  inner.push(null);
  const captured = new Capture(inner);
  await Promise.all([handler(inner, captured), captured.ended]);
  return captured;
}

async function encode(accepted: string, body: Buffer): Promise<[string | null, Buffer]> {
  if (body.length < 1024) return [null, body];
  if (/\bbr\b/.test(accepted)) return ['br', await compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })];
  if (/\bgzip\b/.test(accepted)) return ['gzip', await compressGzip(body)];
  return [null, body];
}
