import { XMLParser, XMLValidator } from 'fast-xml-parser';
import ICAL from 'ical.js';
import { sql } from 'kysely';
import { files } from '@/app/files';
import { dispatcher } from '@/lib/api/dispatch';
import { readCard } from '@/lib/pages/share-cards';
import { forgetEverything } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { standAt } from '../support/clock';
import { writeLeagueCalendar } from '@/lib/pages/calendar';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { startServer } from '../support/site-server';
import { offer, openShop } from '../support/members';
import { openCommitments, publishPost, publishTip, settleDueTips } from '../support/moments';
import { worldNow } from '../support/world';

onTestDatabase();

const site = 'http://localhost:3000';
const secret = 'Only members may read these words.';
const tricky = `Ann & Bob <b>"best"</b> ]]> \u2028 O'Neill`;

let server: Awaited<ReturnType<typeof startServer>>;
let shop: Awaited<ReturnType<typeof openShop>>;
const tips: Record<'open' | 'hidden' | 'members', string> = { open: '', hidden: '', members: '' };

beforeAll(async () => {
  standAt(worldNow);
  server = await startServer(() => Promise.reject(new Error('No page is asked for.')), undefined, dispatcher(files));
  shop = await openShop('ann', { name: 'Ann Football', visibility: PortfolioVisibility.premium }, worldNow);
  const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
  for (const key of ['open', 'hidden', 'members'] as const) {
    const input = {
      idempotencyKey: key,
      legs: [leg],
      stakeHundredths: 100,
      hidden: key === 'hidden',
      free: key !== 'members',
      analysis: key === 'open' ? 'Everybody may read this.' : secret,
    };
    tips[key] = (await publishTip(shop.owner, shop.reference, input, worldNow)).reference;
  }
  for (const premiumOnly of [false, true])
    await publishPost(
      shop.owner,
      shop.reference,
      {
        idempotencyKey: String(premiumOnly),
        title: premiumOnly ? 'For members' : tricky,
        body: premiumOnly ? secret : 'A preview that **everybody** may read.',
        premiumOnly,
      },
      worldNow,
    );
});

beforeEach(() => forgetEverything());
afterAll(() => server.end());

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.origin}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

// What the parser lets through, and others refuse a document for.
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

type Rss = { rss: { channel: { title: string; link: string; item?: RssItem[] } } };
type RssItem = {
  title: string;
  link: string;
  guid: string | { '#text': string };
  pubDate: string;
  description: string;
};
type JsonFeed = {
  version: string;
  title: string;
  home_page_url: string;
  feed_url: string;
  items: { id: string; url: string; title: string; content_html: string; date_published: string }[];
};

async function rss(path: string): Promise<Rss['rss']['channel'] & { item: RssItem[] }> {
  const { status, headers, text } = await ask(path);
  expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'application/rss+xml; charset=utf-8']);
  expect(XMLValidator.validate(text)).toBe(true);
  expect(text).not.toMatch(notInXml);
  const { rss: feed } = new XMLParser({ isArray: (name) => name === 'item', parseTagValue: false }).parse(text) as Rss;
  return { ...feed.channel, item: feed.channel.item ?? [] };
}

async function jsonFeed(path: string): Promise<JsonFeed> {
  const { status, headers, text } = await ask(path);
  expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'application/feed+json; charset=utf-8']);
  const feed = JSON.parse(text) as JsonFeed;
  expect(feed.version).toMatch(/^https:\/\/jsonfeed\.org\/version\/1/);
  for (const item of feed.items) {
    expect(item).toMatchObject({
      id: expect.stringContaining(site),
      url: expect.stringContaining(site),
      title: expect.any(String),
    });
    expect(new Date(item.date_published).toISOString()).toBe(item.date_published);
  }
  return feed;
}

describe('the feed of a portfolio', () => {
  test('holds what everybody may read, in both formats, and nothing that is locked', async () => {
    const feed = await rss('/feeds/tipster/ann-football.xml');
    expect(feed).toMatchObject({ title: 'Ann Football: tips and posts', link: `${site}/tipster/ann-football` });
    expect(feed.item.map(({ title }) => title)).toEqual(expect.arrayContaining([expect.stringContaining("O'Neill")]));
    expect(feed.item.map(({ link }) => link)).toContain(`${site}/tipster/ann-football/tips/${tips.open}`);
    expect(feed.item).toHaveLength(2);
    for (const { pubDate } of feed.item) expect(new Date(pubDate)).toEqual(worldNow);
    const json = await jsonFeed('/feeds/tipster/ann-football.json');
    expect(json.items).toHaveLength(2);
    for (const path of ['/feeds/tipster/ann-football.xml', '/feeds/tipster/ann-football.json']) {
      const { text } = await ask(path);
      for (const locked of [tips.hidden, tips.members, secret, 'For members']) expect(text).not.toContain(locked);
    }
  });

  test('holds what everybody may read, however much that is newer is locked', async () => {
    const { owner, reference } = await openShop(
      'bea',
      { name: 'Bea Sells', visibility: PortfolioVisibility.premium },
      worldNow,
    );
    const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
    const publish = (key: string, free: boolean) =>
      publishTip(
        owner,
        reference,
        { idempotencyKey: key, legs: [leg], stakeHundredths: 100, hidden: false, free, analysis: '' },
        worldNow,
      );
    const post = (key: string, premiumOnly: boolean) =>
      publishPost(owner, reference, { idempotencyKey: key, title: key, body: 'Some words.', premiumOnly }, worldNow);
    const openTip = await publish('open', true);
    const openPost = await post('open', false);
    for (let index = 0; index <= 30; index++) {
      await publish(`locked-${index}`, false);
      await post(`locked-${index}`, true);
    }
    const { item } = await rss(`/feeds/tipster/${reference}.xml`);
    expect(item.map(({ link }) => link).toSorted()).toEqual([
      `${site}/tipster/${reference}/posts/${openPost.reference}`,
      `${site}/tipster/${reference}/tips/${openTip.reference}`,
    ]);
  });

  test('is one document whose texts stay texts, whatever was written in them', async () => {
    const evil = 'Hi]]>]]></title><link>https://evil.example</link><title>]]]]>>';
    const other = await openShop(
      'eve',
      { name: `${evil.slice(0, 30)} a`, visibility: PortfolioVisibility.public },
      worldNow,
    );
    const post = { idempotencyKey: 'evil', title: evil, body: `${evil} <img src=x onerror=alert(1)> & more` };
    const { reference } = await publishPost(other.owner, other.reference, post, worldNow);
    // As it was kept before such signs were refused.
    await sql`update portfolio set name = ${'Eve\uffff]]>'} where reference = ${other.reference}`.execute(database());
    const withBlanks = (text: string) => text.replaceAll(']]>', ']] >');
    const feed = await rss(`/feeds/tipster/${other.reference}.xml`);
    expect(feed.title).toBe(withBlanks('Eve]]>: tips and posts'));
    expect(feed.item).toHaveLength(1);
    expect(feed.item[0]).toMatchObject({
      title: withBlanks(evil),
      link: `${site}/tipster/${other.reference}/posts/${reference}`,
      description: expect.stringContaining('&lt;img src=x onerror=alert(1)&gt; &amp; more'),
    });
    const { items } = await jsonFeed(`/feeds/tipster/${other.reference}.json`);
    expect(items[0]).toMatchObject({ title: evil, content_html: expect.stringContaining('&lt;img src=x') });
    const { text } = await ask(`/tipster/${other.reference}/badge.svg`);
    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).not.toMatch(notInXml);
    expect(text).toContain('<title>Eve]]&gt; on Tipledger');
  });

  test('opens a hidden tip at its start, and keeps what is for members to them', async () => {
    standAt(new Date('2026-03-10T20:30:00.000Z'));
    try {
      const { text } = await ask('/feeds/tipster/ann-football.xml');
      expect(text).toContain(tips.hidden);
      expect(text).not.toContain(secret);
    } finally {
      standAt(worldNow);
    }
  });

  test('is none where a guest finds no portfolio, nor is there a badge', async () => {
    const own = await createPortfolio(
      shop.owner,
      { name: 'Ann alone', visibility: PortfolioVisibility.personal },
      worldNow,
    );
    for (const reference of [own.reference, 'nobody'])
      for (const path of [
        `/feeds/tipster/${reference}.xml`,
        `/tipster/${reference}/badge.svg`,
        `/tipster/${reference}/badge`,
      ])
        expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });

  test.each(['ann-football.atom', 'ann-football', 'Ann-Football.xml'])('refuses %j', async (name) => {
    expect((await ask(`/feeds/tipster/${name}`)).status).toBe(400);
  });
});

describe('the feeds of the site', () => {
  test.each(['articles', 'tips-of-the-day', 'football', 'horse-racing'])('%s comes in both formats', async (of) => {
    const feed = await rss(`/feeds/${of}.xml`);
    const json = await jsonFeed(`/feeds/${of}.json`);
    expect(json.items.map(({ url }) => url)).toEqual(feed.item.map(({ link }) => link));
    expect([json.feed_url, json.home_page_url]).toEqual([`${site}/feeds/${of}.json`, feed.link]);
  });

  test('a sport has its articles, however many newer ones are about others; the articles fill their feed', async () => {
    const tennis = 'tennis';
    await sql`
      insert into content_page (kind, reference, title, summary, published_on, demo, facts, body)
      select 'articles', 'feed-' || n, 'Feed article ' || n, ${'A summary that is long enough to stand under a title.'}, date '2030-01-01' + n, false,
        jsonb_build_object('sport', case when n = 0 then ${tennis}::text end), 'Words.' from generate_series(0, 40) n
    `.execute(database());
    forgetEverything();
    try {
      expect((await rss(`/feeds/${tennis}.xml`)).item.map(({ link }) => link)).toContain(`${site}/articles/feed-0`);
      const all = await rss('/feeds/articles.xml');
      expect(all.item).toHaveLength(30);
      expect(all.item[0]?.link).toBe(`${site}/articles/feed-40`);
    } finally {
      await sql`delete from content_page where kind = 'articles' and reference like 'feed-%'`.execute(database());
      forgetEverything();
    }
  });

  test.each(['australian-rules', 'nothing', 'constructor'])('%s has none', async (of) => {
    expect((await ask(`/feeds/${of}.xml`)).status).toBe(404);
  });
});

describe('a calendar', () => {
  const read = async (path: string) => {
    const { status, headers, text } = await ask(path);
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/calendar; charset=utf-8']);
    const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
    expect([
      calendar.name,
      calendar.getFirstPropertyValue('version'),
      calendar.getFirstPropertyValue('prodid'),
    ]).toEqual(['vcalendar', '2.0', '-//Tipledger//Fixtures//EN']);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    return calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  };

  test('of a sport holds its fixtures with their starts and the way to each', async () => {
    const events = await read('/calendars/football.ics');
    const found = events.find(({ summary }) => summary === 'Athletic v Wanderers');
    expect(found?.uid).toBe('athletic-v-wanderers-2026-03-10@localhost');
    expect(found?.startDate.toJSDate()).toEqual(new Date('2026-03-10T20:00:00.000Z'));
    expect(found?.component.getFirstPropertyValue('url')).toBe(`${site}/fixture/athletic-v-wanderers-2026-03-10`);
    expect(found?.location).toBe('England');
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
  });

  test('of a league holds its own alone, with the results of the past week', async () => {
    const events = await read('/calendars/league/england-northern-league.ics');
    expect(events.map(({ summary }) => summary)).toEqual(
      expect.arrayContaining(['Rovers v Town', 'Athletic v Wanderers']),
    );
    expect(events.find(({ summary }) => summary === 'Rovers v Town')?.description).toContain('Result: 2–1');
    const others = await read('/calendars/league/england-southern-league.ics');
    expect(others.map(({ summary }) => summary)).not.toContain('Rovers v Town');
  });

  test(
    'has a fixture without a time on its day where it is played',
    undone(async () => {
      await sql`
        insert into fixture (reference, league_id, name, starts_at, start_time_known, sources)
        select 'day-alone', id, 'Day alone', '2026-03-13T23:00:00Z', false, '{}' from league where reference = 'england-northern-league'
      `.execute(database());
      expect(await writeLeagueCalendar('england-northern-league', worldNow)).toContain(
        'DTSTART;VALUE=DATE:20260314\r\n',
      );
    }),
  );

  test('of a league is there, however many leagues stand before it', async () => {
    await sql`
      with other as (
        insert into league (sport_id, reference, name, rank) select 1, 'calendar-' || n, 'League ' || n, 0 from generate_series(1, 501) n returning id, reference)
      insert into fixture (reference, league_id, name, starts_at, start_time_known, sources)
      select reference, id, reference, ${worldNow}::timestamptz + interval '1 day', true, '{}' from other
    `.execute(database());
    forgetEverything();
    try {
      const events = await read('/calendars/league/england-northern-league.ics');
      expect(events.map(({ summary }) => summary)).toContain('Athletic v Wanderers');
      expect(await read('/calendars/league/calendar-501.ics')).toHaveLength(1);
    } finally {
      await asOwner(sql`delete from fixture where reference like 'calendar-%'`, { unguarded: 'fixture' });
      await asOwner(sql`delete from league where reference like 'calendar-%'`, { unguarded: 'league' });
      forgetEverything();
    }
  });

  test.each(['/calendars/nothing.ics', '/calendars/league/nothing.ics'])('%s is none', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });
});

describe('the badge of a record', () => {
  const picture = '/tipster/ann-football/badge.svg';

  test('says what the record says, in markup that holds nothing but text', async () => {
    const { status, headers, text } = await ask(picture);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).toContain('Ann Football');
    expect(text).toContain('No tips have been settled yet');
    expect(text).not.toMatch(/<script|href|on\w+=|javascript/i);
  });

  test.each([
    ['small letters', 'n'.repeat(60)],
    ['capitals', 'W'.repeat(60)],
    ['full width', '\u8cfd'.repeat(60)],
    ['letters of two units', '\u{1d400}'.repeat(40)],
  ])('has room for a long name of %s, beside nothing else', async (_, name) => {
    await sql`update portfolio set name = ${name} where reference = ${shop.reference}`.execute(database());
    forgetEverything();
    try {
      const { text } = await ask(picture);
      expect(XMLValidator.validate(text)).toBe(true);
      const lines = [...text.matchAll(/<text x="(\d+)" y="(\d+)" font-size="(\d+)"[^>]*>([^<]*)</g)].map(
        ([, x, y, size, words = '']) => ({ x: Number(x), y: Number(y), size: Number(size), words }),
      );
      const shown = lines.find(({ words }) => words.endsWith('…'));
      expect(shown?.words.length).toBeGreaterThan(10);
      expect(name.startsWith(shown?.words.slice(0, -1) ?? '?')).toBe(true);
      const others = lines.filter(({ words }) => words !== shown?.words);
      expect(others.map(({ words }) => words)).toContain('Record on Tipledger');
      for (const { y, size, words } of others)
        expect([words, Math.abs(y - (shown?.y ?? 0)) >= Math.max(size, shown?.size ?? 0)]).toEqual([words, true]);
    } finally {
      await sql`update portfolio set name = 'Ann Football' where reference = ${shop.reference}`.execute(database());
      forgetEverything();
    }
  });

  test('shows on any site, as a picture and as a frame, and may do nothing there', async () => {
    for (const path of [picture, '/tipster/ann-football/badge']) {
      for (const again of [1, 2]) {
        const { headers } = await ask(path);
        expect([path, again, headers.get('cross-origin-resource-policy'), headers.get('x-frame-options')]).toEqual([
          path,
          again,
          'cross-origin',
          null,
        ]);
        expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.* frame-ancestors \*$/);
        expect(headers.get('content-security-policy')).not.toMatch(/script|unsafe/);
        expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
      }
    }
  });

  test('cannot be made to say anything else', async () => {
    const { text } = await ask(picture);
    for (const query of ['?profit=1000', '?name=Bob&tips=9', '?period=0', '?%3Cscript%3E', `?x=${'y'.repeat(900)}`])
      expect((await ask(`${picture}${query}`)).text).toBe(text);
    expect((await ask(picture, { 'x-forwarded-host': 'evil.example' })).text).toBe(text);
    expect((await ask('/tipster/ann-football/badge?name=Bob')).text).not.toContain('Bob');
  });

  test('is another as soon as a tip is settled, and is asked for by its mark until then', async () => {
    const before = await ask(picture);
    const mark = before.headers.get('etag') ?? '';
    expect((await ask(picture, { 'if-none-match': mark })).status).toBe(304);
    standAt(new Date('2026-03-11T12:00:00.000Z'));
    try {
      const { importFixtures } = await import('@/lib/fixtures/commands');
      const { match } = await import('../support/world');
      const result = { home: 1, away: 0, halfTime: { home: 0, away: 0 } };
      await importFixtures(
        [{ line: 1, fixture: match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', { result }) }],
        'football-data',
        new Date('2026-03-11T12:00:00.000Z'),
      );
      await openCommitments(new Date('2026-03-11T12:00:00.000Z'));
      await settleDueTips(new Date('2026-03-11T12:00:00.000Z'));
      const after = await ask(picture, { 'if-none-match': mark });
      expect(after.status).toBe(200);
      expect(after.text).toMatch(
        /Profit \+4\.50 u, Yield \+150\.0%, Won 100%, Tips 3\. Too few to judge: all tips since /,
      );
      const { corner } = await readCard('tipster', 'ann-football', new Date('2026-03-11T12:00:00.000Z'));
      expect(corner).toBe('All time, too few to judge');
    } finally {
      standAt(worldNow);
    }
  });
});

describe('oEmbed', () => {
  const of = (path: string, more = '') => ask(`/oembed?url=${encodeURIComponent(`${site}${path}`)}${more}`);

  test('gives a frame of the badge for a page of a portfolio', async () => {
    const { status, text } = await of('/tipster/ann-football');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      version: '1.0',
      type: 'rich',
      width: 360,
      provider_name: 'Tipledger',
      author_name: 'Ann Football',
      html: expect.stringMatching(/^<iframe src="http:\/\/localhost:3000\/tipster\/ann-football\/badge" /),
    });
  });

  test('gives no more than a link where less room is asked for', async () => {
    const embed = JSON.parse((await of('/tipster/ann-football', '&maxwidth=200')).text) as Record<string, unknown>;
    expect([embed.type, embed.html]).toEqual(['link', undefined]);
  });

  test.each([
    ['another page', `${site}/football`, 404],
    ['nobody', `${site}/tipster/nobody`, 404],
    ['another site', 'https://evil.example/tipster/ann-football', 404],
    ['a site that begins as ours', 'http://localhost:3000.evil.example/tipster/ann-football', 404],
    ['nothing', '', 404],
  ])('knows %s not', async (_, url, status) => {
    expect((await ask(`/oembed?url=${encodeURIComponent(url)}`)).status).toBe(status);
  });

  test('refuses another format and no address', async () => {
    expect((await of('/tipster/ann-football', '&format=xml')).status).toBe(400);
    expect((await ask('/oembed')).status).toBe(400);
  });
});
