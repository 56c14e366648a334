import { LRUCache } from 'lru-cache';
import { now } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { viewerOfCookie } from './viewer-identity';

// Ours (0049): whoever signs out or in anew has another cookie, so what is known of one may be a little old.
const keptMilliseconds = 10_000;
const most = 10_000;

const written = /^[\w-]{43}$/;

const read = async (cookie: string): Promise<boolean> => {
  try {
    return (await viewerOfCookie(cookie, now())).kind === 'member';
  } catch (error) {
    // The page that reads it again says what is wrong.
    log.warn({ event: 'session_unread', err: error });
    return true;
  }
};

/** Tells the session cookies of members from any others, each read once in a while. */
export class KnownSessions {
  readonly #known = new LRUCache<string, Promise<boolean>>({ max: most, ttl: keptMilliseconds });

  /** True for a cookie by which somebody is signed in; it lets nobody in, which is for the pages to see to. */
  async holds(cookie: string): Promise<boolean> {
    if (!written.test(cookie)) return false;
    const known = this.#known.get(cookie) ?? read(cookie);
    this.#known.set(cookie, known, { noUpdateTTL: true });
    return known;
  }
}
