import { STATUS_CODES, type ServerResponse } from 'node:http';
import { isFailure } from '@/lib/platform/errors';
import { bareContentSecurityPolicy, securityHeaders } from './security-headers';
import type { Header } from './stored-answer';

const openings: Partial<Record<number, string>> = { 401: 'Forbidden', 404: 'Not Found' };

/** What the body of a refusal says: spec §8 and product §15 have that of a 401 begin with 'Forbidden' and that of a 404 with 'Not Found'. */
export function refusalText(status: number, message: string): string {
  const opening = openings[status];
  return opening === undefined || message.startsWith(opening) ? message : `${opening}. ${message}`;
}

const headersOf = (mediaType: string, more: readonly Header[]): Header[] => [
  ...securityHeaders(),
  ['content-security-policy', bareContentSecurityPolicy],
  ['content-type', `${mediaType}; charset=utf-8`],
  ['cache-control', 'no-store'],
  ...more,
];

/** Refuses a request before Next sees it: as JSON, as the calls do, for a call, else in a line of text. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  { call = false, more = [] }: { call?: boolean; more?: readonly Header[] } = {},
): void {
  const text = refusalText(status, message);
  const body = call ? JSON.stringify({ status, message: text }) : `${text}\n`;
  const headers = headersOf(call ? 'application/json' : 'text/plain', [
    ...more,
    ['content-length', String(Buffer.byteLength(body))],
  ]);
  response.writeHead(status, headers.flat());
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** After how many seconds whoever is refused because much is being done is asked to come again. */
export const retrySeconds = 5;

/** Tells whoever a queue refused to come again, as `refuse` does; throws what was no such refusal. */
export function refuseBusy(response: ServerResponse, error: unknown, { call = false } = {}): void {
  if (!isFailure(error, 'unavailable')) throw error;
  refuse(response, 503, error.message, { call, more: [['retry-after', String(retrySeconds)]] });
}

/** A whole refusal as it goes over a connection on which nothing could be read; the connection ends with it. */
export function rawRefusal(status: number, message: string, more: readonly Header[] = []): string {
  const body = `${message}\n`;
  const headers: Header[] = [
    ...headersOf('text/plain', more),
    ['content-length', String(Buffer.byteLength(body))],
    ['connection', 'close'],
  ];
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
