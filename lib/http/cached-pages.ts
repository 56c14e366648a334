import { leagueMovedTo, movedTo } from '@/lib/redirects';
import { isProtectedPath, listParameters, routeOf } from '@/lib/route-table';

const profile = '/tipster/{portfolioReference}';

/** What a request for a page wants of it: the document, or its data for the router of Next. */
export type Wanted = 'document' | 'data';

/**
 * What a page is asked for by and kept under, as `key`; `onlyMissing` where it is kept only when there is no such page, and `mayBeOwn`
 * where a member may have a page of their own at an address at which there is none for guests.
 */
export type CachedAddress = { url: string; wanted: Wanted; key: string; onlyMissing: boolean; mayBeOwn: boolean };

const plain = /^\/(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/;
const longestAddress = 400;

/** The key of an address that is spelled as pages are kept. */
export function keyOf(url: string, wanted: Wanted): string {
  return wanted === 'data' ? `data:${url}` : url;
}

// Pages and files of the program that are of no part of the site.
const unlisted = new Set([
  '/_not-found',
  '/~error',
  '/~offline',
  '/~unavailable',
  '/outbox',
  '/gallery',
  '/manifest.webmanifest',
]);

/** True for a path at which there is nothing, whoever asks: neither a page, nor one that was there, nor the way to sign in. */
export function isNowhere(path: string): boolean {
  return routeOf(path) === null && movedTo(path) === null && !isProtectedPath(path) && !unlisted.has(path);
}

/** The one address of all spellings that lead to the same page for a guest, or null for what is never kept. */
export function cachedAddress(url: string, wanted: Wanted = 'document'): CachedAddress | null {
  const [path = '', search = ''] = url.split('?', 2);
  if (path.length > longestAddress || !plain.test(path)) return null;
  const route = routeOf(path);
  if (route === null) {
    // What there is not, there is not under any parameter.
    return isNowhere(path) ? { url: path, wanted, key: keyOf(path, wanted), onlyMissing: true, mayBeOwn: false } : null;
  }
  const names = route.kept;
  if (names === null || leagueMovedTo(path, search) !== null) return null;
  const query = search === '' || names.length === 0 ? '' : canonicalQuery(names, new URLSearchParams(search));
  const address = query === '' ? path : `${path}?${query}`;
  return address.length > longestAddress
    ? null
    : {
        url: address,
        wanted,
        key: keyOf(address, wanted),
        onlyMissing: false,
        mayBeOwn: route.path.startsWith(profile),
      };
}

// Pages take a parameter that is empty or given twice for none, a list for one.
function canonicalQuery(names: readonly string[], given: URLSearchParams): string {
  const values = names.flatMap((name) => {
    const all = given.getAll(name);
    const value = all.join(',');
    return (all.length === 1 || listParameters.includes(name)) && value !== '' ? [[name, value]] : [];
  });
  return new URLSearchParams(values).toString();
}
