import { isPlainPath, isPlainQuery, plainSpelling, withFewParameters, withoutNul } from '@/lib/http/address';

describe('a path', () => {
  test.each([
    '/',
    '/football',
    '/fixture/rovers-v-town-2026-03-07',
    '/football/',
    '/caf%C3%A9',
    '/fixture/a%2fb',
    '/.well-known/x',
    '/a..b',
    '/__proto__',
  ])('%s means one thing', (path) => {
    expect(isPlainPath(path)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['no slash', 'football'],
    ['another address', 'http://evil.example/'],
    ['another host', '//evil.example'],
    ['another host by encoded slashes', '/%2f%2fevil.example'],
    ['another host by a backslash', '/\\evil.example'],
    ['another host by an encoded backslash', '/%5Cevil.example'],
    ['two slashes inside', '/football//x'],
    ['a step upwards', '/football/../x'],
    ['an encoded step upwards', '/%2E%2e/x'],
    ['a step upwards behind an encoded slash', '/football%2f..%2fx'],
    ['a step nowhere', '/./football'],
    ['a NUL', '/%00'],
    ['an encoded line break', '/football%0D%0A'],
    ['a percent sign alone', '/%'],
    ['an encoding that is cut off', '/%E0%A4%A'],
    ['bytes that are not UTF-8', '/%ff'],
  ])('with %s is refused', (_, path) => {
    expect(isPlainPath(path)).toBe(false);
  });
});

test('a query without U+0000 can be read, and no other', () => {
  expect(['', 'q=a%2500', 'q=%C3%BC&x', 'a=1&b=%20'].map(isPlainQuery)).toEqual([true, true, true, true]);
  expect(['q=%00', 'q=a%00b&c', '%00', 'a\0'].map(isPlainQuery)).toEqual([false, false, false, false]);
});

describe('an address', () => {
  test.each([
    ['/d%61shboard', '/dashboard'],
    ['/%64ashboard/%73ettings?tab=%61', '/dashboard/settings?tab=%61'],
    ['/caf%C3%A9', '/caf%C3%A9'],
    ['/a%2Fb%3Fc%20d', '/a%2Fb%3Fc%20d'],
    ['/a%2eb%7Ec', '/a.b~c'],
    ['/a%', '/a%'],
    ['/', '/'],
    ['/?a?b', '/?a?b'],
  ])('%s is spelled %s', (given, spelled) => {
    expect(plainSpelling(given)).toBe(spelled);
  });
});

test.each([
  ['/football', '/football'],
  ['/football?league=a&days=14', '/football?league=a&days=14'],
  ['/search?q=why?%3F', '/search?q=why?%3F'],
  ['/football?league=%00&before=x&days=%', '/football?before=x&days=%'],
  ['/search?q=a?%00&page=2', '/search?page=2'],
  ['/search?q=%00', '/search'],
])('%s is read without the parameters that hold U+0000', (address, read) => {
  expect(withoutNul(address)).toBe(read);
});

test('a query has five hundred parameters at most, the first of them', () => {
  const of = (count: number) => `/dashboard?${Array.from({ length: count }, (_, index) => `${index}=a?b`).join('&')}`;
  for (const address of ['/', '/dashboard', '/dashboard?', of(1), of(500)])
    expect(withFewParameters(address)).toBe(address);
  expect(withFewParameters(of(5_000))).toBe(of(500));
});
