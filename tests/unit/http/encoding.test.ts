import { encodingFor, isCompressible } from '@/lib/http/encoding';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['BR', 'br'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.000,gzip;q=0', 'identity'],
  ['br;q=oops', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity', 'identity'],
  ['brotli, xbr', 'identity'],
])('a client that accepts %p gets %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
  expect(encodingFor(accepted)).toBe(encoding);
});

test('texts of some length are compressed, and nothing else', () => {
  for (const type of [
    'text/html; charset=utf-8',
    'text/javascript',
    'image/svg+xml',
    'application/json',
    'application/manifest+json',
    'application/xml',
  ])
    expect([type, isCompressible(type, 5_000)]).toEqual([type, true]);
  for (const type of ['image/png', 'font/woff2', 'application/octet-stream'])
    expect([type, isCompressible(type, 5_000)]).toEqual([type, false]);
  expect(isCompressible('text/html', 500)).toBe(false);
});
