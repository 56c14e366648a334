import type { IncomingMessage, ServerResponse } from 'node:http';
import { sessionCookieName } from '@/lib/accounts/schema';
import { collectReads, dropsSoFar, onForgotten, Reads } from '@/lib/platform/cache';
import { isDatabaseAway } from '@/lib/platform/database-trouble';
import { log } from '@/lib/platform/log';
import { TaggedEntries } from '@/lib/platform/tagged-entries';
import { cachedAddress, type CachedAddress } from './cached-pages';
import type { Captured } from './capture';
import type { StoredAnswer } from './stored-answer';

type Page = {
  address: CachedAddress;
  answer: StoredAnswer;
  tags: ReadonlySet<string>;
  /** Moments on the clock of `performance.now()`: from when on it is made anew while it is still sent, and from when on it is not sent any more. */
  refreshAt: number;
  expiresAt: number;
  madeAt: number;
  hits: number;
};

/** A making under way, which those who ask meanwhile join. */
type Making = { reads: Reads; page: Promise<Page | null> };

/** Makes the whole answer of an address for a guest, and what is stored of it. */
export type GuestRender = { capture(url: string): Promise<Captured>; store(captured: Captured, url: string): Promise<StoredAnswer> };

const mostBytes = 128 * 1024 * 1024;

// What declares no reads may have forgotten to.
const undeclaredMilliseconds = 60_000;
const longestMilliseconds = 600_000;

const longestStaleMilliseconds = 3_600_000;

// Worth the smallest bytes that there can be.
const popularHits = 8;

const draftMode = '__prerender_bypass=';
const session = `${sessionCookieName}=`;

/** True for what every guest is answered alike: a document asked for without a session, without credentials, and not by the router of Next. */
export function isGuestRequest({ method, headers }: IncomingMessage): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined || headers.rsc !== undefined) return false;
  const { cookie } = headers;
  if (cookie !== undefined && (cookie.includes(session) || cookie.includes(draftMode))) return false;
  for (const name in headers) if (name.startsWith('next-')) return false;
  return true;
}

/**
 * Design §5: whole answers for guests, 200 and 404, under the tags of what was read to make them. `forget` of any of these drops an answer
 * at once; by time it is made anew while the last one is still sent, and never sent for longer than the shortest time of what it shows.
 */
export class PageCache {
  // Twice its first bytes: compressed ones are added to them later.
  readonly #pages = new TaggedEntries<Page>({ maxSize: mostBytes, sizeCalculation: ({ answer }) => 2 * answer.byteSize });
  readonly #makings = new Map<string, Making>();
  readonly #render: GuestRender;
  #improving: Promise<void> = Promise.resolve();
  /** How often a page was made. */
  renders = 0;

  constructor(render: GuestRender) {
    this.#render = render;
    onForgotten((tag) => void this.#pages.drop(tag));
  }

  /** Answers from what is kept under exactly this address, without waiting for anything; false when there is nothing to send. */
  answerKept(request: IncomingMessage, response: ServerResponse): boolean {
    const page = this.#pages.get(request.url ?? '');
    return page !== undefined && isGuestRequest(request) && this.#send(page, request, response);
  }

  /** Answers a guest's request for a page that may be kept, made now where it is not; false, with nothing sent, for every other request. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const address = isGuestRequest(request) ? cachedAddress(request.url ?? '') : null;
    if (address === null) return false;
    const kept = this.#pages.get(address.url);
    if (kept && this.#send(kept, request, response)) return true;
    if (kept && isDatabaseAway() && (await this.#sendStale(kept, request, response))) return true;
    const fresh = kept && kept.expiresAt > performance.now() ? kept : await this.#make(address);
    if (kept && fresh?.answer.status === 503 && (await this.#sendStale(kept, request, response))) return true;
    await fresh?.answer.send(request, response);
    return fresh !== null;
  }

  /** 0051: while the database does not answer, a page whose time is over is sent all the same, for an hour, and says so. */
  async #sendStale(page: Page, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const now = performance.now();
    if (now > page.expiresAt + longestStaleMilliseconds) return false;
    response.setHeader('age', String(Math.round((now - page.madeAt) / 1000)));
    response.setHeader('warning', '111 - "Revalidation Failed"');
    await page.answer.send(request, response);
    return true;
  }

  /** The stored answer of a page that takes no parameters, such as the one for what is missing. */
  async page(url: string): Promise<StoredAnswer | null> {
    const kept = this.#pages.get(url);
    if (kept && kept.expiresAt > performance.now()) return kept.answer;
    return (await this.#make({ url, onlyMissing: false }))?.answer ?? null;
  }

  #send(page: Page, request: IncomingMessage, response: ServerResponse): boolean {
    const now = performance.now();
    if (now >= page.expiresAt || !page.answer.sendNow(request, response)) return false;
    page.hits += 1;
    if (page.hits === popularHits) this.#improve(page);
    if (now >= page.refreshAt) this.#refresh(page);
    return true;
  }

  #refresh(page: Page): void {
    page.refreshAt = Number.POSITIVE_INFINITY;
    this.#make(page.address).catch((error: unknown) => log.warn({ event: 'page_not_refreshed', path: page.address.url, err: error }));
  }

  // One at a time, so that the answers under way keep the processors.
  #improve(page: Page): void {
    this.#improving = this.#improving
      .then(() => (page.expiresAt > performance.now() ? page.answer.improve() : undefined))
      .catch((error: unknown) => log.warn({ event: 'page_not_improved', err: error }));
  }

  /**
   * One making for all who ask at once; null for what is not for everybody or not for keeping, such as a redirect. Nobody gets what was read
   * before something of it was forgotten, if that was before they asked.
   */
  async #make(address: CachedAddress, askedAt = dropsSoFar()): Promise<Page | null> {
    const running = this.#makings.get(address.url);
    if (!running?.reads.isCurrent) return this.#begin(address);
    const page = await running.page;
    // It tells of some of its reads only when it has ended.
    return running.reads.isCurrentFor(askedAt) ? page : this.#make(address, askedAt);
  }

  #begin(address: CachedAddress): Promise<Page | null> {
    const reads = new Reads();
    const making = { reads, page: this.#makeNow(address, reads) };
    this.#makings.set(address.url, making);
    const end = () => {
      if (this.#makings.get(address.url) === making) this.#makings.delete(address.url);
    };
    making.page.then(end, end);
    return making.page;
  }

  async #makeNow(address: CachedAddress, reads: Reads): Promise<Page | null> {
    const { url, onlyMissing } = address;
    this.renders += 1;
    const began = performance.now();
    const captured = await collectReads(reads, () => this.#render.capture(url));
    const { status, headers } = captured;
    const isForAll = (onlyMissing ? [404, 500, 503] : [200, 404, 500, 503]).includes(status) && headers['set-cookie'] === undefined;
    if (!isForAll) return null;
    const answer = await this.#render.store(captured, url);
    const expiresAt = Math.min(reads.expiresAt, began + (reads.tags.size > 0 ? longestMilliseconds : undeclaredMilliseconds));
    const page = { address, answer, tags: reads.tags, refreshAt: (performance.now() + expiresAt) / 2, expiresAt, madeAt: began, hits: 0 };
    if (status < 500 && reads.isCurrent) this.#pages.set(url, page);
    return page;
  }
}
