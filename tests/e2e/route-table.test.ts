import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test';
import { routeTable } from '@/lib/route-table';
import { staffEntryPath } from '@/lib/staff/schema';
import { barriersOn } from '../support/barriers';
import { legacyAddresses } from '../support/legacy-addresses';
import { addressOfRow } from '../support/row-addresses';
import type { VisitedSite } from '../support/site-setup';
import type { Person } from '../support/site-people';
import { portfolios } from '../support/site-tips';
import { expect, showFactor, signInAs, test, watchFaults } from '../support/visitor';

type Walker = 'guest' | Extract<Person, 'member' | 'owner' | 'admin'>;
type Answer = { status: number; location: string | null };
type Frame = { header: string; sidebar: string; hasFooter: boolean; hasAds: boolean };

const walkers: readonly Walker[] = ['guest', 'member', 'owner', 'admin'];
const { reference: portfolio } = portfolios.public;
const kinds = [
  'articles',
  'tip-of-the-day',
  'bookmaker-reviews',
  'betting-guides',
  'betting-scams',
  'betting-terms',
  'betting-strategies',
  'bet-types',
];

/** The first page of each kind of content, as the index of the kind lists them. */
async function contentOf(request: APIRequestContext): Promise<Record<string, string>> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const html = await (await request.get(`/${kind}`)).text();
      return [kind, new RegExp(`href="/${kind}/([a-z0-9-]+)"`).exec(html)?.[1] ?? ''] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** An address of each row of the table that exists on the site. */
const addressOf = (pattern: string, site: VisitedSite, pages: Record<string, string>) =>
  addressOfRow(pattern, site, { portfolio, post: site.posts.open, pages });

/** Where the table sends somebody who may not see a page, and 200 for who may. */
function expected({ access, path }: (typeof routeTable)[number], walker: Walker, address: string): Answer {
  // Who has confirmed their address has nothing to verify.
  if (path === '/register/verify' && walker !== 'guest') return { status: 307, location: '/dashboard' };
  // The site of the tests has leagues and teams of football alone.
  if (/\{(league|participant)Reference\}/.test(path) && !path.startsWith('/football/'))
    return { status: 404, location: null };
  if (access === 'public') return { status: 200, location: null };
  if (walker === 'guest')
    return {
      status: 307,
      location:
        path.startsWith('/tipster/') && path.endsWith('/autobets')
          ? '/dashboard'
          : `/login?redirect_to=${encodeURIComponent(address)}`,
    };
  // Nobody here has bought anything.
  if (path.startsWith('/dashboard/') && /\{(order|payment|number)\}$/.test(path))
    return { status: 404, location: null };
  if (access === 'owner') return { status: walker === 'owner' ? 200 : 404, location: null };
  if (access === 'staff') {
    if (walker !== 'admin') return { status: 307, location: '/dashboard' };
    if (path === staffEntryPath) return { status: 307, location: '/admin' };
    return { status: path.includes('{') ? 404 : 200, location: null };
  }
  return { status: 200, location: null };
}

/** The frame that stands around a page, read from its markup. */
function frameOf(html: string): Frame {
  return {
    header: /<header [^>]*data-look="([a-z-]+)"/.exec(html)?.[1] ?? 'none',
    sidebar: html.includes('id="side-menu"') ? (/data-sidebar="([a-z-]+)"/.exec(html)?.[1] ?? '') : 'none',
    hasFooter: /<footer[ >]/.test(html),
    hasAds: html.includes('data-ad-slot='),
  };
}

async function signedIn(browser: Browser, site: VisitedSite, walker: Walker): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: site.origin });
  if (walker === 'guest') return context;
  const page = await context.newPage();
  await signInAs(page, walker);
  if (walker === 'admin') await showFactor(page);
  await page.close();
  return context;
}

// Every width of the issue, in both schemes, as everybody; the daily walk looks at what others do not see, at the narrowest, in one of the two by turns.
const isFull = process.env.TIPLEDGER_WALK === 'full';
const schemes = ['light', 'dark'] as const;

async function barriers(page: Page, place: number): Promise<string[]> {
  const found: string[] = [];
  for (const width of isFull ? [320, 768, 1440] : [320]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of isFull ? schemes : [schemes[place % schemes.length]]) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await barriersOn(page)).map((barrier) => `${width} ${colorScheme} ${barrier}`));
    }
  }
  return found;
}

for (const walker of walkers) {
  test.describe(`the table of routes, walked by the ${walker}`, () => {
    test('answers each row with its status, target and frame', async ({ browser, site }) => {
      test.setTimeout(120_000);
      const context = await signedIn(browser, site, walker);
      const pages = await contentOf(context.request);
      const got: Record<string, Answer> = {};
      const wanted: Record<string, Answer> = {};
      const frames: Record<string, Frame> = {};
      const wantedFrames: Record<string, Frame> = {};
      for (const row of routeTable) {
        const address = addressOf(row.path, site, pages);
        const response = await context.request.get(address, { maxRedirects: 0 });
        const location = response.headers().location ?? null;
        got[address] = { status: response.status(), location: location?.replace(site.origin, '') ?? null };
        wanted[address] = expected(row, walker, address);
        if (response.status() !== 200) continue;
        const { header, sidebar, footer, ads } = row.shell;
        frames[address] = frameOf(await response.text());
        wantedFrames[address] = { header, sidebar, hasFooter: footer !== 'none', hasAds: ads };
      }
      expect(got).toEqual(wanted);
      expect(frames).toEqual(wantedFrames);
      await context.close();
    });

    test('shows what is theirs with a title, one heading, and no fault or barrier', async ({ browser, site }) => {
      test.setTimeout(isFull ? 3_600_000 : 300_000);
      const context = await signedIn(browser, site, walker);
      const pages = await contentOf(context.request);
      // What everybody sees is visited as a guest by the tests of pages, what every member sees as the member; a full walk visits all as each.
      const isOwn = ({ access }: (typeof routeTable)[number]) =>
        access !== 'public' && (access !== 'member' || walker === 'member');
      const isSeen = (row: (typeof routeTable)[number]) =>
        expected(row, walker, '').status === 200 && (isFull || isOwn(row));
      const wrong: Record<string, readonly string[]> = {};
      for (const [place, row] of routeTable.filter(isSeen).entries()) {
        const address = addressOf(row.path, site, pages);
        // A step each, so that a walk that hangs says on which page.
        await test.step(address, async () => {
          const page = await context.newPage();
          const faults = watchFaults(page);
          await page.goto(address, { waitUntil: 'networkidle' });
          // Who is signed in is led on from there by the page itself.
          if (walker !== 'guest' && row.path === '/login')
            await page.waitForURL(({ pathname }) => pathname !== '/login');
          const headings = await page.locator('h1').count();
          if (headings !== 1) faults.push(`${headings} headings of the first level`);
          const title = await page.title();
          if (!/^\S.{5,}\S$/.test(title)) faults.push(`the title ${JSON.stringify(title)}`);
          faults.push(...(await barriers(page, place)));
          if (faults.length > 0) wrong[address] = faults;
          await page.close();
        });
      }
      expect(wrong).toEqual({});
      await context.close();
    });
  });
}

test('each legacy address answers 301 with its target, and keeps the query', async ({ request, site }) => {
  const got = await Promise.all(
    legacyAddresses(portfolio).flatMap(([from, to]) =>
      ['', '?utm=a+b&x=1'].map(async (query) => {
        const response = await request.get(`${from}${query}`, { maxRedirects: 0 });
        return [
          `${from}${query}`,
          response.status(),
          response.headers().location?.replace(site.origin, ''),
          `${to}${query}`,
        ] as const;
      }),
    ),
  );
  expect(got.filter(([, status, location, target]) => status !== 301 || location !== target)).toEqual([]);
});

test('a protected path asks to sign in however it is written, and its neighbours do not', async ({ request, site }) => {
  const asked = async (path: string, headers: Record<string, string> = {}) => {
    const response = await request.get(path, { maxRedirects: 0, headers });
    return { status: response.status(), location: response.headers().location?.replace(site.origin, '') };
  };
  for (const path of [
    '/dashboard',
    '/dashboard/settings?tab=odds',
    '/admin',
    '/tipster/x/posts/add-post',
    '/tipster/x/posts/y/edit',
    `/tipster/${portfolio}/manage`,
    '/affiliates/anything',
    '/d%61shboard',
  ]) {
    const { status, location } = await asked(path);
    expect([path, status]).toEqual([path, 307]);
    expect(location).toMatch(/^\/login\?redirect_to=%2F/);
  }
  expect(
    (await asked('/dashboard', { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' }))
      .status,
  ).toBe(307);
  expect(
    (
      await asked('/dashboard', {
        'x-middleware-subrequest': 'src/middleware:src/middleware:src/middleware:src/middleware:src/middleware',
      })
    ).status,
  ).toBe(307);
  for (const path of ['/articles/editors-choice', '/bookmaker-reviews/managed-funds'])
    expect([path, (await asked(path)).status]).toEqual([path, 404]);
  expect((await asked('/affiliates')).status).toBe(200);
});
