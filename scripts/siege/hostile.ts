import { toUSVString } from 'node:util';
import type { Choice } from './choice';
import type { Schema, Target } from './inputs';

/** A request that is written as HTTP/1.1 has it, whatever is in it. */
export type Hostile = { label: string; method: string; path: string; headers: [string, string][]; body: Buffer | null };

/** What hostile requests are made of. */
export type Supplies = {
  texts: readonly string[];
  values: readonly unknown[];
  addresses: readonly string[];
  references: readonly string[];
  logins: readonly { token: string; cookie: string }[];
  behindProxy: boolean;
};

const encoders: ((text: string) => string)[] = [
  (text) => encodeURIComponent(toUSVString(text)),
  (text) => encodeURIComponent(encodeURIComponent(toUSVString(text))),
  (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  // As it is, but for what would end the line.
  (text) =>
    Buffer.from(text.replace(/[\s\0]/g, '+'))
      .toString('latin1')
      .replace(/[^\x21-\x7e\x80-\xff]/g, ''),
];

const inQuery = (choice: Choice, text: string) =>
  choice.in100(70) ? encodeURIComponent(toUSVString(text)) : choice.of(encoders)(text).replace(/[#]/g, '%23');

// What ends a login or an account is sent without one, so that there are members left.
const ends = /^\/api\/(?:account\/delete|user\/sessions|auth\/logout)$/;

function fill(choice: Choice, { texts, addresses, references }: Supplies, { kind, path }: Target): string {
  if (kind === 'page' && choice.in100(15) && addresses.length > 0) return choice.of(addresses);
  const parts = path.split('/').map((part) => {
    if (!part.startsWith('{')) return part;
    if (part === '{reference}' && kind === 'call' && references.length > 0 && choice.in100(50))
      return choice.of(references);
    if (choice.in100(50) && addresses.length > 0) return choice.of(addresses).split('/').at(-1) ?? 'x';
    return choice.of(encoders)(choice.of(texts)).slice(0, 3_000) || 'x';
  });
  return parts.join('/').replace(/[#?]/g, '%3f') || '/';
}

function queryOf(choice: Choice, { texts }: Supplies, names: readonly string[]): string {
  if (names.length === 0 || choice.in100(25))
    return choice.in100(5) ? `?${choice.of(encoders)(choice.of(texts)).slice(0, 2_000)}` : '';
  const pairs = Array.from(
    { length: 1 + choice.below(4) },
    () =>
      `${choice.in100(90) ? choice.of(names) : inQuery(choice, choice.of(texts)).slice(0, 50)}=${inQuery(choice, choice.of(texts)).slice(0, 2_000)}`,
  );
  return `?${pairs.join('&')}`;
}

const headerNames = [
  'cookie',
  'rsc',
  'next-action',
  'next-router-state-tree',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-url',
  'next-foo',
  'x-nextjs-data',
  'x-middleware-subrequest',
  'x-middleware-prefetch',
  'x-matched-path',
  'x-invoke-path',
  'x-invoke-status',
  'x-now-route-matches',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'forwarded',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method-override',
  'x-request-id',
  'origin',
  'referer',
  'sec-fetch-site',
  'accept',
  'accept-encoding',
  'accept-language',
  'if-none-match',
  'if-modified-since',
  'range',
  'content-type',
  'content-encoding',
  'authorization',
  'idempotency-key',
  'user-agent',
  'te',
  'upgrade',
  'expect',
  'content-security-policy',
  'purpose',
  'save-data',
  'last-event-id',
  'max-forwards',
  'via',
  'x-tipledger-address',
];
const headerValues = [
  '1',
  '0',
  '*',
  'gzip',
  'br;q=0, identity;q=0',
  'text/html',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'same-origin',
  'cross-site',
  'null',
  'bytes=0-1',
  'bytes=9999999-',
  'websocket',
  'https',
  'evil.example',
  'https://evil.example',
  '[""]',
  '%5B%22%22%5D',
  'Bearer x',
  'Basic x',
  "script-src 'nonce-siege'",
  'middleware:middleware:middleware',
];

const headerText = (text: string) =>
  Buffer.from(text.replace(/[\r\n\0]/g, ' '))
    .toString('latin1')
    .slice(0, 3_000);

function headersOf(
  choice: Choice,
  { texts, logins, behindProxy }: Supplies,
  { path, headers: wanted }: Target,
): [string, string][] {
  const headers: [string, string][] = [
    [
      'host',
      choice.in100(90)
        ? 'localhost'
        : choice.of(['evil.example', '', 'localhost:1', '[::1]', 'a b', headerText(choice.of(texts))]),
    ],
  ];
  if (behindProxy)
    headers.push(['x-forwarded-for', `10.${choice.below(256)}.${choice.below(256)}.${choice.below(256)}`]);
  const login = logins.length > 0 && !ends.test(path) && choice.in100(75) ? choice.of(logins) : null;
  if (login !== null) headers.push(['authorization', `Bearer ${login.token}`], ['cookie', login.cookie]);
  for (const name of wanted)
    if (choice.in100(80))
      headers.push([
        name,
        name === 'idempotency-key' && choice.in100(70)
          ? `siege-${choice.below(1_000_000)}`
          : headerText(choice.of(texts)),
      ]);
  for (let more = choice.below(4); more > 0; more -= 1)
    headers.push([choice.of(headerNames), choice.in100(60) ? choice.of(headerValues) : headerText(choice.of(texts))]);
  if (choice.in100(2)) for (let number = 0; number < 150; number += 1) headers.push([`x-many-${number}`, 'x']);
  return headers.filter(
    ([name], index) => name === 'cookie' || headers.findIndex(([other]) => other === name) === index,
  );
}

type Wildness = { odd: number; hostileText: number };

// Half of the bodies are odd in little, so that more than their schema has to stand firm.
const wild: Wildness = { odd: 12, hostileText: 70 };
const tame: Wildness = { odd: 2, hostileText: 25 };

/** A value that fits a schema, but for some part of it now and then. */
function valueFor(choice: Choice, supplies: Supplies, schema: Schema, wildness: Wildness, depth = 0): unknown {
  if (choice.in100(wildness.odd)) return choice.in100(50) ? choice.of(supplies.values) : choice.of(supplies.texts);
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives?.length && depth < 8)
    return valueFor(choice, supplies, choice.of(alternatives), wildness, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.length) return choice.of(schema.enum);
  const type = Array.isArray(schema.type) ? choice.of(schema.type) : schema.type;
  if (type === 'object' || schema.properties) {
    const entries = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      choice.in100(100 - wildness.odd) && depth < 8
        ? [[name, valueFor(choice, supplies, property, wildness, depth + 1)] as const]
        : [],
    );
    if (choice.in100(wildness.odd)) entries.push([choice.of(supplies.texts), choice.of(supplies.values)]);
    return Object.fromEntries(entries);
  }
  if (type === 'array')
    return Array.from({ length: choice.below(4) }, () =>
      valueFor(choice, supplies, schema.items ?? {}, wildness, depth + 1),
    );
  if (type === 'integer') return choice.in100(80) ? 1 + choice.below(30) : choice.of([0, -1, 2 ** 31, 2 ** 53, 0.5]);
  if (type === 'number') return choice.below(1_000) / 10;
  if (type === 'boolean') return choice.in100(50);
  if (type === 'null') return null;
  return choice.in100(wildness.hostileText) ? choice.of(supplies.texts) : 'a plain text';
}

function bodyOf(choice: Choice, supplies: Supplies, schema: Schema): { bytes: Buffer; type: string } {
  const value = valueFor(choice, supplies, schema, choice.in100(50) ? wild : tame);
  if (choice.in100(12)) {
    const fields = Object.entries(typeof value === 'object' && value !== null ? value : { value }).map(
      ([name, field]) => [
        toUSVString(name),
        toUSVString(String(typeof field === 'object' ? JSON.stringify(field) : field)),
      ],
    );
    return { bytes: Buffer.from(new URLSearchParams(fields).toString()), type: 'application/x-www-form-urlencoded' };
  }
  const text = JSON.stringify(value) ?? '';
  const spoiled = choice.in100(8)
    ? choice.of([
        text.slice(0, -1),
        `${text}x`,
        `\ufeff${text}`,
        text.replaceAll('"', "'"),
        'null',
        '"',
        `${text}${' '.repeat(70_000)}`,
        choice.of(supplies.texts),
      ])
    : text;
  return {
    bytes: choice.in100(3) ? Buffer.from(spoiled, 'utf16le') : Buffer.from(spoiled),
    type: choice.in100(94)
      ? 'application/json'
      : choice.of(['text/plain', 'application/xml', 'application/json; charset=utf-16', '']),
  };
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'SEARCH'];

/** A request for a target that no client of ours would send. */
export function hostileRequest(choice: Choice, supplies: Supplies, target: Target): Hostile {
  const method = choice.in100(88) ? target.method : choice.of(methods);
  const path = `${fill(choice, supplies, target)}${queryOf(choice, supplies, target.query)}`.slice(0, 12_000);
  const headers = headersOf(choice, supplies, target);
  const body = target.body && choice.in100(95) ? bodyOf(choice, supplies, target.body) : null;
  if (body?.type) headers.push(['content-type', body.type]);
  return {
    label: `${method} ${target.path}`,
    method,
    path,
    headers: headers.filter(([name], index) => headers.findLastIndex(([other]) => other === name) === index),
    body: body?.bytes ?? null,
  };
}
