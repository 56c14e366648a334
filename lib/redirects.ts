import { sports } from '@/lib/reference/schema';
import { matchSegments, routeOf, segmentsOf } from './route-table';
import { routes } from './routes';

/** An address that has moved: a pattern, where it leads, and whether everything under it moved there too. */
export type Redirect = { from: string; to: string; below?: boolean };

const profile = '/tipster/{portfolioReference}';

/** Spec §2.3, product §2: every legacy address; each answers 301 and keeps the query. */
export const redirects: readonly Redirect[] = [
  { from: '/create-portfolio', to: '/tipster/new' },
  ...['about', 'join', 'subscription', 'manage/settings', 'manage/earnings', 'manage/results'].map((old) => ({
    from: `${profile}/${old}`,
    to: profile,
  })),
  ...['purchase-complete', 'purchase-pending', 'purchase-cancelled', 'purchase-error'].flatMap((old) =>
    ['', '/{paymentMethod}', '/{paymentMethod}/{guid}'].map((rest) => ({
      from: `${profile}/${old}${rest}`,
      to: '/dashboard/memberships',
    })),
  ),
  { from: `${profile}/manage/tips`, to: `${profile}/tips` },
  { from: `${profile}/manage/posts`, to: `${profile}/posts` },
  { from: `${profile}/manage/add-tip`, to: '/add-tips' },
  { from: '/my-tipsters', to: '/dashboard/memberships' },
  { from: '/my-portfolios', to: '/dashboard/services' },
  { from: '/following', to: '/dashboard/watchlist' },
  { from: '/unsubscribe-list/{guid}', to: '/unsubscribe/{guid}' },
  { from: '/affiliate', to: '/affiliates', below: true },
  { from: '/blog', to: '/tip-of-the-day' },
  { from: '/blog/{reference}', to: '/tip-of-the-day/{reference}' },
  { from: '/index.html', to: '/login' },
  { from: '/legal', to: '/about-us' },
  { from: '/betting-strategies/arbitrage-betting', to: '/betting-terms/what-is-arbitrage-betting' },
  { from: '/gold', to: '/dashboard' },
  ...['black-friday', 'apps', 'discover'].map((old) => ({ from: `/${old}`, to: '/' })),
  ...sports
    .filter(({ enabled }) => enabled)
    .map(({ reference }) => ({ from: `/${reference}/free`, to: `/${reference}` })),
];

const patterns = redirects.map((redirect) => ({ ...redirect, wanted: segmentsOf(redirect.from) }));

const sportReferences = new Set(sports.filter(({ enabled }) => enabled).map(({ reference }) => reference));

/** Ours (0064): the pages of a sport in another case than their own, such as /Football. */
function inLowerCase(path: string): string | null {
  const lower = path.toLowerCase();
  return lower !== path && sportReferences.has(lower.split('/', 2)[1] ?? '') ? lower : null;
}

/** Ours (0064): where the page of a sport narrowed to a league, `/{sport}?league=`, leads today, its other parameters with it; null for any other address. */
export function leagueMovedTo(path: string, search: string): string | null {
  const [, sport = '', ...more] = path.toLowerCase().split('/', 3);
  if (more.length > 0 || !sportReferences.has(sport) || !search.includes('league=')) return null;
  const given = new URLSearchParams(search);
  const [league = '', ...others] = given.getAll('league');
  if (league === '' || others.length > 0) return null;
  given.delete('league');
  return `${routes.league(sport, encodeURIComponent(league))}${given.size > 0 ? `?${given}` : ''}`;
}

/** Where a legacy address (path without query) leads today, or null when it has not moved. */
export function movedTo(path: string): string | null {
  const lower = inLowerCase(path);
  if (lower !== null) return movedTo(lower) ?? lower;
  const given = segmentsOf(path);
  for (const { wanted, to, below } of patterns) {
    const values = matchSegments(wanted, below ? given.slice(0, wanted.length) : given);
    if (values) return to.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  }
  return null;
}

/** Why a path of this site leads to no page, after the words “The link … ”: it has moved, or there is none; null when it leads to one. */
export function whyNoPage(path: string): string | null {
  const moved = movedTo(path);
  if (moved !== null) return `has moved to ${moved}; write that`;
  const isContent = contentPaths.some((section) => path.startsWith(section));
  return path === '/' || (!isContent && routeOf(path) !== null)
    ? null
    : 'leads to no page of this site; correct it or take it out';
}

// What stands in a section is known to the texts alone.
const contentPaths = ['/articles/', '/tip-of-the-day/', '/betting-', '/bet-types/', '/bookmaker-reviews/'];
