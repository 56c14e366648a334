import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { CachedAddress } from '@/lib/http/cached-pages';
import type { Captured } from '@/lib/http/capture';
import { PageCache } from '@/lib/http/page-cache';
import type { Match, Patterns } from '@/lib/http/patterns';
import { bareContentSecurityPolicy, securityHeaders } from '@/lib/http/security-headers';
import { type Header, StoredAnswer } from '@/lib/http/stored-answer';
import { reads } from '@/lib/platform/cache';
import { Queue } from '@/lib/platform/queue';
import type { Call } from './handle';

const mostBytes = 32 * 1024 * 1024;
const longestAddress = 400;
const plain = /^(?:\/[\w.~-]+)+$/;

// The way to the database is the narrow one.
const limits = { atOnce: 8, waiting: 1_000, perLine: 1_000, waitMilliseconds: 5_000 };

// Made anew for what is kept, by its bytes in each encoding.
const remade = new Set(['content-type', 'content-length', 'etag', 'vary']);

/** True for a request that no bearer names anybody in, so that its call answers as it does everybody. */
export const isAnonymous = ({ headers }: IncomingMessage): boolean => headers.authorization === undefined;

/** The answers of the calls that declare for how long theirs are kept, as pages are: whole, under the tags of what was read for them. */
export function keptAnswers(calls: Patterns<ReadonlyMap<string, Call>>): PageCache<Captured> {
  const callAt = (path: string): Match<Call> | null => {
    const found = calls.find(path);
    const call = found?.value.get('GET');
    return call?.declaration.keptSeconds === undefined || !found ? null : { ...found, value: call };
  };
  const addressOf = (url: string): CachedAddress | null => {
    const [path = '', search = ''] = url.split('?', 2);
    if (url.length > longestAddress || !plain.test(path)) return null;
    const call = callAt(path)?.value;
    if (!call || !isDeclared(call, search)) return null;
    return { url, wanted: 'document', key: url, onlyMissing: false, mayBeOwn: false };
  };
  const capture = async ({ url }: CachedAddress): Promise<Captured> => {
    const address = new URL(url, 'http://localhost');
    const found = callAt(address.pathname);
    if (!found) throw new Error('Only calls are kept here.');
    reads([], found.value.declaration.keptSeconds ?? 0);
    const { status, headers, body } = await found.value.answer(new Request(address), found.params);
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new Error('Only a whole answer is kept.');
    return { status, headers: Object.fromEntries(headers), body: Buffer.from(body) };
  };
  const store = async ({ status, headers, body }: Captured) =>
    new StoredAnswer({ status, mediaType: String(headers['content-type']), headers: headersOf(headers), body });
  return new PageCache(
    { queue: new Queue(limits, 'Too many calls are made at the moment. Try again in a few seconds.'), capture, store },
    { addressOf, mostBytes },
  );
}

/** True for a query of parameters that the call declares, each once: of others there are any number. */
function isDeclared({ declaration: { query } }: Call, search: string): boolean {
  if (search === '') return true;
  const names = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  const given = [...new URLSearchParams(search).keys()];
  return new Set(given).size === given.length && given.every((name) => names.includes(name));
}

function headersOf(headers: Captured['headers']): Header[] {
  const given = Object.entries(headers).flatMap(([name, value]): Header[] =>
    remade.has(name) ? [] : [[name, String(value)]],
  );
  const ours: Header[] = [['content-security-policy', bareContentSecurityPolicy], ...securityHeaders()];
  // What a call says of its own answer stands instead of what is said of all.
  return [
    ...given.filter(([, value]) => value !== ''),
    ['vary', 'Authorization, Accept-Encoding'],
    ...ours.filter(([name]) => headers[name] === undefined),
  ];
}
