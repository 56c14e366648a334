import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { routes } from '@/lib/routes';
import { schemaFaults, statementsOf } from '../support/schema-org';
import { fullLeague } from '../support/site-matches';
import type { VisitedSite } from '../support/site-setup';
import { portfolios } from '../support/site-tips';
import { expect, test } from '../support/visitor';
import { ask } from '../support/wire';

const { reference: portfolio } = portfolios.public;

const league = routes.league('football', fullLeague.reference);

const plain = (text: string) =>
  text
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const locations = (xml: string, { siteUrl }: VisitedSite) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => plain(address).replace(siteUrl, ''));

async function sitemapOf(site: VisitedSite): Promise<string[]> {
  const parts = locations((await ask(site.origin, '/sitemap.xml')).text, site);
  const all: string[] = [];
  // One after another, as a network is sent four at once.
  for (const part of parts) all.push(...locations((await ask(site.origin, part)).text, site));
  return all;
}

type Said = { title: string; description: string; canonical: string; image: string; isIndexed: boolean };

function said(html: string): Said {
  const of = (pattern: RegExp) => plain(pattern.exec(html)?.[1] ?? '');
  return {
    title: of(/<title>([^<]*)/),
    description: of(/<meta name="description" content="([^"]*)"/),
    canonical: of(/<link rel="canonical" href="([^"]*)"/),
    image: of(/<meta property="og:image" content="([^"]*)"/),
    isIndexed: !/<meta name="robots" content="noindex/.test(html),
  };
}

test('every page of the sitemap opens, says what no other says, and is valid to search engines', async ({ site }) => {
  test.setTimeout(300_000);
  const paths = await sitemapOf(site);
  expect(paths.length).toBeGreaterThan(200);
  const titles = new Map<string, string>();
  const descriptions = new Map<string, string>();
  const pictures = new Map<string, string>();
  const faults: string[] = [];
  const types = new Set<unknown>();
  for (const path of paths) {
    const { status, text } = await ask(site.origin, path);
    const { title, description, canonical, image, isIndexed } = said(text);
    if (status !== 200) faults.push(`${path}: ${status}`);
    if (!isIndexed) faults.push(`${path}: noindex`);
    if (
      canonical !== new URL(path, site.siteUrl).href.replace(/\/$/, '') &&
      canonical !== new URL(path, site.siteUrl).href
    )
      faults.push(`${path}: canonical ${canonical}`);
    for (const [seen, words] of [
      [titles, title],
      [descriptions, description],
    ] as const) {
      if (words.length < 10 || seen.has(words)) faults.push(`${path}: “${words}” as ${seen.get(words)}`);
      seen.set(words, path);
    }
    const [, , , , kind = ''] = new URL(image || site.siteUrl).pathname.split('/');
    pictures.set(new URL(image || site.siteUrl).pathname.startsWith('/api/share/page/') ? kind : 'tip', image);
    for (const statement of statementsOf(text)) {
      types.add(statement['@type']);
      faults.push(...schemaFaults(statement).map((fault) => `${path}: ${fault}`));
    }
  }
  expect(faults.slice(0, 20)).toEqual([]);
  expect([...types].toSorted()).toEqual([
    'Article',
    'BreadcrumbList',
    'DefinedTerm',
    'DiscussionForumPosting',
    'ItemList',
    'Organization',
    'ProfilePage',
    'Review',
    'SportsEvent',
    'WebSite',
  ]);
  // One of each kind: a picture is drawn by the one thread.
  for (const [kind, image] of pictures) {
    const { status, headers, bytes } = await ask(site.origin, image.replace(site.siteUrl, ''));
    expect([kind, status, headers['content-type']]).toEqual([kind, 200, 'image/png']);
    expect([kind, bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([kind, 1200, 630]);
  }
});

test('what is a copy, or somebody’s own, is in no index', async ({ site }) => {
  const listed = await sitemapOf(site);
  for (const path of [
    '/login',
    '/register?redirect_to=%2Ffootball',
    '/search?q=rovers',
    '/tipster?sportId=2',
    '/add-tips',
    '/forgotten-password',
    '/unsubscribe',
    '/nowhere',
  ]) {
    const { text } = await ask(site.origin, path);
    expect([path, said(text).isIndexed, listed.includes(path)]).toEqual([path, false, false]);
  }
  for (const path of ['/register', '/tipster/new'])
    expect([path, said((await ask(site.origin, path)).text).isIndexed, listed.includes(path)]).toEqual([
      path,
      true,
      true,
    ]);
});

test('pages name their feeds, and each of these opens', async ({ site }) => {
  for (const [path, types] of [
    ['/', ['application/rss+xml', 'application/feed+json']],
    ['/football', ['application/rss+xml', 'application/feed+json', 'text/calendar']],
    [league, ['application/rss+xml', 'application/feed+json', 'text/calendar']],
    [`/tipster/${portfolio}`, ['application/rss+xml', 'application/feed+json', 'application/json+oembed']],
  ] as const) {
    const { text } = await ask(site.origin, path);
    const links = [...text.matchAll(/<link rel="alternate" type="([^"]*)" href="([^"]*)"[^>]*>/g)];
    expect([path, [...new Set(links.map(([, type]) => type))]]).toEqual([path, [...types]]);
    for (const [, , address = ''] of links)
      expect([address, (await ask(site.origin, plain(address).replace(site.siteUrl, ''))).status]).toEqual([
        address,
        200,
      ]);
  }
});

test('the pages of a league and of a team say where they stand', async ({ site }) => {
  for (const [path, names] of [
    [league, ['Home', 'Football', fullLeague.name]],
    [routes.team('football', 'ashcombe'), ['Home', 'Football', fullLeague.name, 'Ashcombe']],
  ] as const) {
    const statements = statementsOf((await ask(site.origin, path)).text);
    const trail = statements.find((statement) => statement['@type'] === 'BreadcrumbList');
    expect([path, trail?.['itemListElement']]).toMatchObject([path, names.map((name) => ({ name }))]);
  }
});

test('the badge of a record stands on another site as a picture and as a frame, and a page of the site does not', async ({
  browser,
  site,
}) => {
  // What is refused below is no fault of the page.
  const context = await browser.newContext();
  const page = await context.newPage();
  const badge = `${site.origin}/tipster/${portfolio}/badge`;
  const html = `<!doctype html><title>Elsewhere</title><img id="picture" src="${badge}.svg?profit=9999"><iframe id="frame" src="${badge}"></iframe><iframe id="page" src="${site.origin}/tipster/${portfolio}"></iframe>`;
  const server = http.createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const widthOf = () => page.locator('#picture').evaluate((picture: HTMLImageElement) => picture.naturalWidth);
    await expect.poll(widthOf).toBe(360);
    const inFrame = page.frameLocator('#frame');
    await expect(inFrame.getByRole('link', { name: 'Check the record' })).toHaveAttribute(
      'href',
      `${site.siteUrl}/ledger`,
    );
    await expect(inFrame.getByRole('link', { name: 'Every tip' })).toBeVisible();
    await expect(page.frameLocator('#page').getByRole('heading', { level: 1 })).toHaveCount(0);
  } finally {
    server.closeAllConnections();
    server.close();
    await context.close();
  }
  const [drawn, asked] = [
    await ask(site.origin, `/tipster/${portfolio}/badge.svg`),
    await ask(site.origin, `/tipster/${portfolio}/badge.svg?profit=9999`),
  ];
  expect(asked.text).toBe(drawn.text);
});
