import fc from 'fast-check';
import { safeRedirect } from '@/lib/access/rules';

const site = 'https://tipledger.example';

const safe = ['/', '/dashboard', '/tipster/ann-football/tips?skip=2', '/login?redirect_to=%2Fdashboard', '/search?q=100%25', '/search?q=a+b%26c', '/football?before=2026-03-10T12:00:00Z', '/tipster/ann#tips', '/a/b/', '/a%20b'];

const hosts = ['evil.example', 'evil.example/path', 'user@evil.example', 'tipledger.example@evil.example', 'tipledger.example.evil.example', '%65vil.example', '127.0.0.1', '[::1]', '0x7f000001', '2130706433', 'evil。example', 'еvil.example'];
const slashes = ['/', '\\', '%2f', '%2F', '%5c', '%5C', '%252f', '%255c', '%25252f', '／', '＼', '%EF%BC%8F', '\t/', '/\t', '\n/', '\r\n/', '/%09', '/%0a', '/%0d%0a', '/\u0000', '/%00', '/\u200b', '/%E2%80%8B', '/\ufeff', '/\u202e', '/\u2028'];
const schemes = ['http:', 'https:', 'HTTPS:', 'javascript:', 'JaVaScRiPt:', 'java\tscript:', 'data:text/html,', 'vbscript:', 'file:', 'ftp:', 'blob:', 'about:', 'mailto:', 'tel:', 'ws:', 'view-source:', 'intent:'];

const payloads = new Set([
  ...hosts.flatMap((host) => slashes.flatMap((slash) => [`/${slash}${host}`, `${slash}${slash}${host}`])),
  ...schemes.flatMap((scheme) => [`${scheme}//evil.example`, `${scheme}evil.example`, `/${scheme}//evil.example`, ` ${scheme}//evil.example`, `\t${scheme}//evil.example`, `%20${scheme}//evil.example`, encodeURIComponent(`${scheme}//evil.example`)]),
  ...hosts.flatMap((host) => [host, `.${host}`, `@${host}`, `?//${host}`, `#//${host}`, `/.//${host}`, `/..//${host}`, `/./${'%2f'}${host}`, `/a/..//${host}`, `/a//${host}`, `/%2e%2e//${host}`, `/${'%25'.repeat(3)}2f${host}`]),
  '', ' ', '//', '///', '/\\', '\\', '\\\\', '%', '/%', '/%zz', '/%c0%af', '/%e0%80%af', '/..', '/../..', '/a/../b', '/./a', '/%2e%2e/a', '/a/%2e%2e/b', `/${'a'.repeat(2_001)}`, `/${'%25'.repeat(12)}2f`, '/a:b', '/\ud800',
]);

test('the payloads are some hundreds', () => {
  expect(payloads.size).toBeGreaterThan(700);
});

test.each(safe)('the address %s of this site is followed as it is', (path) => {
  expect(safeRedirect(path)).toBe(path);
});

test('nothing is followed that could lead elsewhere: schemes, second slashes, backslashes, user names, encodings, control and invisible characters', () => {
  const followed = [...payloads].filter((payload) => safeRedirect(payload) !== null);
  expect(followed).toEqual([]);
});

test.each([null, undefined, ''])('%p is no address', (given) => {
  expect(safeRedirect(given)).toBeNull();
});

// As a browser reads a Location header and a link; as a server may that decodes once more than it should.
function ends(path: string): string[] {
  const readings = [path, path.replace(/[\t\n\r]/g, ''), path.trim()];
  try {
    readings.push(decodeURIComponent(path), decodeURIComponent(decodeURIComponent(path)));
  } catch {
    // A text that cannot be decoded is read in no further way.
  }
  return readings.map((reading) => new URL(reading, `${site}/login`).origin);
}

test('whatever is followed stays on this site, for every reader, whatever it was made of', () => {
  const piece = fc.constantFrom(...slashes, ...schemes, ...hosts, '/', '.', '..', ':', '@', '?', '#', '%', '%25', '%2e', 'a', 'dashboard', ' ', '%20', ';', '&', '=');
  const made = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.oneof(made, made.map((text) => `/${text}`), fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `/${text}`)), (text) => {
      const followed = safeRedirect(text);
      if (followed !== null) expect([followed, ...new Set(ends(followed))]).toEqual([text, site]);
    }),
    { numRuns: 5_000 },
  );
});
