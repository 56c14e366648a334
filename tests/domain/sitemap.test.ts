import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { sql } from 'kysely';
import { dispatcher } from '@/lib/api/dispatch';
import { importFixtures } from '@/lib/fixtures/commands';
import { forgetEverything } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { files } from '@/app/files';
import { onOwnConnection, onTestDatabase } from '../support/database';
import { standAt } from '../support/clock';
import { startServer } from '../support/site-server';
import { offer, openShop } from '../support/members';
import { publishPost, publishTip, settleDueTips } from '../support/moments';
import { match, worldNow } from '../support/world';

onTestDatabase();

const site = 'http://localhost:3000';
const fixtures = 100_000;
const firstId = 1_000_000;

type Element = { loc: string; lastmod?: string };

let server: Awaited<ReturnType<typeof startServer>>;
const tips: Record<'open' | 'hidden' | 'unlisted', string> = { open: '', hidden: '', unlisted: '' };
const posts: Record<'open' | 'premium', string> = { open: '', premium: '' };

beforeAll(async () => {
  standAt(worldNow);
  server = await startServer(() => Promise.reject(new Error('No page is asked for.')), undefined, dispatcher(files));
  const shop = await openShop('ann', { name: 'Ann Football', visibility: PortfolioVisibility.premium }, worldNow);
  const unlisted = await openShop('bob', { name: 'Bob Alone', visibility: PortfolioVisibility.hidden }, worldNow);
  const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
  const publish = async (of: typeof shop, key: string, hidden = false) =>
    (
      await publishTip(
        of.owner,
        of.reference,
        { idempotencyKey: key, legs: [leg], stakeHundredths: 100, hidden },
        worldNow,
      )
    ).reference;
  tips.open = await publish(shop, 'open');
  tips.hidden = await publish(shop, 'hidden', true);
  tips.unlisted = await publish(unlisted, 'unlisted');
  for (const kind of ['open', 'premium'] as const)
    posts[kind] = (
      await publishPost(
        shop.owner,
        shop.reference,
        { idempotencyKey: kind, title: `A post: ${kind}`, body: 'Words.', premiumOnly: kind === 'premium' },
        worldNow,
      )
    ).reference;
});

afterAll(() => server.end());

async function read(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(`${server.origin}${path}`);
  const text = await response.text();
  if (response.status === 200 && path !== '/robots.txt') expect(XMLValidator.validate(text)).toBe(true);
  return { status: response.status, text, headers: response.headers };
}

const parser = new XMLParser({ isArray: (name) => ['url', 'sitemap'].includes(name) });

async function entries(path: string): Promise<Element[]> {
  const { status, text } = await read(path);
  expect([path, status]).toEqual([path, 200]);
  const { urlset, sitemapindex } = parser.parse(text) as Record<string, { url?: Element[]; sitemap?: Element[] }>;
  return urlset?.url ?? sitemapindex?.sitemap ?? [];
}

const paths = (list: readonly Element[]) => list.map(({ loc }) => loc.replace(site, ''));

async function whole(): Promise<Element[]> {
  forgetEverything();
  const parts = await entries('/sitemap.xml');
  const all: Element[] = [];
  // One after another, as a network is sent four at once.
  for (const part of paths(parts)) all.push(...(await entries(part)));
  return all;
}

test('robots may read all but what is for programs and members, and are told where the sitemap is', async () => {
  const { text, headers } = await read('/robots.txt');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text).toBe(
    `User-agent: *\nAllow: /api/images/\nAllow: /api/share/\nDisallow: /api/\nDisallow: /dashboard\nDisallow: /admin\n\nSitemap: ${site}/sitemap.xml\n`,
  );
});

test('the sitemap names each public page once, and nothing that is locked, hidden or for members', async () => {
  const all = paths(await whole());
  expect(all).toEqual([...new Set(all)]);
  expect(all).toEqual(
    expect.arrayContaining([
      '/',
      '/football',
      '/tipster',
      '/terms-and-conditions',
      '/fixture/rovers-v-town-2026-03-07',
      '/tipster/ann-football',
      '/tipster/ann-football/stats',
      `/tipster/ann-football/tips/${tips.open}`,
      `/tipster/ann-football/posts/${posts.open}`,
    ]),
  );
  for (const absent of [tips.hidden, tips.unlisted, posts.premium, 'bob-alone', '/login', '/search', '/dashboard', '{'])
    expect(all.filter((path) => path.includes(absent))).toEqual([]);
});

test('each address says when what stands there last changed', async () => {
  const changes = new Map((await whole()).map(({ loc, lastmod }) => [loc.replace(site, ''), lastmod]));
  const { rows } = await sql<{ at: Date }>`
    select greatest(closed_at, recorded_at) as at from fixture join fixture_result on fixture_id = id where reference = 'rovers-v-town-2026-03-07'
  `.execute(database());
  expect(changes.get('/fixture/rovers-v-town-2026-03-07')).toBe(rows[0]?.at.toISOString().replace(/\.\d+Z/, 'Z'));
  expect(changes.get(`/tipster/ann-football/tips/${tips.open}`)).toBe('2026-03-10T12:00:00Z');
  expect(changes.get('/football')).toBeUndefined();
});

test('a hidden tip comes into the sitemap at its first start', async () => {
  standAt(new Date('2026-03-10T20:30:00.000Z'));
  try {
    const found = (await whole()).filter(({ loc }) => loc.endsWith(tips.hidden));
    expect(found.map(({ lastmod }) => lastmod)).toEqual(['2026-03-10T20:00:00Z']);
  } finally {
    standAt(worldNow);
  }
});

test('the pages of a tipster changed last when a tip of theirs was settled', async () => {
  const later = new Date('2026-03-11T01:00:00.000Z');
  const result = { home: 2, away: 0, halfTime: null };
  await importFixtures(
    [{ line: 2, fixture: match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', { result }) }],
    'football-data',
    later,
  );
  await settleDueTips(later);
  const changes = new Map((await whole()).map(({ loc, lastmod }) => [loc.replace(site, ''), lastmod]));
  const { rows } = await sql<{ at: Date }>`
    select max(settled_at) as at from tip_settlement join tip on tip.id = tip_id join portfolio on portfolio.id = portfolio_id where portfolio.reference = 'ann-football'
  `.execute(database());
  const settled = rows[0]?.at.toISOString().replace(/\.\d+Z/, 'Z');
  expect(settled).toBeDefined();
  expect(changes.get('/tipster/ann-football/results')).toBe(settled);
});

test('the sitemap of news holds the articles of two days, and stands in the index while there are any', async () => {
  expect(paths(await entries('/sitemap.xml'))).not.toContain('/sitemap-news.xml');
  await onOwnConnection((client) =>
    client.query(
      `insert into content_page (kind, reference, title, summary, body, published_on, demo, facts)
      select kind, reference, title, repeat('A summary that is long enough. ', 2), 'Words.', day::date, false, '{"sport": null}'
      from (values ('articles', 'today', 'Odds & <ends>', '2026-03-10'), ('articles', 'yesterday', 'Yesterday', '2026-03-09'),
        ('articles', 'before', 'Before', '2026-03-08'), ('articles', 'tomorrow', 'Tomorrow', '2026-03-11'), ('betting-guides', 'guide', 'A guide', '2026-03-10')) page (kind, reference, title, day)`,
    ),
  );
  forgetEverything();
  const news = await read('/sitemap-news.xml');
  const found = parser.parse(news.text) as { urlset: { url: { loc: string; 'news:news': Record<string, unknown> }[] } };
  expect(found.urlset.url.map(({ loc, 'news:news': { 'news:title': title } }) => [loc, title])).toEqual([
    [`${site}/articles/today`, 'Odds & <ends>'],
    [`${site}/articles/yesterday`, 'Yesterday'],
  ]);
  expect(paths(await entries('/sitemap.xml'))).toContain('/sitemap-news.xml');
  expect(paths(await whole())).toContain('/betting-guides/guide');
});

test.each(['', '?of=fixtures-0', '?of=../etc-1', '?of=fixtures-1&of=tips-1'])('refuses the part %j', async (query) => {
  expect((await read(`/sitemap-part.xml${query}`)).status).toBe(400);
});

test.each(['nothing-1', 'fixtures-99999', 'fixtures-999999', 'constructor-1', 'pages-2'])(
  'knows no part %j',
  async (name) => {
    expect((await read(`/sitemap-part.xml?of=${name}`)).status).toBe(404);
  },
);

test('100,000 fixtures are split, told in seconds, and never held together', async () => {
  await onOwnConnection((client) =>
    client.query(
      `insert into fixture (id, reference, league_id, name, starts_at, start_time_known, status, sources, closed_at) overriding system value
      select $1::int + n, 'bulk-' || n, (select min(id) from league), 'Bulk ' || n, $2::timestamptz - n * interval '1 minute', true, 'complete', '{bulk}', $2
      from generate_series(1, $3::int) n`,
      [firstId, worldNow, fixtures],
    ),
  );
  forgetEverything();
  const began = performance.now();
  const parts = paths(await entries('/sitemap.xml')).filter((path) => path.includes('fixtures-'));
  const held = () => process.memoryUsage().heapUsed;
  const before = held();
  let most = 0;
  let found = 0;
  for (const part of parts) {
    const response = await fetch(`${server.origin}${part}`);
    let own = 0;
    let rest = '';
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      const text = rest + Buffer.from(piece).toString();
      own += text.split('</url>').length - 1;
      rest = text.slice(text.lastIndexOf('</url>') + 6);
      most = Math.max(most, held() - before);
    }
    expect(own).toBeLessThanOrEqual(50_000);
    found += own;
  }
  expect(parts.length).toBeGreaterThanOrEqual(3);
  expect(found).toBeGreaterThanOrEqual(fixtures);
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(most).toBeLessThan(100 * 1024 * 1024);
});
