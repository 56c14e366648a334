import { keepPage, maxPages } from '@/worker/kept-pages';

const site = 'https://tipledger.example';

/** Caches as a browser has them: what is put again comes last. */
class MemoryCache {
  readonly kept = new Map<string, Response>();
  async match(key: string) {
    return this.kept.get(key)?.clone();
  }
  async put(key: string, response: Response) {
    this.kept.delete(key);
    this.kept.set(key, response);
  }
  async delete(key: string | { url: string }) {
    return this.kept.delete(typeof key === 'string' ? key : key.url);
  }
  async keys() {
    return [...this.kept.keys()].map((url) => ({ url }));
  }
  async add(path: string) {
    this.kept.set(path, await fetch(path));
  }
}

let all: Map<string, MemoryCache>;
const asked: { url: string; credentials: string | undefined }[] = [];
let pageOfGuest: () => Response;

const page = (
  cacheControl: string,
  text = '<title>Football</title><script src="/_next/static/chunks/a-1.js"></script>',
) => new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl } });

const open = async (name: string) => all.get(name) ?? all.set(name, new MemoryCache()).get(name);
const keptPages = () => [...(all.get('pages')?.kept.keys() ?? [])];

beforeEach(() => {
  all = new Map();
  asked.length = 0;
  pageOfGuest = () => page('public, max-age=0');
  Object.assign(globalThis, {
    caches: { open },
    fetch: async (url: string, init?: RequestInit) => {
      asked.push({ url, credentials: init?.credentials });
      return url.startsWith('/_next/') ? new Response('script') : pageOfGuest();
    },
  });
});

test('a page that everybody sees the same is kept as it came, with its scripts, and not asked for again', async () => {
  await keepPage(`${site}/football#odds`, page('public, max-age=0'));
  expect(keptPages()).toEqual([`${site}/football`]);
  expect([...(all.get('build-assets')?.kept.keys() ?? [])]).toEqual(['/_next/static/chunks/a-1.js']);
  expect(asked.map(({ url }) => url)).toEqual(['/_next/static/chunks/a-1.js']);
});

test('of a page that was made for a member only what a stranger gets is kept', async () => {
  pageOfGuest = () => page('public, max-age=0', '<title>Football</title>');
  await keepPage(`${site}/football`, page('private, no-store', '<title>Football of a member</title>'));
  expect(asked).toEqual([{ url: `${site}/football`, credentials: 'omit' }]);
  expect(await (await (await open('pages'))?.match(`${site}/football`))?.text()).toBe('<title>Football</title>');
});

test('nothing is kept when the stranger gets nothing for everybody either', async () => {
  pageOfGuest = () => page('private, no-store');
  await keepPage(`${site}/football`, page('private, no-store'));
  expect(keptPages()).toEqual([]);
});

test('a page of the viewer’s own is not even asked for', async () => {
  await keepPage(`${site}/dashboard`, page('public, max-age=0'));
  expect([keptPages(), asked]).toEqual([[], []]);
});

test('a page that is missing is not asked for twice', async () => {
  await keepPage(
    `${site}/footbal`,
    new Response('', { status: 404, headers: { 'content-type': 'text/html', 'cache-control': 'public' } }),
  );
  expect([keptPages(), asked]).toEqual([[], []]);
});

test('the last visited pages are kept, up to the bound', async () => {
  for (let number = 0; number < maxPages + 5; number += 1)
    await keepPage(`${site}/fixture/${number}`, page('public', '<title>A fixture</title>'));
  await keepPage(`${site}/fixture/10`, page('public', '<title>A fixture</title>'));
  await keepPage(`${site}/fixture/last`, page('public', '<title>A fixture</title>'));
  expect(keptPages()).toHaveLength(maxPages);
  expect(keptPages().slice(-2)).toEqual([`${site}/fixture/10`, `${site}/fixture/last`]);
  expect(keptPages()[0]).toBe(`${site}/fixture/6`);
});
