import { addressToKeep, assetsNamedIn, isAhead, isGuestPage, isKeptAddress } from '@/worker/kept-pages';

type Asked = { url: URL; sameOrigin: boolean; request: { mode: string; headers: Headers } };
type Row = { urlPattern(asked: Asked): boolean; options: { cacheName: string; expiration?: { maxEntries: number } } };

const { runtimeCaching } = jest.requireActual<{ runtimeCaching: readonly Row[] }>(
  '../../../worker/runtime-caching.mjs',
);

const site = 'https://tipledger.example';
const html = { 'content-type': 'text/html; charset=utf-8' };
const answer = (headers: Record<string, string>, status = 200) =>
  new Response(status === 304 ? null : '<title>Football</title>', { status, headers });

describe('the address of a page', () => {
  test.each([
    '/',
    '/football',
    '/football?league=premier-league',
    '/fixture/a-v-b-2026-11-21',
    '/tipster/ann/tips/0123456789',
    '/articles/editors-choice',
    '/ledger',
  ])('%s may be kept', (path) => {
    expect(isKeptAddress(new URL(path, site))).toBe(true);
  });

  test.each([
    '/dashboard',
    '/dashboard/settings',
    '/login?redirect_to=%2F',
    '/register',
    '/register/verify',
    '/forgotten-password',
    '/unsubscribe/6f1c',
    '/admin',
    '/tipster/ann/manage',
    '/tipster/ann/earnings',
    '/tipster/ann/autobets',
    '/tipster/ann/posts/add-post',
    '/tipster/ann/posts/first/edit',
    '/tipster/new',
    '/add-tips/football',
    '/affiliates/me',
    '/search?q=arsenal',
    '/football?q=arsenal',
    '/api/user',
    '/_next/static/chunks/a.js',
    '/manifest.webmanifest',
    '/~offline',
  ])('%s is never kept', (path) => {
    expect(isKeptAddress(new URL(path, site))).toBe(false);
  });

  test('is kept without its fragment, the name of a campaign or a friend, and what asks for a part of it', () => {
    expect(addressToKeep(`${site}/football?days=7&utm_source=mail&_rsc=1x2&ref-a=Ann7#odds`).href).toBe(
      `${site}/football?days=7`,
    );
  });
});

describe('an answer', () => {
  test('that is a whole page for everybody is one of a guest', () => {
    expect(isGuestPage(answer({ ...html, 'cache-control': 'public, max-age=0, must-revalidate' }))).toBe(true);
  });

  test.each([
    ['is private', answer({ ...html, 'cache-control': 'private, max-age=0' })],
    ['may not be stored', answer({ ...html, 'cache-control': 'no-store' })],
    [
      'says what Next says of a page of somebody',
      answer({ ...html, 'cache-control': 'private, no-cache, no-store, max-age=0, must-revalidate' }),
    ],
    ['is missing', answer(html, 404)],
    ['is a fault', answer(html, 500)],
    ['is no page', answer({ 'content-type': 'text/x-component' })],
    ['says not what it is', new Response(new Uint8Array([1]))],
    ['was redirected', Object.defineProperty(answer(html), 'redirected', { value: true })],
  ])('that %s is not', (_, response) => {
    expect(isGuestPage(response)).toBe(false);
  });
});

test.each([
  [{ 'sec-purpose': 'prefetch;prerender' }, true],
  [{ purpose: 'prefetch' }, true],
  [{ rsc: '1', 'next-router-prefetch': '1' }, true],
  [{ rsc: '1' }, false],
  [{}, false],
])('a request with %j is made ahead of a visit: %s', (headers, expected) => {
  expect(isAhead({ headers: new Headers(headers as Record<string, string>) })).toBe(expected);
});

test('the files of the build are found in the tags of a page and in what React reads, each once, without those for browsers that have no workers', () => {
  const page = `<link rel="stylesheet" href="/_next/static/css/0a1b.css"/><link rel="preload" as="font" href="/_next/static/media/archivo-s.p.2c3d.woff2"/>
    <script src="/_next/static/chunks/app/(main)/%5Bsport%5D/page-4e5f.js" async=""></script>
    <script>self.__next_f.push([1,"3:I[1,[\\"117\\",\\"static/chunks/117-6a7b.js\\",\\"static/chunks/app/(main)/%5Bsport%5D/page-4e5f.js\\"],\\"X\\"]"])</script>
    <script src="/_next/static/chunks/polyfills-8c9d.js" noModule=""></script>
    <img src="/images/logo.svg"/>`;
  expect(assetsNamedIn(page)).toEqual([
    '/_next/static/css/0a1b.css',
    '/_next/static/media/archivo-s.p.2c3d.woff2',
    '/_next/static/chunks/app/(main)/%5Bsport%5D/page-4e5f.js',
    '/_next/static/chunks/117-6a7b.js',
  ]);
});

describe('the worker', () => {
  const asked = (
    path: string,
    {
      mode = 'cors',
      headers = {},
      sameOrigin = true,
    }: { mode?: string; headers?: Record<string, string>; sameOrigin?: boolean } = {},
  ): Asked => ({
    url: new URL(path, site),
    sameOrigin,
    request: { mode, headers: new Headers(headers) },
  });
  const cacheFor = (request: Asked): string | null =>
    runtimeCaching.find(({ urlPattern }) => urlPattern(request))?.options.cacheName ?? null;

  test.each([
    ['/football', { mode: 'navigate' }, 'pages'],
    ['/dashboard', { mode: 'navigate' }, 'pages'],
    ['/_next/static/chunks/a.js', {}, 'build-assets'],
    ['/images/sports/golf.svg', {}, 'images'],
    ['/api/fixture/a-v-b', {}, 'fixtures'],
    ['/api/fixture/a-v-b/score', {}, 'fixtures'],
  ])('has a cache for %s', (path, how, name) => {
    expect(cacheFor(asked(path, how))).toBe(name);
  });

  test.each([
    ['a call with a bearer', '/api/fixture/a-v-b', { headers: { authorization: 'Bearer x' } }],
    ['markets, which are for members', '/api/fixture/a-v-b/markets', {}],
    ['the user', '/api/user', {}],
    ['the version', '/api/edge/version', {}],
    ['a call that is opened as a page', '/api/ledger/export', { mode: 'navigate' }],
    ['a part of a page', '/football?_rsc=1x2', { headers: { rsc: '1' } }],
    ['another site', '/football', { mode: 'navigate', sameOrigin: false }],
    ['the worker itself', '/sw.js', {}],
  ])('leaves %s to the network', (_, path, how) => {
    expect(cacheFor(asked(path, how))).toBeNull();
  });

  test('answers without the network only from caches that are bounded', () => {
    const bounds = Object.fromEntries(
      runtimeCaching.map(({ options }) => [options.cacheName, options.expiration?.maxEntries]),
    );
    // The pages are bounded where they are kept.
    expect(bounds).toEqual({ pages: undefined, 'build-assets': 400, images: 150, fixtures: 60 });
  });
});
