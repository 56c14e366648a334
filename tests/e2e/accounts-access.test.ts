import type { APIRequestContext } from '@playwright/test';
import { memberCookieName, sessionCookieName } from '@/lib/accounts/schema';
import { routeTable } from '@/lib/route-table';
import { staffDetailPaths, staffEntryPath, staffPages } from '@/lib/staff/schema';
import { type AccessPeople, known, type Known, strangers, type Visitor } from '../support/access-kinds';
import { nameOf, test } from '../support/access-visitor';
import { addressOfRow } from '../support/row-addresses';
import type { VisitedSite } from '../support/site-setup';
import { portfolios } from '../support/site-tips';
import { expect } from '../support/visitor';

/** Whose a page is: everybody's, the same for all; anybody's, in words for each; that of whoever has an address to confirm; every member's own; the owner's; that of staff; or that of staff about something that there is not. */
type Whose = 'everybody' | 'anybody' | 'unverified' | 'member' | 'owner' | 'staff' | 'staffThings';
type Answer = { status: number; location: string | null; names: readonly string[] };

const sections = [
  'articles',
  'tip-of-the-day',
  'bookmaker-reviews',
  'betting-guides',
  'betting-scams',
  'betting-terms',
  'betting-strategies',
  'bet-types',
];
const sports =
  'football horse-racing american-football basketball baseball e-sports boxing cricket handball mma ice-hockey rugby-league rugby-union snooker tennis darts motor-racing golf greyhounds volleyball'.split(
    ' ',
  );
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
const tipster = (...pages: string[]) => pages.map((page) => `/tipster/{portfolioReference}/${page}`);

// Spelt out apart from the table of routes: a row that is missing here, or too many, fails the first test.
const whose: Readonly<Record<Whose, readonly string[]>> = {
  everybody: [
    ...[
      '/',
      '/tipster',
      '/tipster/compare',
      '/fixture',
      '/fixture/{fixtureReference}',
      '/tipster/{portfolioReference}',
      ...tipster('stats', 'results', 'tips', 'posts', 'tips/{tipReference}', 'posts/{postReference}'),
    ],
    ...[
      '/add-tips',
      '/add-tips/{sportOrFixtureReference}',
      '/login',
      '/register',
      '/forgotten-password',
      '/unsubscribe',
      '/unsubscribe/{guid}',
      '/affiliates',
      '/apps/alerts',
      '/ledger',
      '/search',
      '/pro',
    ],
    ...sports.flatMap((sport) => [`/${sport}/league/{leagueReference}`, `/${sport}/team/{participantReference}`]),
    ...[...legal, ...sports, ...sections, ...sections.map((section) => `${section}/{reference}`)].map(
      (page) => `/${page}`,
    ),
  ],
  anybody: ['/tipster/new'],
  unverified: ['/register/verify'],
  member: [
    '/dashboard',
    ...['memberships', 'services', 'watchlist', 'bets', 'autobets', 'notifications', 'settings'].map(
      (page) => `/dashboard/${page}`,
    ),
    '/dashboard/reading/{portfolioReference}/posts/{postReference}',
    '/dashboard/reading/{portfolioReference}/tips/{tipReference}',
    '/dashboard/checkout',
    '/dashboard/checkout/{portfolioReference}',
    '/affiliates/dashboard',
    '/dashboard/orders/{order}',
    '/dashboard/sandbox/{payment}',
    '/dashboard/receipts/{number}',
  ],
  owner: tipster('posts/add-post', 'posts/{postReference}/edit', 'earnings', 'autobets', 'manage'),
  staff: [...staffPages.map(({ path }) => path), staffEntryPath, '/admin/content/new'],
  staffThings: staffDetailPaths.filter((path) => path !== '/admin/content/new'),
};

const isStranger = (visitor: Visitor): boolean => (strangers as readonly string[]).includes(visitor);

async function contentOf(request: APIRequestContext): Promise<Record<string, string>> {
  const found = sections.map(
    async (section) =>
      [
        section,
        new RegExp(`href="/${section}/([a-z0-9-]+)"`).exec(await (await request.get(`/${section}`)).text())?.[1] ?? '',
      ] as const,
  );
  return Object.fromEntries(await Promise.all(found));
}

/** An address of each row that exists: public pages of the site's own tipsters, owner's pages of the owner of this test. */
function addressOf(pattern: string, site: VisitedSite, people: AccessPeople, pages: Record<string, string>): string {
  const isOwned = whose.owner.includes(pattern);
  return addressOfRow(pattern, site, {
    portfolio: isOwned ? people.reference : portfolios.public.reference,
    post: isOwned ? people.post : site.posts.open,
    pages,
  });
}

const seen: Answer = { status: 200, location: null, names: [] };
const sent = (location: string): Answer => ({ status: 307, location, names: [] });
const missing: Answer = { status: 404, location: null, names: [] };

/** Spec §2.4, §4, §6: what a visitor is answered. Pages that are somebody's own name that member and nobody else. */
function expected(owned: Whose, visitor: Visitor, address: string, people: AccessPeople): Answer {
  const own = { ...seen, names: [nameOf(visitor, people)] };
  const login = sent(
    /^\/tipster\/[^/]+\/autobets$/.test(address) ? '/dashboard' : `/login?redirect_to=${encodeURIComponent(address)}`,
  );
  const verify = sent(`/register/verify?redirect_after_verify=${encodeURIComponent(address)}`);
  // The site's leagues and teams are of football.
  if (/^\/(?!football\/)[\w-]+\/(league|team)\//.test(address)) return missing;
  if (owned === 'everybody' || owned === 'anybody') return seen;
  if (owned === 'unverified') return isStranger(visitor) ? seen : visitor === 'unverified' ? own : sent('/dashboard');
  if (isStranger(visitor)) return login;
  if (visitor === 'unverified') return verify;
  // Nobody here has bought anything.
  if (/^\/dashboard\/(orders|sandbox|receipts)\//.test(address)) return missing;
  if (owned === 'member') return own;
  if (owned === 'owner') return visitor === 'owner' ? own : missing;
  if (visitor !== 'admin' && visitor !== 'super admin') return sent('/dashboard');
  if (address === staffEntryPath) return sent('/admin');
  return owned === 'staffThings' ? missing : own;
}

test('the expectations name every row of the table of routes, and no other', () => {
  expect(Object.values(whose).flat().toSorted()).toEqual(routeTable.map(({ path }) => path).toSorted());
});

/** The words of a page: without its scripts, which carry what differs by request. */
const wordsOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

/** Whether a name stands in the text by itself: "owner-1" is no part of "other-owner-1". */
const holdsName = (text: string, name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);

async function ask(
  request: APIRequestContext,
  address: string,
  visitor: Visitor,
  people: AccessPeople,
): Promise<Answer & { html: string }> {
  const { cookie = null, bearer = null } = people.credentials[visitor] ?? {};
  const headers = {
    ...(cookie && { cookie: `${sessionCookieName}=${cookie}; ${memberCookieName}=1` }),
    ...(bearer && { authorization: `Bearer ${bearer}` }),
  };
  const response = await request.get(address, { headers, maxRedirects: 0 });
  const html = await response.text();
  const names = [...known, 'deleted' as const]
    .map((each) => nameOf(each, people))
    .filter((name) => holdsName(html, name));
  return {
    status: response.status(),
    location: response.headers().location?.replace(/^https?:\/\/[^/]+/, '') ?? null,
    names,
    html,
  };
}

for (const visitor of [...known, ...strangers]) {
  test(`every page answers as it should to the visitor: ${visitor}`, async ({ request, site, people }) => {
    const pages = await contentOf(request);
    const [got, wanted]: [Record<string, Answer>, Record<string, Answer>] = [{}, {}];
    const differs: string[] = [];
    for (const [owned, patterns] of Object.entries(whose) as [Whose, readonly string[]][]) {
      for (const pattern of patterns) {
        const address = addressOf(pattern, site, people, pages);
        const { html, ...answer } = await ask(request, address, visitor, people);
        // A page that is one's own may or may not say one's name; it never says another's. Lists of staff name everybody.
        const want = expected(owned, visitor, address, people);
        const isTold = owned === 'staff' && answer.status === 200;
        const others = answer.names.filter((name) => name !== nameOf(visitor, people));
        got[address] = { ...answer, names: isTold ? [] : others };
        wanted[address] = { ...want, names: [] };
        if (owned !== 'everybody' || visitor === 'guest') continue;
        const asGuest = await ask(request, address, 'guest', people);
        if (wordsOf(html) !== wordsOf(asGuest.html)) differs.push(address);
      }
    }
    expect(got).toEqual(wanted);
    expect(differs).toEqual([]);
  });
}

test('the pages that are a member’s own hold what is theirs', async ({ request, people }) => {
  for (const visitor of ['member', 'pro', 'owner', 'other owner', 'admin', 'super admin'] satisfies Known[]) {
    const { status, names } = await ask(request, '/dashboard/settings', visitor, people);
    expect({ visitor, status, names }).toEqual({ visitor, status: 200, names: [nameOf(visitor, people)] });
  }
  const services = await ask(request, '/dashboard/services', 'owner', people);
  expect(services.html).toContain(people.reference);
  expect((await ask(request, '/dashboard/services', 'other owner', people)).html).not.toContain(people.reference);
});

test('nothing is left of the name of somebody who is deleted', async ({ request, people }) => {
  const { html } = await ask(request, '/dashboard', 'deleted', people);
  expect(html).not.toContain(nameOf('deleted', people));
});
