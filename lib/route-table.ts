import { sections } from '@/lib/content/schema';
import { sports } from '@/lib/reference/schema';
import { staffDetailPaths, staffEntryPath, staffPages } from '@/lib/staff/schema';

/** Spec §2.1: what stands around a page. */
export type Shell = {
  header: 'none' | 'main' | 'add-tips' | 'dark';
  sidebar: 'none' | 'main' | 'admin' | 'super-admin';
  footer: 'none' | 'main';
  /** True where advertising may be shown. */
  ads: boolean;
  /** True where pointing at a link to the page may fetch it ahead. */
  preload: boolean;
};

/**
 * Who a page is for: everybody; whoever is signed in; the owner of its portfolio, and 404 for others; staff, and the dashboard for others.
 */
export type RouteAccess = 'public' | 'member' | 'owner' | 'staff';

/**
 * A row of spec §2.3: a pattern of whole segments, `{name}` standing for any one, with its shell and who it is for. `kept` names the parameters
 * that a page reads which is the same for everybody and so is kept, in the order in which links write them; null for one that is made for each request.
 */
export type Route = { path: string; shell: Shell; access: RouteAccess; kept: readonly string[] | null };

const main: Shell = { header: 'main', sidebar: 'main', footer: 'main', ads: false, preload: true };
const withAds: Shell = { ...main, ads: true };
const own: Shell = { ...main, preload: false };
const bare: Shell = { header: 'none', sidebar: 'none', footer: 'none', ads: false, preload: false };
const addTips: Shell = { ...own, header: 'add-tips', footer: 'none' };
const dark: Shell = { ...main, header: 'dark' };
const admin: Shell = { ...own, sidebar: 'admin', footer: 'none' };

const rows = (shell: Shell, access: RouteAccess, ...paths: string[]): Route[] =>
  paths.map((path) => ({ path, shell, access, kept: null }));

const kept = (shell: Shell, parameters: readonly string[], ...paths: string[]): Route[] =>
  rows(shell, 'public', ...paths).map((route) => ({ ...route, kept: parameters }));

/** Spec §3: what the comparison of tipsters is filtered by. */
export const comparisonParameters = [
  'sportId',
  'profit',
  'roi',
  'tips',
  'minOdds',
  'maxOdds',
  'portfolioType',
  'order',
  'period',
  'page',
  'followerRoi',
  'stillThere',
  'maxPrice',
  'direction',
  'filterType',
] as const;

/** Parameters that may be given several times, as a form sends what is ticked: their values are a list. */
export const listParameters: readonly string[] = ['with'];

const legal = [
  'terms-and-conditions',
  'tipster-terms-and-conditions',
  'privacy-policy',
  'licences',
  'alerts-licences',
  'about-us',
  'contact-us',
  'safer-gambling',
];

/** Spec §2.3: every page of the site. The first row whose pattern fits an address is its row. */
export const routeTable: readonly Route[] = [
  ...kept(withAds, [], '/'),
  ...kept(withAds, comparisonParameters, '/tipster'),
  ...kept(withAds, [], '/fixture'),
  ...kept(withAds, ['odds', 'history', 'tips'], '/fixture/{fixtureReference}'),
  ...rows(own, 'public', '/tipster/new'),
  ...kept(withAds, ['with', 'period'], '/tipster/compare'),
  ...kept(withAds, ['period'], '/tipster/{portfolioReference}', '/tipster/{portfolioReference}/stats'),
  ...kept(withAds, ['skip'], ...['results', 'tips', 'posts'].map((page) => `/tipster/{portfolioReference}/${page}`)),
  ...kept(withAds, [], '/tipster/{portfolioReference}/tips/{tipReference}'),
  ...rows(
    own,
    'owner',
    '/tipster/{portfolioReference}/posts/add-post',
    '/tipster/{portfolioReference}/posts/{postReference}/edit',
  ),
  ...kept(withAds, [], '/tipster/{portfolioReference}/posts/{postReference}'),
  ...rows(own, 'owner', ...['earnings', 'autobets', 'manage'].map((page) => `/tipster/{portfolioReference}/${page}`)),
  ...rows(addTips, 'public', '/add-tips', '/add-tips/{sportOrFixtureReference}'),
  ...rows(own, 'public', '/login', '/register', '/forgotten-password'),
  ...rows(bare, 'public', '/register/verify'),
  ...rows(
    own,
    'member',
    '/dashboard',
    ...['memberships', 'services', 'watchlist', 'bets', 'autobets', 'notifications', 'settings'].map(
      (page) => `/dashboard/${page}`,
    ),
    '/dashboard/reading/{portfolioReference}/posts/{postReference}',
    '/dashboard/reading/{portfolioReference}/tips/{tipReference}',
    '/dashboard/checkout',
    '/dashboard/checkout/{portfolioReference}',
    '/dashboard/orders/{order}',
    '/dashboard/sandbox/{payment}',
    '/dashboard/receipts/{number}',
  ),
  ...rows(own, 'member', '/affiliates/dashboard'),
  ...rows(own, 'public', '/unsubscribe', '/unsubscribe/{guid}'),
  ...kept(main, [], '/affiliates', ...legal.map((page) => `/${page}`)),
  // A glossary is one page.
  ...Object.keys(sections).flatMap((section) => [
    ...kept(withAds, section === 'betting-terms' ? [] : ['skip'], `/${section}`),
    ...kept(withAds, [], `/${section}/{reference}`),
  ]),
  ...kept(main, [], '/apps/alerts'),
  ...kept(main, ['tip'], '/ledger'),
  ...rows(own, 'public', '/search'),
  ...kept(dark, [], '/pro'),
  ...rows(admin, 'staff', ...staffPages.map(({ path }) => path), ...staffDetailPaths, staffEntryPath),
  ...sports
    .filter(({ enabled }) => enabled)
    .flatMap(({ reference }) => [
      ...kept(withAds, ['days', 'before', 'skip'], `/${reference}`, `/${reference}/league/{leagueReference}`),
      ...kept(withAds, ['before'], `/${reference}/team/{participantReference}`),
    ]),
];

/** The segments of a path: what stands between its slashes. */
export const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** What `matchPath` says, of a pattern and an address that are split already. */
export function matchSegments(wanted: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith('{')) values[segment.slice(1, -1)] = value;
    else if (segment !== value) return null;
  }
  return values;
}

/** The values of a pattern's parameters in an address, or null when the address is not of the pattern. Both are compared by whole segments. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  return matchSegments(segmentsOf(pattern), segmentsOf(path));
}

const patterns = routeTable.map((route) => ({ route, wanted: segmentsOf(route.path) }));

/** The row of an address without its query, or null when the site has no such page. */
export function routeOf(path: string): Route | null {
  const given = segmentsOf(path);
  return patterns.find(({ wanted }) => matchSegments(wanted, given) !== null)?.route ?? null;
}

/** Spec §2.4: the segments that make an address one for whoever is signed in. */
export const protectedSegments: readonly string[] = ['admin', 'manage', 'dashboard', 'earnings', 'add-post', 'edit'];

/**
 * Spec §2.4, product §2: true where an unauthorised visitor is sent to sign in and back; `/affiliates` itself is open, what lies under it is not.
 * A page for everybody never is, though a reference in its address be one of those words.
 */
export function isProtectedPath(path: string): boolean {
  const segments = segmentsOf(path);
  // A call answers who may not make it itself, and takes the bearer, not the cookie.
  if (segments[0] === 'api' || routeOf(path)?.access === 'public') return false;
  return (
    segments.some((segment) => protectedSegments.includes(segment)) ||
    (segments[0] === 'affiliates' && segments.length > 1)
  );
}

/** Spec §2.4: where an unauthorised visitor of an address (path and query) is sent: to sign in and back, or to the dashboard. */
export function unauthorisedTarget(address: string): string {
  const [path = '/'] = address.split('?');
  return isProtectedPath(path) ? `/login?redirect_to=${encodeURIComponent(address)}` : '/dashboard';
}
