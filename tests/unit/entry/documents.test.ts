import { isPlainPath } from '@/lib/entry/documents';

describe('a path', () => {
  test.each(['/', '/football', '/fixture/rovers-v-town-2026-03-07', '/football/', '/caf%C3%A9', '/fixture/a%2fb', '/.well-known/x', '/a..b', '/__proto__'])('%s means one thing', (path) => {
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
