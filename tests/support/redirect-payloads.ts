/** Addresses of this site that a redirect parameter may name. */
export const safe = ['/', '/dashboard', '/tipster/ann-football/tips?skip=2', '/login?redirect_to=%2Fdashboard', '/search?q=100%25', '/search?q=a+b%26c', '/football?before=2026-03-10T12:00:00Z', '/tipster/ann#tips', '/a/b/', '/a%20b'];

/** Hosts of others, as they are written and disguised. */
export const hosts = ['evil.example', 'evil.example/path', 'user@evil.example', 'tipledger.example@evil.example', 'tipledger.example.evil.example', '%65vil.example', '127.0.0.1', '[::1]', '0x7f000001', '2130706433', 'evil。example', 'еvil.example'];
/** What stands between, or reads as, two slashes. */
export const slashes = ['/', '\\', '%2f', '%2F', '%5c', '%5C', '%252f', '%255c', '%25252f', '／', '＼', '%EF%BC%8F', '\t/', '/\t', '\n/', '\r\n/', '/%09', '/%0a', '/%0d%0a', '/\u0000', '/%00', '/\u200b', '/%E2%80%8B', '/\ufeff', '/\u202e', '/\u2028'];
/** Schemes of addresses. */
export const schemes = ['http:', 'https:', 'HTTPS:', 'javascript:', 'JaVaScRiPt:', 'java\tscript:', 'data:text/html,', 'vbscript:', 'file:', 'ftp:', 'blob:', 'about:', 'mailto:', 'tel:', 'ws:', 'view-source:', 'intent:'];

/** Some hundreds of texts that lead elsewhere for some reader: schemes, second slashes, backslashes, user names, encodings, control and invisible characters. */
export const payloads: ReadonlySet<string> = new Set([
  ...hosts.flatMap((host) => slashes.flatMap((slash) => [`/${slash}${host}`, `${slash}${slash}${host}`])),
  ...schemes.flatMap((scheme) => [`${scheme}//evil.example`, `${scheme}evil.example`, `/${scheme}//evil.example`, ` ${scheme}//evil.example`, `\t${scheme}//evil.example`, `%20${scheme}//evil.example`, encodeURIComponent(`${scheme}//evil.example`)]),
  ...hosts.flatMap((host) => [host, `.${host}`, `@${host}`, `?//${host}`, `#//${host}`, `/.//${host}`, `/..//${host}`, `/./${'%2f'}${host}`, `/a/..//${host}`, `/a//${host}`, `/%2e%2e//${host}`, `/${'%25'.repeat(3)}2f${host}`]),
  '', ' ', '//', '///', '/\\', '\\', '\\\\', '%', '/%', '/%zz', '/%c0%af', '/%e0%80%af', '/..', '/../..', '/a/../b', '/./a', '/%2e%2e/a', '/a/%2e%2e/b', `/${'a'.repeat(2_001)}`, `/${'%25'.repeat(12)}2f`, '/a:b', '/\ud800',
]);
