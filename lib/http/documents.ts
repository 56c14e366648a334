import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sep } from 'node:path';
import { formCookieName, memberCookieName, sessionCookieName } from '@/lib/accounts/schema';
import { env } from '@/lib/platform/env';
import { Queue, Ticket } from '@/lib/platform/queue';
import { networkOf } from '@/lib/platform/rate-limit';
import { withoutRouterParameter } from './address';
import { isNowhere, type Wanted } from './cached-pages';
import type { Handler } from './capture';
import { compress, encodingFor, isCompressible } from './encoding';
import { KnownSessions } from './known-sessions';
import { ownReferer } from './own-referer';
import { type GuestRender, PageCache } from './page-cache';
import { mediaTypeOf, type Page, PageMaker } from './page-maker';
import { refuseBusy, retrySeconds } from './refusal';
import { noteCacheUse } from './request-end';
import { bareContentSecurityPolicy, contentSecurityPolicy, securityHeaders } from './security-headers';
import { type Header, StoredAnswer } from './stored-answer';
import { failedPagePath, missingPagePath, wordedPages } from './worded-pages';

const publicFiles = new Set(
  readdirSync('public', { recursive: true, encoding: 'utf8' }).map((name) => `/${name.split(sep).join('/')}`),
);

// The record of a portfolio is a file under the portfolio's address, sent as it is read and never captured whole.
const notDocuments = /^\/(?:_next|api)\/|^\/portfolio\/[^/]+\/ledger$/;

/** What of a page a request wants, there or missing; null for a call, a file and whatever else is no page. */
export function wantedOfPage({ method, url = '/', headers }: IncomingMessage): Wanted | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const [path = ''] = url.split('?', 1);
  if (notDocuments.test(path) || publicFiles.has(path)) return null;
  return headers.rsc === '1' ? 'data' : 'document';
}

const remade = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'etag',
  'keep-alive',
  'set-cookie',
  'transfer-encoding',
  'vary',
]);

/** The headers that Next gave a page, with ours: what it varies by, and what it may do. */
function pageHeaders(page: Page, cacheControl: string): Header[] {
  const { headers, hashes, lastEventId } = page;
  const given = Object.entries(headers).flatMap(([name, value]): Header[] =>
    remade.has(name) ? [] : [value].flat().map((one) => [name, one]),
  );
  const vary = new Set([...String(headers.vary ?? '').split(/,\s*/), 'Cookie', 'Accept-Encoding'].filter(Boolean));
  const policy = mediaTypeOf(page).startsWith('text/html') ? contentSecurityPolicy(hashes) : bareContentSecurityPolicy;
  return [
    ...given,
    ['vary', [...vary].join(', ')],
    ['cache-control', cacheControl],
    ['content-security-policy', policy],
    // The one header of a page that its scripts can read.
    ...(lastEventId === undefined ? [] : [['server-timing', `live;desc="${lastEventId}"`] as const]),
    ...securityHeaders(),
  ];
}

const failed: Page = { status: 500, headers: {}, body: Buffer.alloc(0), hashes: [] };

/** Ours (0049, 0059): how many pages are made at once, how many wait for that, of them how many of one network, and for how long. */
export const renderLimits = { atOnce: 2, waiting: 160, perLine: 24, waitMilliseconds: 5_000 } as const;

const busy = 'Too many pages are being made at the moment. Try again in a few seconds.';

// What a page may read of whoever asks for it.
const readCookies = [sessionCookieName, formCookieName];

/** The page of ours that the visitor comes from, by the name that we go by. */
function refererOf({ headers }: IncomingMessage): string | null {
  const from = ownReferer(headers);
  return from && `${env().siteUrl}${from.pathname}${from.search}`;
}

/**
 * Answers requests for pages, by asking `handler` with requests of its own, in which nothing stands that no page reads: what is the same
 * for all from the page cache, the rest anew, and never many at once; a missing or failed page has the words of its error page, whoever asks.
 */
export class Documents {
  readonly #maker: PageMaker;
  readonly #sessions = new KnownSessions();
  readonly #hashes = new WeakMap<StoredAnswer, readonly string[]>();
  readonly queue = new Queue(renderLimits, busy);
  readonly pages: PageCache<Page>;

  /** `built` is the folder of the build, null where there is none because the site is being developed; `lastEventId` gives the id of the last event that streams were sent. */
  constructor(handler: Handler, built: string | null, lastEventId: (() => string) | null) {
    this.#maker = new PageMaker(handler, built, lastEventId);
    this.pages = new PageCache(this.#guestRender());
  }

  /** Answers a request for a page, or for its data; `visitor` is the address that it comes from. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    { visitor: address, wanted }: { visitor: string; wanted: Wanted },
  ): Promise<void> {
    const visitor = networkOf(address);
    try {
      if (env().NODE_ENV === 'development')
        return await this.#send(
          await this.#worded(await this.#maker.capture(request.url ?? '/', request.headers), wanted),
          request,
          response,
        );
      if (wanted === 'document' && (await this.#answerNowhere(request, response))) return;
      if (wanted === 'data') request.url = withoutRouterParameter(request.url ?? '/');
      const cookies = await this.#cookiesOf(request);
      if (await this.pages.answer(request, response, { visitor, wanted, isMember: cookies.has(sessionCookieName) }))
        return;
      await this.#answerAfresh(request, response, { visitor, wanted, cookies });
    } catch (error) {
      refuseBusy(response, error);
    }
  }

  #guestRender(): GuestRender<Page> {
    return {
      queue: this.queue,
      // Nothing of who asks first may show in what all are sent.
      capture: ({ url, wanted }) => this.#maker.captureOwn(url, wanted),
      store: async (captured, { url, wanted }) => {
        const shown = url === wordedPages[captured.status] ? captured : await this.#worded(captured, wanted);
        const answer = new StoredAnswer({
          status: shown.status,
          mediaType: mediaTypeOf(shown),
          headers: pageHeaders(shown, shown.status >= 500 ? 'no-store' : 'public, max-age=0, must-revalidate'),
          body: shown.body,
        });
        this.#hashes.set(answer, shown.hashes);
        return answer;
      },
    };
  }

  async #worded(page: Page, wanted: Wanted): Promise<Page> {
    const url = wanted === 'data' ? undefined : wordedPages[page.status];
    const words = url === undefined ? null : await this.pages.page(url);
    return words
      ? {
          status: page.status,
          headers: {
            'content-type': words.mediaType,
            ...(page.status >= 500 && { 'cache-control': 'no-store' }),
            ...(page.status === 503 && { 'retry-after': String(retrySeconds) }),
          },
          body: words.body,
          hashes: this.#hashes.get(words) ?? [],
        }
      : page;
  }

  async #cookiesOf({ headers }: IncomingMessage): Promise<Map<string, string>> {
    const cookies = new Map<string, string>();
    let isMarked = false;
    for (const pair of (headers.cookie ?? '').split(';')) {
      const [name = '', value = ''] = pair.trim().split('=', 2);
      if (readCookies.includes(name) && value !== '') cookies.set(name, value);
      if (name === memberCookieName && value === '1') isMarked = true;
    }
    const session = cookies.get(sessionCookieName);
    // 0118: a browser that was signed out of without a connection has taken the mark away, and cannot the session.
    if (session !== undefined && !(isMarked && (await this.#sessions.holds(session))))
      cookies.delete(sessionCookieName);
    return cookies;
  }

  /** Sends the words for what is missing at once where there is nothing, as the addresses that somebody may invent are without number, and those for a fault where they have their address; false elsewhere. */
  async #answerNowhere(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    if (path === failedPagePath) {
      await this.#send(await this.#worded(failed, 'document'), request, response);
      return true;
    }
    const words = path === missingPagePath || isNowhere(path) ? await this.pages.page(missingPagePath) : null;
    if (words?.status !== 404) return false;
    noteCacheUse(response, 'hit');
    await words.send(request, response);
    return true;
  }

  async #answerAfresh(
    request: IncomingMessage,
    response: ServerResponse,
    { visitor, wanted, cookies }: { visitor: string; wanted: Wanted; cookies: ReadonlyMap<string, string> },
  ): Promise<void> {
    const ticket = new Ticket();
    response.once('close', () => this.queue.abandon(ticket));
    const asker = { cookies, referer: refererOf(request) };
    const capturePage = () => this.#maker.captureOwn(request.url ?? '/', wanted, asker);
    const page = await this.queue.run(capturePage, visitor, ticket);
    const shown = await this.#worded(page, wanted);
    await this.#send(shown, request, response);
  }

  async #send(page: Page, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const mediaType = mediaTypeOf(page);
    const encoding = isCompressible(mediaType, page.body.length)
      ? encodingFor(request.headers['accept-encoding'])
      : 'identity';
    const bytes = await compress(page.body, encoding, 4);
    for (const [name, value] of pageHeaders(page, String(page.headers['cache-control'] ?? 'private, no-cache')))
      response.setHeader(name, value);
    if (page.headers['set-cookie'] !== undefined) response.setHeader('set-cookie', page.headers['set-cookie']);
    if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
    if (page.body.length > 0) response.setHeader('content-type', mediaType);
    response.setHeader('content-length', bytes.length);
    response.statusCode = page.status;
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }
}
