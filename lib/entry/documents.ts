import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sep } from 'node:path';
import { wasTroubledSince } from '@/lib/platform/database-trouble';
import { env } from '@/lib/platform/env';
import { capture, type Captured, type Handler } from './capture';
import { compress, encodingFor, isCompressible } from './encoding';
import { type GuestRender, PageCache } from './page-cache';
import { bareContentSecurityPolicy, contentSecurityPolicy, securityHeaders } from './security-headers';
import { speculationRulesPath } from './speculation-rules';
import { type Header, StoredAnswer } from './stored-answer';

/** True for a path that every reader takes for the same: it can be decoded, names no other host, and has neither steps upwards nor control characters. */
export function isPlainPath(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.startsWith('/') && !/\/\/|\\|\p{Cc}/u.test(decoded) && !decoded.split('/').some((part) => part === '.' || part === '..');
  } catch {
    return false;
  }
}

/** True for a query without U+0000, which no text holds that was written. */
export function isPlainQuery(query: string): boolean {
  return !/%00|\0/.test(query);
}

/** The address without the parameters that hold U+0000: nobody wrote them, and no text that is stored has it. */
export function withoutNul(address: string): string {
  if (isPlainQuery(address)) return address;
  const [path = '/', ...query] = address.split('?');
  const kept = query.join('?').split('&').filter(isPlainQuery).join('&');
  return kept === '' ? path : `${path}?${kept}`;
}

/** The address with each letter, digit, hyphen, dot, underscore and tilde of its path spelled as itself: RFC 3986 §2.3 takes both spellings for one address. */
export function plainSpelling(address: string): string {
  const [path = '/', ...query] = address.split('?');
  const spelled = path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(letter) ? letter : code;
  });
  return [spelled, ...query].join('?');
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
const wordedPages: Partial<Record<number, string>> = { 404: '/_not-found', 500: '/~error', 503: '/~unavailable' };

const askAgainSeconds = '5';

const remade = new Set(['cache-control', 'connection', 'content-encoding', 'content-length', 'content-type', 'date', 'etag', 'keep-alive', 'set-cookie', 'transfer-encoding', 'vary']);

/** What `handler` answers; a failure while the database was in trouble is one of the moment. */
async function captureInTrouble(handler: Handler, url: string, headers: IncomingMessage['headers']): Promise<Captured> {
  const began = performance.now();
  const captured = await capture(handler, url, headers);
  return captured.status === 500 && wasTroubledSince(began) ? { ...captured, status: 503 } : captured;
}

const mediaTypeOf = ({ headers }: Captured) => String(headers['content-type'] ?? 'text/plain; charset=utf-8');

/** The headers that Next gave a document, with ours: what it varies by, and what it may do. */
function documentHeaders(captured: Captured, cacheControl: string): Header[] {
  const { headers, body } = captured;
  const given = Object.entries(headers).flatMap(([name, value]): Header[] => (remade.has(name) ? [] : [value].flat().map((one) => [name, one])));
  const vary = new Set([...String(headers.vary ?? '').split(/,\s*/), 'Cookie', 'Accept-Encoding'].filter(Boolean));
  const policy = mediaTypeOf(captured).startsWith('text/html') ? contentSecurityPolicy(body.toString('utf8')) : bareContentSecurityPolicy;
  return [...given, ['vary', [...vary].join(', ')], ['cache-control', cacheControl], ['content-security-policy', policy], ...securityHeaders()];
}

/** Answers requests for pages: guests from the page cache, everybody else by asking `handler`; a missing or failed page has the words of its error page, whoever asks. */
export class Documents {
  readonly #handler: Handler;
  readonly pages: PageCache;

  constructor(handler: Handler) {
    this.#handler = handler;
    this.pages = new PageCache(this.#guestRender());
  }

  /** Answers a request for a page. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isCached = env().NODE_ENV !== 'development';
    if (isCached && (await this.pages.answer(request, response))) return;
    await this.#answerAfresh(request, response);
  }

  #guestRender(): GuestRender {
    const { host } = new URL(env().siteUrl);
    return {
      // Nothing of who asks first may show in what all are sent.
      capture: (url) => captureInTrouble(this.#handler, url, { host, accept: 'text/html' }),
      store: async (captured, url) => {
        const words = url === wordedPages[captured.status] ? null : await this.#wordsOf(captured.status);
        const worded = words ?? captured;
        return new StoredAnswer({
          status: captured.status,
          mediaType: mediaTypeOf(worded),
          headers: documentHeaders(worded, captured.status >= 500 ? 'no-store' : 'public, max-age=0, must-revalidate'),
          hints: captured.status === 200 ? [['speculation-rules', `"${speculationRulesPath}"`]] : [],
          body: worded.body,
        });
      },
    };
  }

  async #wordsOf(status: number): Promise<Captured | null> {
    const url = wordedPages[status];
    const page = url === undefined ? null : await this.pages.page(url);
    return page && { status, headers: { 'content-type': page.mediaType, ...(status === 503 && { 'retry-after': askAgainSeconds }) }, body: page.body };
  }

  async #answerAfresh(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const captured = await captureInTrouble(this.#handler, request.url ?? '/', request.headers);
    const shown = (await this.#wordsOf(captured.status)) ?? captured;
    const mediaType = mediaTypeOf(shown);
    const encoding = isCompressible(mediaType, shown.body.length) ? encodingFor(request.headers['accept-encoding']) : 'identity';
    const bytes = await compress(shown.body, encoding, 4);
    for (const [name, value] of documentHeaders(shown, String(captured.headers['cache-control'] ?? 'private, no-cache'))) response.setHeader(name, value);
    if (captured.headers['set-cookie'] !== undefined) response.setHeader('set-cookie', captured.headers['set-cookie']);
    if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
    if (shown.body.length > 0) response.setHeader('content-type', mediaType);
    response.setHeader('content-length', bytes.length);
    response.statusCode = captured.status;
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }
}
