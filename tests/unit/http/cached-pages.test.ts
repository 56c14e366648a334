import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { comparisonParameters, routeTable } from '@/lib/route-table';
import { comparisonFilterSchema } from '@/lib/stats/schema';
import { cachedAddress, isNowhere } from '@/lib/http/cached-pages';
import { sports } from '@/lib/reference/schema';

const kept = (url: string) => ({ url, wanted: 'document', key: url, onlyMissing: false, mayBeOwn: false });

describe('the address that a page is kept under', () => {
  test.each([
    ['/', '/'],
    ['/?utm_source=x&fbclid=y', '/'],
    ['/football?skip=40&days=14', '/football?days=14&skip=40'],
    ['/football?days=a+b%20c', '/football?days=a+b+c'],
    ['/football?league=&days=7&days=14', '/football'],
    ['/football/league/a?days=14&x=1', '/football/league/a?days=14'],
    ['/football/team/a?before=b&days=14', '/football/team/a?before=b'],
    ['/football?%&%ff=%', '/football'],
    ['/fixture/rovers-v-town-2026-03-07?odds=US#odds', '/fixture/rovers-v-town-2026-03-07?odds=US%23odds'],
    ['/tipster?page=2&sportId=1', '/tipster?sportId=1&page=2'],
    ['/ledger?tip=abc&x=1', '/ledger?tip=abc'],
    ['/tipster/compare?with=a&with=b,c&period=6', '/tipster/compare?with=a%2Cb%2Cc&period=6'],
    ['/tipster/compare?with=&period=5&period=6', '/tipster/compare'],
  ])('of %s is %s', (given, address) => {
    expect(cachedAddress(given)).toEqual(kept(address));
  });

  test('names its own parameters, so that asking by it leads to itself', () => {
    for (const url of ['/', '/football?days=14&skip=40', '/tipster?sportId=1&page=2'])
      expect(cachedAddress(url)?.url).toBe(url);
  });

  test.each([
    '/dashboard',
    '/dashboard/settings',
    '/login?redirect_to=/x',
    '/search?q=a',
    '/admin',
    '/tipster/ann/manage',
    '/gold',
    '/football/free',
    '/Football',
    '/Football/league/a',
    '/football?league=a&days=14',
    '/football/',
    '/Foot%62all',
    '/caf%C3%A9',
    '//evil.example',
    '',
    `/football?league=${'a'.repeat(500)}`,
    `/${'a'.repeat(500)}`,
  ])('is none for %s', (url) => {
    expect(cachedAddress(url)).toBeNull();
  });

  test('of the data of a page is another than that of its document', () => {
    expect(cachedAddress('/football?_rsc=abc', 'data')).toEqual({
      ...kept('/football'),
      wanted: 'data',
      key: 'data:/football',
    });
  });

  test('says where a member may have a page of their own that no guest sees', () => {
    expect(
      ['/tipster/ann', '/tipster/ann/stats', '/tipster', '/football'].map((url) => cachedAddress(url)?.mayBeOwn),
    ).toEqual([true, true, false, false]);
  });

  test('of a page that the site does not have serves only to say so', () => {
    expect(cachedAddress('/no/such/page')).toEqual({ ...kept('/no/such/page'), onlyMissing: true });
    expect(cachedAddress('/no/such/page?x=1')).toEqual(cachedAddress('/no/such/page'));
  });
});

describe('a path of which there is nothing', () => {
  test.each(['/no/such/page', '/a', '/a'.repeat(40)])('is %s', (path) => {
    expect(isNowhere(path)).toBe(true);
  });

  test.each(['/', '/football', '/gold', '/dashboard/a', '/tipster/ann/manage', '/_not-found', '/affiliate/a/b/c/d'])(
    'is not %s',
    (path) => {
      expect(isNowhere(path)).toBe(false);
    },
  );

  test('is split some few times, not anew for each page and old address', () => {
    const split = jest.spyOn(String.prototype, 'split');
    try {
      for (const path of ['/a'.repeat(30), '/a'.repeat(7_700)]) {
        split.mockClear();
        expect(isNowhere(path)).toBe(true);
        expect(split.mock.calls.length).toBeLessThan(10);
      }
    } finally {
      split.mockRestore();
    }
  });
});

describe('the table of kept pages', () => {
  const folders = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter(
    (file) => path.basename(file) === 'page.tsx',
  );
  const patternOf = (file: string) =>
    `/${path
      .dirname(file)
      .split(path.sep)
      .filter((part) => !/^\(.*\)$/.test(part) && part !== '.')
      .join('/')}`;
  const fits = (folder: string, pattern: string) => {
    const [have, want] = [folder, pattern].map((text) => text.split('/').filter(Boolean));
    return (
      have?.length === want?.length &&
      (have ?? []).every(
        (part, index) =>
          part === want?.[index] ||
          (part.startsWith('[') && want?.[index]?.startsWith('{')) ||
          (part === '[sport]' && sports.some(({ reference }) => reference === want?.[index])),
      )
    );
  };

  const pages = routeTable.flatMap(({ path: pattern, access, kept: names }) =>
    names === null ? [] : [{ pattern, access, names }],
  );

  test('has only pages that everybody may see', () => {
    expect(pages.filter(({ access }) => access !== 'public')).toEqual([]);
    expect(pages.length).toBeGreaterThan(40);
  });

  test('knows everything that the comparison is filtered by', () => {
    expect(comparisonParameters).toEqual(Object.keys(comparisonFilterSchema.shape));
  });

  test.each(pages.map(({ pattern, names }) => [pattern, names] as const))(
    'knows every parameter that %s reads',
    (pattern, names) => {
      const exact = folders.find((file) => patternOf(file) === pattern);
      const file = exact ?? folders.find((each) => fits(patternOf(each), pattern));
      expect(file).toBeDefined();
      const source = readFileSync(path.join('app', file ?? ''), 'utf8');
      expect(existsSync(path.join('app', file ?? ''))).toBe(true);
      expect([pattern, source.includes('searchParams')]).toEqual([pattern, names.length > 0]);
      expect(source).not.toMatch(/next\/headers|pageViewer/);
      const read = [...source.matchAll(/(?:searchParams\)|given)\.(\w+)/g)].map(([, name]) => name ?? '');
      expect(read.filter((name) => !names.includes(name))).toEqual([]);
    },
  );
});
