import { createHash } from 'node:crypto';
import { memberCookieName, sessionCookieName } from '@/lib/accounts/schema';
import type { SiteHandler } from '@/lib/http/site-handler';
import { cached, forget, forgetEverything, pollForgotten, reads } from '@/lib/platform/cache';
import { now } from '@/lib/platform/clock';
import { logIn, openAccount } from '../support/accounts';
import { onTestDatabase } from '../support/database';
import { startServer } from '../support/site-server';
import { runCanary } from '../support/canary';
import { newInstance } from '../support/instances';
import { Site } from '../support/stand-in-site';
import { type Answer, ask } from '../support/wire';

onTestDatabase();

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

let accounts = 0;

async function signedIn(): Promise<{ cookie: string }> {
  return logIn(await openAccount(`ann${(accounts += 1)}`, {}, now()), now());
}

/** What the browser of a member sends, as both are set together. */
const cookiesOf = (cookie: string) => `${sessionCookieName}=${cookie}; ${memberCookieName}=1`;

const member = { cookie: `${sessionCookieName}=ann` };
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let site: Site;
let origin: string;
let siteHandler: SiteHandler;
let end: () => Promise<void>;

beforeEach(async () => {
  forgetEverything();
  site = new Site();
  ({ origin, siteHandler, end } = await startServer(site.handler));
});
afterEach(() => end());

const count = ({ text }: Answer) => Number(/^<p>\S+ (\d+)/.exec(text)?.[1]);

describe('a guest’s page', () => {
  test('is made once and sent to all, whatever headers and cookies of no account they come with', async () => {
    const answers = [];
    for (const headers of [{}, { cookie: 'theme=dark' }, { 'accept-language': 'ne' }, { host: 'evil.example' }])
      answers.push(await ask(origin, '/football', headers));
    expect(answers.map(count)).toEqual([1, 1, 1, 1]);
    expect(answers.map(({ text }) => /evil|dark|ne</.test(text))).toEqual([false, false, false, false]);
    expect(site.asked).toEqual(['/football']);
  });

  test('is made once for a thousand who ask for it at once', async () => {
    site.make = async () => {
      await pause(200);
      return 'slow';
    };
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask(origin, '/tennis')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(site.asked).toEqual(['/tennis']);
  });

  test('is one page under unknown, empty, repeated and disordered parameters, which the page never sees', async () => {
    const same = [
      '/football?utm_source=x',
      '/football?',
      '/football?days=&league=',
      '/football?days=1&days=2',
      '/football?%',
      '/football',
    ];
    for (const path of same) expect([path, count(await ask(origin, path))]).toEqual([path, 1]);
    for (const path of ['/football?skip=40&utm=1&days=14', '/football?days=14&skip=40'])
      expect(count(await ask(origin, path))).toBe(2);
    expect(site.asked).toEqual(['/football', '/football?days=14&skip=40']);
  });

  test('is the kept one whatever cookie, bearer and header it is asked for with, as the same stands in it for all', async () => {
    await ask(origin, '/football');
    const others = [
      member,
      { cookie: `a=b; ${sessionCookieName}=` },
      { cookie: `${sessionCookieName}=${'x'.repeat(43)}` },
      { authorization: 'Bearer x' },
      { 'next-router-prefetch': '1' },
      { 'next-action': 'x' },
      { 'next-foo': '1' },
      { rsc: '0' },
      { cookie: '__prerender_bypass=1' },
      { 'content-security-policy': "script-src 'nonce-mine'" },
    ];
    for (const headers of others)
      expect([headers, (await ask(origin, '/football', headers)).text.startsWith('<p>/football 1 ')]).toEqual([
        headers,
        true,
      ]);
    expect(site.asked).toEqual(['/football']);
  });

  test('is kept as data for the router too, which is one answer whatever the router says of where it is', async () => {
    site.headers = { 'content-type': 'text/x-component' };
    await ask(origin, '/football');
    for (const [path, headers] of [
      ['/football?_rsc=1a2b3', {}],
      ['/football?_rsc=other&utm=1', { 'next-router-state-tree': 'junk' }],
      ['/football', { 'next-url': '/x' }],
    ] as const) {
      const answer = await ask(origin, path, { rsc: '1', ...headers });
      expect([path, answer.status, answer.headers['content-type'], answer.headers['content-security-policy']]).toEqual([
        path,
        200,
        'text/x-component',
        "default-src 'none'; frame-ancestors 'none'",
      ]);
    }
    expect(site.asked).toEqual(['/football', '/football?_rsc=']);
  });

  test('that is missing is looked for anew by a member whose session holds, where it could be their own, and by nobody else', async () => {
    const { cookie } = await signedIn();
    site.isMissing = (url, asked) =>
      url.startsWith('/nowhere') ||
      url.startsWith('/fixture/') ||
      (url.startsWith('/tipster/hidden') && !asked.cookie?.includes(cookie));
    const [guest, pretender] = [
      await ask(origin, '/tipster/hidden'),
      await ask(origin, '/tipster/hidden', { cookie: `${sessionCookieName}=${'x'.repeat(43)}` }),
    ];
    expect([guest.status, pretender.status, site.asked]).toEqual([404, 404, ['/tipster/hidden']]);
    const own = await ask(origin, '/tipster/hidden', { cookie: `theme=dark; ${cookiesOf(cookie)}` });
    expect([own.status, own.text.includes(`${sessionCookieName}=${cookie}`), own.text.includes('dark')]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await ask(origin, '/tipster/hidden')).status).toBe(404);
    for (const path of ['/nowhere', '/fixture/nothing']) await ask(origin, path, { cookie: cookiesOf(cookie) });
    expect(site.asked).toEqual(['/tipster/hidden', '/tipster/hidden', '/fixture/nothing']);
  });

  test('that is made for each is asked for without anything that no page reads, and without a session that does not hold', async () => {
    const { cookie } = await signedIn();
    const answer = await ask(origin, '/search?q=a', {
      cookie: `a=b; ${cookiesOf(cookie)}`,
      authorization: 'Bearer x',
      'accept-language': 'ne',
    });
    expect(answer.text).toContain(` ${sessionCookieName}=${cookie}</p>`);
    expect((await ask(origin, '/search?q=a', { cookie: `${sessionCookieName}=${'x'.repeat(43)}` })).text).toMatch(
      /^<p>\/search\?q=a \d+ {2}<\/p>/,
    );
  });

  test('that is made for each knows nobody by the session of a browser that was signed out of, though the server could not be told', async () => {
    const { cookie } = await signedIn();
    for (const left of ['', `; ${memberCookieName}=`])
      expect((await ask(origin, '/search?q=a', { cookie: `${sessionCookieName}=${cookie}${left}` })).text).toMatch(
        /^<p>\/search\?q=a \d+ {2}<\/p>/,
      );
  });

  test('that nobody lists, that sets a cookie, fails or leads elsewhere is made for each', async () => {
    await ask(origin, '/search?q=a');
    expect(count(await ask(origin, '/search?q=a'))).toBe(2);
    for (const [status, headers] of [
      [200, { 'set-cookie': 'a=b' }],
      [500, {}],
      [307, { location: '/' }],
    ] as const) {
      Object.assign(site, { status, headers });
      site.asked.length = 0;
      const [first, second] = [await ask(origin, '/boxing'), await ask(origin, '/boxing')];
      expect([first.status, second.status, site.asked.length >= 2]).toEqual([status, status, true]);
      expect(first.headers).toMatchObject(headers['set-cookie' as never] ? { 'set-cookie': ['a=b'] } : headers);
    }
  });

  test('that is missing is kept as such under its own address, with the words of the page for what is missing', async () => {
    const [first, second] = [await ask(origin, '/fixture/nothing'), await ask(origin, '/fixture/nothing?a=b')];
    expect([first.status, second.status, site.asked]).toEqual([404, 404, ['/fixture/nothing']]);
    expect(first.text).toMatch(/^<p>\/_not-found/);
  });

  test('of an address that somebody invents is not made: they all get the words that are there, and nothing is kept', async () => {
    const words = await ask(origin, '/nowhere');
    const before = siteHandler.documents.pages.kept.entries;
    site.asked.length = 0;
    const invented = ['/nowhere/at/all', '/football2', '/a.php', '/wp-admin/x?y=z', '/caf%C3%A9', '/tipster/a/b/c/d/e'];
    for (const address of invented) {
      const { status, text, headers } = await ask(origin, address);
      expect([address, status, text === words.text, headers['content-security-policy']]).toEqual([
        address,
        404,
        true,
        words.headers['content-security-policy'],
      ]);
    }
    expect([site.asked, siteHandler.documents.pages.kept.entries]).toEqual([[], before]);
    expect((await ask(origin, '/manifest.webmanifest')).status).toBe(200);
    expect(site.asked).toEqual(['/manifest.webmanifest']);
  });
});

describe('the answer', () => {
  test('comes in the encoding that the client takes, with a strong tag of its own', async () => {
    const tags = new Set<string>();
    for (const [accepted, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
      ['', undefined],
    ] as const) {
      const { headers, text, bytes } = await ask(origin, '/football', { 'accept-encoding': accepted });
      expect([accepted, headers['content-encoding'], headers['content-length']]).toEqual([
        accepted,
        encoding,
        String(bytes.length),
      ]);
      expect(text).toContain('/football 1');
      expect(headers.etag).toMatch(/^"[\w-]+"$/);
      tags.add(`${encoding} ${headers.etag}`);
      expect(headers.vary).toBe('rsc, Cookie, Accept-Encoding');
    }
    expect(new Set([...tags].map((tag) => tag.split(' ')[1])).size).toBe(3);
  });

  test('is a 304 without a body for whoever has it, with the same policy and tag', async () => {
    const whole = await ask(origin, '/football', { 'accept-encoding': 'br' });
    for (const known of [whole.headers.etag ?? '', `"other", W/${whole.headers.etag}`]) {
      const { status, headers, bytes } = await ask(origin, '/football', {
        'accept-encoding': 'br',
        'if-none-match': known,
      });
      expect([status, bytes.length, headers.etag, headers['content-length']]).toEqual([
        304,
        0,
        whole.headers.etag,
        undefined,
      ]);
      expect(headers['content-security-policy']).toBe(whole.headers['content-security-policy']);
    }
    expect((await ask(origin, '/football', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('to HEAD has the headers of GET and no body', async () => {
    const whole = await ask(origin, '/football', { 'accept-encoding': 'gzip' });
    const { status, headers, bytes } = await ask(
      origin,
      '/football',
      { 'accept-encoding': 'gzip' },
      { method: 'HEAD' },
    );
    expect([status, bytes.length]).toEqual([200, 0]);
    expect({ ...headers, date: '' }).toEqual({ ...whole.headers, date: '' });
    expect(site.asked).toEqual(['/football']);
  });

  test('allows the scripts that Next wrote into it by their hashes, and none that got into it otherwise', async () => {
    for (const path of ['/football', '/search?q=a', '/nowhere']) {
      const { headers, text } = await ask(origin, path);
      const [, own = '', injected = ''] = /<script>([^<]*)<\/script><script>([^<]*)<\/script>$/.exec(text) ?? [];
      const policy = String(headers['content-security-policy']);
      expect([path, own.startsWith('let a'), injected]).toEqual([path, true, 'injected()']);
      expect([path, policy.includes(hashOf(own)), policy.includes(hashOf(injected))]).toEqual([path, true, false]);
    }
  });

  test('has the rules by which browsers fetch pages ahead', async () => {
    for (const accepted of ['identity', 'gzip', 'br']) {
      const { status, headers, text } = await ask(origin, '/speculation-rules.json', { 'accept-encoding': accepted });
      expect([status, headers['content-type']]).toEqual([200, 'application/speculationrules+json']);
      expect(JSON.parse(text)).toMatchObject({
        prerender: [{ eagerness: 'moderate' }],
        prefetch: [{ eagerness: 'moderate' }],
      });
    }
  });
});

describe('forgetting', () => {
  const shown =
    (tag: string, ttlSeconds = 60) =>
    async (url: string) =>
      cached(`shown:${url}`, ttlSeconds, [tag], async () =>
        cached(`inner:${url}`, ttlSeconds, [`inner-${tag}`], async () => 'value'),
      );

  test('drops every page that read what was forgotten, also where that was kept already, and no other', async () => {
    site.make = shown('one');
    await ask(origin, '/football');
    await ask(origin, '/tennis');
    site.make = shown('two');
    await ask(origin, '/boxing');
    const made = site.asked.length;
    await forget(['one']);
    for (const path of ['/football', '/tennis', '/boxing']) await ask(origin, path);
    expect(site.asked.slice(made)).toEqual(['/football', '/tennis']);
    await forget(['inner-two']);
    await ask(origin, '/boxing');
    expect(site.asked.at(-1)).toBe('/boxing');
  });

  test('drops what a page declared without keeping it, and a missing page with it', async () => {
    site.make = async (url) => {
      reads([`subject:${url}`], 60);
      return '';
    };
    for (const path of ['/fixture/soon', '/football']) {
      await ask(origin, path);
      await forget([`subject:${path}`]);
      await ask(origin, path);
    }
    expect(site.asked).toEqual(['/fixture/soon', '/fixture/soon', '/football', '/football']);
  });

  test('keeps no page that was being made meanwhile, and nobody after it joins that making', async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const read = shown('one');
    site.make = async (url) => {
      const value = await read(url);
      if (site.asked.length === 1) await opened;
      return value;
    };
    const old = ask(origin, '/football');
    while (site.asked.length === 0) await pause(5);
    await pause(20);
    await forget(['one']);
    expect(count(await ask(origin, '/football'))).toBe(2);
    open();
    expect(count(await old)).toBe(1);
    expect(count(await ask(origin, '/football'))).toBe(2);
  });

  test('of something else leaves those who ask meanwhile with the making under way', async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const read = shown('one');
    site.make = async (url) => {
      const value = await read(url);
      await opened;
      return value;
    };
    const first = ask(origin, '/football');
    while (site.asked.length === 0) await pause(5);
    await forget(['two']);
    const second = ask(origin, '/football');
    await pause(50);
    open();
    expect([count(await first), count(await second)]).toEqual([1, 1]);
    expect(site.asked).toEqual(['/football']);
  });

  test('of what a making is just reading makes the page anew for who asked after it, once for all of them', async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    site.make = (url) =>
      cached(`page ${url}`, 60, ['one'], async () => {
        if (site.asked.length === 1) await opened;
        return 'value';
      });
    const first = ask(origin, '/football');
    while (site.asked.length === 0) await pause(5);
    await forget(['one']);
    const later = [1, 2, 3].map(() => ask(origin, '/football'));
    await pause(50);
    open();
    expect(count(await first)).toBe(1);
    expect((await Promise.all(later)).map(count)).toEqual([2, 2, 2]);
    expect(count(await ask(origin, '/football'))).toBe(2);
  });

  test('reaches another instance when it next polls', async () => {
    const there = newInstance();
    const other = new Site();
    other.make = shown('shared');
    const { origin: elsewhere, end: endThere } = await there(() => startServer(other.handler));
    await there(pollForgotten);
    await there(() => ask(elsewhere, '/football'));
    await forget(['shared']);
    expect(count(await there(() => ask(elsewhere, '/football')))).toBe(1);
    await there(pollForgotten);
    expect(count(await there(() => ask(elsewhere, '/football')))).toBe(2);
    await endThere();
  });
});

describe('time', () => {
  test('makes a page anew while the last one is sent, and none is sent for longer than the shortest time of its reads', async () => {
    site.make = async () => {
      reads(['a'], 60);
      reads(['b'], 0.6);
      return '';
    };
    expect(count(await ask(origin, '/football'))).toBe(1);
    await pause(400);
    expect(count(await ask(origin, '/football'))).toBe(1);
    while (site.asked.length < 2) await pause(5);
    await pause(20);
    expect(count(await ask(origin, '/football'))).toBe(2);
    await pause(650);
    expect(count(await ask(origin, '/football'))).toBe(3);
  });
});

test('in five thousand requests of guests, members and programs at once no canary is in a wrong answer', async () => {
  const { answered, wrong } = await runCanary(5_000);
  expect([answered, wrong]).toEqual([5_000, []]);
});
