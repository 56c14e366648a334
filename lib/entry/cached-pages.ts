import { sections } from '@/lib/content/schema/sections';
import { movedTo } from '@/lib/redirects';
import { isProtectedPath, routeOf } from '@/lib/route-table';
import { sports } from '@/lib/reference/schema/sports';
import { comparisonFilterSchema } from '@/lib/stats/schema/comparison';

const profile = '/tipster/{portfolioReference}';

const lonePages = ['about-us', 'affiliates', 'alerts-licences', 'apps/alerts', 'contact-us', 'licences', 'privacy-policy', 'pro', 'terms-and-conditions', 'tipster-terms-and-conditions'];

const alike = (paths: readonly string[], parameters: readonly string[]) => Object.fromEntries(paths.map((path) => [`/${path}`, parameters]));

/**
 * The pages that are kept for guests, by their patterns in the route table, each with the parameters that it reads, in the order in which
 * links write them. Every other parameter is dropped before the page is asked for; a page that is not here is made for each request.
 */
export const cachedPages: Readonly<Record<string, readonly string[]>> = {
  '/': [],
  '/fixture': [],
  '/fixture/{fixtureReference}': ['odds', 'history'],
  '/tipster': Object.keys(comparisonFilterSchema.shape),
  [profile]: ['period'],
  [`${profile}/stats`]: ['period'],
  [`${profile}/results`]: ['skip'],
  [`${profile}/tips`]: ['skip'],
  [`${profile}/posts`]: ['skip'],
  [`${profile}/tips/{tipReference}`]: [],
  [`${profile}/posts/{postReference}`]: [],
  '/ledger': ['tip'],
  ...alike(sports.filter(({ enabled }) => enabled).map(({ reference }) => reference), ['league', 'days', 'before']),
  ...alike(Object.keys(sections), ['skip']),
  // A glossary is one page.
  '/betting-terms': [],
  ...alike(Object.keys(sections).map((section) => `${section}/{reference}`), []),
  ...alike(lonePages, []),
};

/** The address that a page is kept under and asked for by; `onlyMissing` where it is kept only when there is no such page. */
export type CachedAddress = { url: string; onlyMissing: boolean };

const plain = /^\/(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/;
const longestAddress = 400;

/** The one address of all spellings that lead to the same page for a guest, or null for what is never kept. */
export function cachedAddress(url: string): CachedAddress | null {
  const [path = '', search = ''] = url.split('?', 2);
  if (path.length > longestAddress || !plain.test(path)) return null;
  const route = routeOf(path);
  if (route === null) {
    const mayBeMissing = !url.includes('?') && movedTo(path) === null && !isProtectedPath(path);
    return mayBeMissing ? { url: path, onlyMissing: true } : null;
  }
  const names = route.access === 'public' ? cachedPages[route.path] : undefined;
  if (names === undefined) return null;
  const query = search === '' || names.length === 0 ? '' : canonicalQuery(names, new URLSearchParams(search));
  const address = query === '' ? path : `${path}?${query}`;
  return address.length > longestAddress ? null : { url: address, onlyMissing: false };
}

// Pages take a parameter that is empty or given twice for none.
function canonicalQuery(names: readonly string[], given: URLSearchParams): string {
  const values = names.flatMap((name) => {
    const all = given.getAll(name);
    const [value = ''] = all;
    return all.length === 1 && value !== '' ? [[name, value]] : [];
  });
  return new URLSearchParams(values).toString();
}
