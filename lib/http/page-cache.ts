import type { IncomingMessage, ServerResponse } from 'node:http';
import { sessionCookieName } from '@/lib/accounts/schema';
import { collectReads, dropsSoFar, everything, onForgotten, Reads } from '@/lib/platform/cache';
import { forGuests } from '@/lib/platform/database-replica';
import { isDatabaseAway } from '@/lib/platform/database-trouble';
import { log } from '@/lib/platform/log';
import { type Queue, Ticket } from '@/lib/platform/queue';
import { TaggedEntries } from '@/lib/platform/tagged-entries';
import { cachedAddress, type CachedAddress, keyOf, type Wanted } from './cached-pages';
import type { Captured } from './capture';
import { noteCacheUse } from './request-end';
import type { StoredAnswer } from './stored-answer';

type Page = {
  address: CachedAddress;
  answer: StoredAnswer;
  tags: ReadonlySet<string>;
  /** Moments on the clock of `performance.now()`: from when on it is made anew while it is still sent, and from when on it is not sent any more. */
  refreshAt: number;
  expiresAt: number;
  /** Until when it is sent where it cannot be made anew. */
  staleUntil: number;
  madeAt: number;
  hits: number;
};

/** A making under way, which those who ask meanwhile join; the ticket by which it waits for its turn. */
type Making = { reads: Reads; page: Promise<Page | null>; ticket: Ticket };

/** Makes the whole answer of an address for a guest when it is its turn, and what is stored of it. */
export type GuestRender<C extends Captured> = {
  queue: Queue;
  capture(address: CachedAddress): Promise<C>;
  store(captured: C, address: CachedAddress): Promise<StoredAnswer>;
};

/** Who asks for a page: the network that the request comes from, what it wants of the page, and whether its session holds. */
export type Asking = { visitor: string; wanted: Wanted; isMember: boolean };

/** What is kept: under which address, null for what is not, and in how many bytes at most. */
export type Keeping = { addressOf: (url: string, wanted: Wanted) => CachedAddress | null; mostBytes: number };

const pages: Keeping = { addressOf: cachedAddress, mostBytes: 128 * 1024 * 1024 };

// What declares no reads may have forgotten to.
const undeclaredMilliseconds = 60_000;
const longestMilliseconds = 600_000;

const longestStaleMilliseconds = 3_600_000;

// 0058: what was forgotten may have been taken back.
const forgottenMilliseconds = 60_000;

// Worth the smallest bytes that there can be.
const popularHits = 8;

const session = `${sessionCookieName}=`;

// What the program itself asks for stands in a line of its own.
const program = '';

const wantedBy = ({ headers }: IncomingMessage): Wanted => (headers.rsc === '1' ? 'data' : 'document');

/**
 * Design §5: whole answers for guests, 200 and 404, under the tags of what was read to make them. `forget` of any of these drops an answer
 * at once; by time it is made anew while the last one is still sent, and never sent for longer than the shortest time of what it shows. Where the
 * database does not answer, the last one is sent for a while after that.
 */
export class PageCache<C extends Captured> {
  readonly #pages: TaggedEntries<Page>;
  readonly #addressOf: Keeping['addressOf'];
  readonly #makings = new Map<string, Making>();
  readonly #render: GuestRender<C>;
  #improving: Promise<void> = Promise.resolve();
  /** How often a page was made. */
  renders = 0;

  /** How many pages are kept, and in how many bytes. */
  get kept(): { entries: number; size: number } {
    return this.#pages.load;
  }

  constructor(render: GuestRender<C>, { addressOf, mostBytes }: Keeping = pages) {
    this.#render = render;
    this.#addressOf = addressOf;
    // Twice its first bytes: compressed ones are added to them later.
    this.#pages = new TaggedEntries({ maxSize: mostBytes, sizeCalculation: ({ answer }) => 2 * answer.byteSize });
    onForgotten((tag) => (tag === null || tag === everything ? this.#pages.clear() : this.#outdate(tag)));
  }

  #outdate(tag: string): void {
    const now = performance.now();
    for (const page of this.#pages.with(tag)) Object.assign(page, outdated(page, now));
  }

  /** Answers from what is kept under exactly this address, without waiting for anything; false when there is nothing to send, or when that depends on who asks. */
  answerKept(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request;
    const page = this.#pages.get(keyOf(url, wantedBy(request)));
    if (page === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
    return !(isMissingToGuests(page) && headers.cookie?.includes(session)) && this.#send(page, request, response);
  }

  /** Answers a request for a page that may be kept, made now where it is not; false, with nothing sent, for every other request. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    { visitor, wanted, isMember }: Asking,
  ): Promise<boolean> {
    const address = this.#addressOf(request.url ?? '', wanted);
    if (address === null) return false;
    const kept = this.#pages.get(address.key);
    const isFor = (page: Page) => !(isMember && isMissingToGuests(page));
    if (kept && isFor(kept) && this.#send(kept, request, response)) return true;
    if (kept && isFor(kept) && isDatabaseAway() && (await this.#sendStale(kept, request, response))) return true;
    const isGood = kept !== undefined && kept.expiresAt > performance.now();
    const page = isGood ? kept : await this.#make(address, visitor);
    if (page === null || !isFor(page)) return false;
    if (kept && isFor(kept) && page.answer.status === 503 && (await this.#sendStale(kept, request, response)))
      return true;
    noteCacheUse(response, isGood ? 'hit' : 'miss');
    await page.answer.send(request, response);
    return true;
  }

  /** 0051, 0058: while the database does not answer, a page whose time is over is sent all the same, for an hour, one that was forgotten for a minute, and says so. */
  async #sendStale(page: Page, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const now = performance.now();
    if (now > page.staleUntil) return false;
    noteCacheUse(response, 'hit');
    response.setHeader('age', String(Math.round((now - page.madeAt) / 1000)));
    response.setHeader('warning', '111 - "Revalidation Failed"');
    await page.answer.send(request, response);
    return true;
  }

  /** The stored answer of a page that takes no parameters, such as the one for what is missing, which waits for no turn. */
  async page(url: string): Promise<StoredAnswer | null> {
    const kept = this.#pages.get(url);
    if (kept && kept.expiresAt > performance.now()) return kept.answer;
    return (
      (await this.#make({ url, wanted: 'document', key: url, onlyMissing: false, mayBeOwn: false }, null))?.answer ??
      null
    );
  }

  #send(page: Page, request: IncomingMessage, response: ServerResponse): boolean {
    const now = performance.now();
    if (now >= page.expiresAt || !page.answer.sendNow(request, response)) return false;
    noteCacheUse(response, 'hit');
    page.hits += 1;
    if (page.hits === popularHits) this.#improve(page);
    if (now >= page.refreshAt) this.#refresh(page);
    return true;
  }

  #refresh(page: Page): void {
    page.refreshAt = Number.POSITIVE_INFINITY;
    this.#make(page.address, program).catch((error: unknown) =>
      log.warn({ event: 'page_not_refreshed', path: page.address.url, err: error }),
    );
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
  async #make(address: CachedAddress, visitor: string | null, askedAt = dropsSoFar()): Promise<Page | null> {
    const running = this.#makings.get(address.key);
    if (!running?.reads.isCurrent) return this.#begin(address, visitor);
    if (visitor !== null) this.#render.queue.join(visitor, running.ticket);
    const page = await running.page;
    // It tells of some of its reads only when it has ended.
    return running.reads.isCurrentFor(askedAt) ? page : this.#make(address, visitor, askedAt);
  }

  #begin(address: CachedAddress, visitor: string | null): Promise<Page | null> {
    const reads = new Reads();
    const ticket = new Ticket();
    const making = { reads, ticket, page: this.#makeNow(address, reads, { visitor, ticket }) };
    this.#makings.set(address.key, making);
    const end = () => {
      if (this.#makings.get(address.key) === making) this.#makings.delete(address.key);
    };
    making.page.then(end, end);
    return making.page;
  }

  async #makeNow(
    address: CachedAddress,
    reads: Reads,
    { visitor, ticket }: { visitor: string | null; ticket: Ticket },
  ): Promise<Page | null> {
    let began = 0;
    const capture = () => {
      this.renders += 1;
      began = performance.now();
      return forGuests(() => collectReads(reads, () => this.#render.capture(address)));
    };
    const captured = visitor === null ? await capture() : await this.#render.queue.run(capture, visitor, ticket);
    const { status, headers } = captured;
    const isForAll =
      (address.onlyMissing ? [404, 500, 503] : [200, 404, 500, 503]).includes(status) &&
      headers['set-cookie'] === undefined;
    if (!isForAll) return null;
    const answer = await this.#render.store(captured, address);
    const expiresAt = Math.min(
      reads.expiresAt,
      began + (reads.tags.size > 0 ? longestMilliseconds : undeclaredMilliseconds),
    );
    const page = {
      address,
      answer,
      tags: reads.tags,
      refreshAt: (performance.now() + expiresAt) / 2,
      expiresAt,
      staleUntil: expiresAt + longestStaleMilliseconds,
      madeAt: began,
      hits: 0,
    };
    if (status < 500) this.#keep(page, reads);
    return page;
  }

  /** What was forgotten while it was made is kept for an outage alone, and not in the place of what is newer. */
  #keep(page: Page, reads: Reads): void {
    const now = performance.now();
    const kept = this.#pages.get(page.address.key);
    if (!reads.isCurrent && kept && (kept.expiresAt > now || kept.madeAt > page.madeAt)) return;
    this.#pages.set(page.address.key, reads.isCurrent ? page : outdated(page, now));
  }
}

const outdated = (page: Page, now: number): Page => ({
  ...page,
  expiresAt: Math.min(page.expiresAt, now),
  staleUntil: Math.min(page.staleUntil, now + forgottenMilliseconds),
});

const isMissingToGuests = ({ address, answer }: Page) => address.mayBeOwn && answer.status === 404;
