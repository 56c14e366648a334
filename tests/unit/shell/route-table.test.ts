import fc from 'fast-check';
import { sports } from '@/lib/reference/schema';
import { leagueMovedTo, movedTo, redirects } from '@/lib/redirects';
import { isProtectedPath, matchPath, routeOf, routeTable, unauthorisedTarget } from '@/lib/route-table';
import { legacyAddresses } from '../../support/legacy-addresses';

const enabled = sports.filter((sport) => sport.enabled).map(({ reference }) => reference);

describe('the route table', () => {
  it.each([
    '/',
    '/tipster',
    '/tipster/new',
    '/tipster/ann',
    '/tipster/ann/stats',
    '/tipster/ann/results',
    '/tipster/ann/tips',
    '/tipster/ann/posts',
    '/tipster/ann/tips/abcdefghij',
    '/tipster/ann/posts/abcdefghij',
    '/tipster/ann/posts/add-post',
    '/tipster/ann/posts/abcdefghij/edit',
    '/tipster/ann/earnings',
    '/tipster/ann/autobets',
    '/tipster/ann/manage',
    '/add-tips',
    '/add-tips/football',
    '/fixture',
    '/fixture/a-v-b',
    '/login',
    '/register',
    '/register/verify',
    '/forgotten-password',
    '/dashboard',
    '/dashboard/memberships',
    '/dashboard/services',
    '/dashboard/watchlist',
    '/dashboard/notifications',
    '/dashboard/settings',
    '/unsubscribe',
    '/unsubscribe/guid',
    '/affiliates',
    '/articles',
    '/articles/one',
    '/tip-of-the-day',
    '/tip-of-the-day/one',
    '/terms-and-conditions',
    '/tipster-terms-and-conditions',
    '/privacy-policy',
    '/licences',
    '/alerts-licences',
    '/contact-us',
    '/safer-gambling',
    '/about-us',
    '/bookmaker-reviews',
    '/bookmaker-reviews/one',
    '/betting-guides',
    '/betting-guides/one',
    '/betting-scams',
    '/betting-scams/one',
    '/betting-terms',
    '/betting-terms/one',
    '/betting-strategies',
    '/betting-strategies/one',
    '/bet-types',
    '/bet-types/one',
    '/apps/alerts',
    '/pro',
    '/affiliates/dashboard',
    '/dashboard/checkout',
    '/admin',
    ...enabled.flatMap((sport) => [`/${sport}`, `/${sport}/league/one`, `/${sport}/team/one`]),
  ])('has the row of %s', (path) => {
    expect(routeOf(path)).not.toBeNull();
  });

  it.each([
    '/australian-rules',
    '/no-such-page',
    '/tipster/ann/about',
    '/dashboard/none',
    '/football/free',
    '/a/b/c/d/e',
  ])('has no row for %s', (path) => {
    expect(routeOf(path)).toBeNull();
  });

  it('names each pattern once', () => {
    expect(new Set(routeTable.map(({ path }) => path)).size).toBe(routeTable.length);
  });

  it.each([
    ['/', 'main', 'main', 'main'],
    ['/register/verify', 'none', 'none', 'none'],
    ['/add-tips', 'add-tips', 'main', 'none'],
    ['/pro', 'dark', 'main', 'main'],
    ['/admin', 'main', 'admin', 'none'],
  ])('gives %s the header %s, the sidebar %s and the footer %s', (path, header, sidebar, footer) => {
    expect(routeOf(path)?.shell).toMatchObject({ header, sidebar, footer });
  });

  it('shows advertising only where everybody reads', () => {
    expect(routeTable.filter(({ shell, access }) => shell.ads && access !== 'public')).toEqual([]);
    expect(
      ['/login', '/register', '/dashboard', '/add-tips', '/admin', '/privacy-policy'].filter(
        (path) => routeOf(path)?.shell.ads,
      ),
    ).toEqual([]);
  });

  it('asks of every private page that the guard or the middleware knows it', () => {
    const unguarded = routeTable
      .filter(({ path, access }) => access !== 'public' && !isProtectedPath(path))
      .map(({ path }) => path);
    expect(unguarded).toEqual(['/tipster/{portfolioReference}/autobets']);
  });

  it('tells a new post from a post of that name', () => {
    expect(routeOf('/tipster/ann/posts/add-post')?.access).toBe('owner');
    expect(routeOf('/tipster/ann/posts/other')?.access).toBe('public');
    expect(routeOf('/tipster/new')?.path).toBe('/tipster/new');
  });
});

describe('a pattern', () => {
  it('gives its parameters by name', () => {
    expect(matchPath('/tipster/{portfolioReference}/tips/{tipReference}', '/tipster/ann/tips/x1')).toEqual({
      portfolioReference: 'ann',
      tipReference: 'x1',
    });
    expect(matchPath('/tipster/{portfolioReference}', '/tipster')).toBeNull();
    expect(matchPath('/tipster', '/tipsters')).toBeNull();
  });
});

describe('a protected path', () => {
  it.each([
    '/admin',
    '/admin/users',
    '/dashboard',
    '/dashboard/settings',
    '/tipster/x/manage',
    '/tipster/x/earnings',
    '/tipster/x/edit',
    '/tipster/x/posts/add-post',
    '/tipster/x/posts/y/edit',
    '/affiliates/anything',
    '/manage',
    '/edit',
    '/add-post',
    '/earnings',
    '/dashboard/',
    '/tipster/edit/earnings',
    '/tipster/earnings/posts/add-post',
  ])('is %s', (path) => {
    expect(isProtectedPath(path)).toBe(true);
  });

  it.each([
    '/',
    '/affiliates',
    '/affiliates/',
    '/articles/editors-choice',
    '/bookmaker-reviews/managed-funds',
    '/administrator',
    '/dashboards',
    '/tipster/x/editor',
    '/tipster/edit-me',
    '/tipster/x/posts/add-post-2',
    '/login',
    '/register/verify',
    '/tipster/x/autobets',
    // A reference may be one of the words.
    '/tipster/earnings',
    '/tipster/dashboard/stats',
    '/tipster/manage/tips/abcdefghij',
    '/tipster/x/posts/edit',
    '/horse-racing/team/dashboard',
    '/football/league/admin',
    '/articles/edit',
    '/fixture/manage',
  ])('is not %s', (path) => {
    expect(isProtectedPath(path)).toBe(false);
  });

  it('sends the unauthorised to sign in and back, with path and query; any other path sends them to the dashboard', () => {
    expect(unauthorisedTarget('/dashboard/settings?tab=odds&x=1')).toBe(
      '/login?redirect_to=%2Fdashboard%2Fsettings%3Ftab%3Dodds%26x%3D1',
    );
    expect(unauthorisedTarget('/tipster/x/autobets')).toBe('/dashboard');
  });
});

describe('a page of a sport', () => {
  it.each([
    ['/Football', '/football'],
    ['/FOOTBALL/League/England-Premier-League', '/football/league/england-premier-league'],
    ['/Horse-Racing/free', '/horse-racing'],
  ])('%s leads to %s', (from, to) => {
    expect(movedTo(from)).toBe(to);
  });

  it.each(['/Footballs', '/football', '/australian-rules', '/Australian-Rules', '/Tipster/Ann'])(
    '%s has not moved',
    (path) => {
      expect(movedTo(path)).toBeNull();
    },
  );

  it.each([
    ['/football', '?league=england-premier-league', '/football/league/england-premier-league'],
    ['/football', '?days=14&league=a&utm_source=x', '/football/league/a?days=14&utm_source=x'],
    ['/Tennis', '?league=a', '/tennis/league/a'],
    ['/football', '?league=..%2F..%2F%2Fevil.example', '/football/league/..%2F..%2F%2Fevil.example'],
  ])('%s%s leads to %s, what else it was asked with it', (path, search, to) => {
    expect(leagueMovedTo(path, search)).toBe(to);
  });

  it.each([
    ['/football', ''],
    ['/football', '?league='],
    ['/football', '?league=a&league=b'],
    ['/football/league/a', '?league=b'],
    ['/tipster', '?league=a'],
  ])('%s%s stays', (path, search) => {
    expect(leagueMovedTo(path, search)).toBeNull();
  });
});

describe('a legacy address', () => {
  it.each(legacyAddresses('ann'))('%s leads to %s', (from, to) => {
    expect(movedTo(from)).toBe(to);
  });

  it.each([
    '/',
    '/affiliates',
    '/affiliates/x',
    '/apps/alerts',
    '/tipster/ann',
    '/tipster/ann/manage',
    '/blog/a/b',
    '/football',
    '/australian-rules/free',
    '/tipster/a/b/about',
    '/tipster/ann/purchase-complete/a/b/c',
  ])('is not %s', (path) => {
    expect(movedTo(path)).toBeNull();
  });

  it('leads to a page that exists and has not itself moved', () => {
    for (const { to } of redirects) {
      const target = to.replace(/\{\w+\}/g, 'x');
      expect(routeOf(target)).not.toBeNull();
      expect(movedTo(target)).toBeNull();
    }
  });

  it('never leads to another site, whatever stands in its parameters', () => {
    fc.assert(
      fc.property(fc.webSegment(), (value) => {
        const to = movedTo(`/blog/${value}`);
        expect(to === null || (to.startsWith('/') && !to.startsWith('//'))).toBe(true);
      }),
    );
  });
});
