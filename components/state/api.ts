import { startUnderWay } from './starting';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type ApiOptions = {
  method?: Method;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON, save a file, which is sent as it is. */
  body?: unknown;
  signal?: AbortSignal;
  /** Headers beside the usual ones. */
  headers?: Readonly<Record<string, string>>;
  /** Product §8: names the write, so that sent twice it is done once. */
  idempotencyKey?: string;
  /** The bearer: renewed when it is refused (without saying), sent once as it is (signing out), or not sent (signing in, renewing itself). */
  bearer?: 'renewed' | 'once' | 'none';
};

/** Where the bearer comes from, and how it is renewed; `renew` is true when the call may be tried again. */
export type Bearer = { token: () => string | null; renew: (refused: string) => Promise<boolean> };

/** Spec §8: a refusal of the API, or a connection that failed (status 0). `fields` names what was wrong in what was sent. */
export class ApiError extends Error {
  readonly status: number;
  readonly text: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly answer: unknown;

  constructor({
    status,
    text,
    url,
    answer,
    message,
  }: { status: number; text: string; url: string; answer?: unknown; message?: string }) {
    const given = isRecord(answer) ? answer : {};
    super(message ?? (typeof given.message === 'string' && given.message ? given.message : 'Unknown Error'));
    this.name = 'ApiError';
    this.status = status;
    this.text = text;
    this.url = url;
    this.answer = answer;
    this.fields = isRecord(given.fields)
      ? Object.fromEntries(Object.entries(given.fields).map(([name, why]) => [name, String(why)]))
      : {};
  }
}

const base = '/api';
const patienceSeconds = 10;
const guestBearer: Bearer = { token: () => null, renew: async () => false };

let bearer = guestBearer;
const removed = new Map<string, string>();

/** Lets every call carry this bearer from now on; without one, none. */
export function carryBearer(carried: Bearer = guestBearer): void {
  bearer = carried;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Spec §7, §8: the answer of a call (`path` without /api). Tries again once after a 429, when the server says but at most ten seconds on,
 * and once after a 401 to a bearer that could be renewed. Throws an ApiError for every other refusal, and what `signal` was aborted with.
 */
export async function api<T>(path: string, options: ApiOptions = {}): Promise<T> {
  const url = addressOf(path, options);
  const sent = options.bearer ?? 'renewed';
  const tokenNow = () => (sent === 'none' ? null : bearer.token());
  const starting = startUnderWay();
  if (starting && sent === 'renewed') await starting;
  let token = tokenNow();
  let response = await send(url, options, token);
  if (response.status === 429) {
    await pause(secondsToWait(response), options.signal);
    token = tokenNow();
    response = await send(url, options, token);
  }
  if (response.status === 401 && token && sent === 'renewed' && (await bearer.renew(token)))
    response = await send(url, options, tokenNow());
  const answer = await read(response, url, options.signal);
  if (!response.ok) throw new ApiError({ status: response.status, text: response.statusText, url, answer });
  if (options.method === 'DELETE') noteRemoval(path);
  return answer as T;
}

/** The body of a call whose answer goes on, to be read as it comes; the bearer is renewed once when it is refused. Throws as `api` does. */
export async function apiStream(path: string, options: ApiOptions): Promise<ReadableStream<Uint8Array>> {
  const url = addressOf(path, options);
  await startUnderWay();
  const token = bearer.token();
  let response = await send(url, options, token);
  if (response.status === 401 && token && (await bearer.renew(token)))
    response = await send(url, options, bearer.token());
  if (!response.ok || !response.body) throw new ApiError({ status: response.status, text: response.statusText, url });
  return response.body;
}

function addressOf(path: string, { method = 'GET', query = {} }: ApiOptions): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const bust = method === 'GET' ? removed.get(path) : undefined;
  const parameters = new URLSearchParams([...given, ...(bust ? [['cachebust', bust]] : [])]).toString();
  return `${base}${path}${parameters && `?${parameters}`}`;
}

/** Spec §7: what was removed, and the list that it was in, are asked for past every cache from now on. */
function noteRemoval(path: string): void {
  const bust = Date.now().toString(36);
  removed.set(path, bust);
  removed.set(path.slice(0, path.lastIndexOf('/')), bust);
}

async function send(
  url: string,
  { method = 'GET', body, signal, idempotencyKey, headers: more = {} }: ApiOptions,
  token: string | null,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...more };
  if (token) headers.authorization = `Bearer ${token}`;
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
  if (body !== undefined)
    headers['content-type'] = body instanceof Blob ? 'application/octet-stream' : 'application/json';
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (body !== undefined) init.body = body instanceof Blob ? body : JSON.stringify(body);
  if (signal) init.signal = signal;
  try {
    return await fetch(url, init);
  } catch {
    signal?.throwIfAborted();
    throw new ApiError({
      status: 0,
      text: '',
      url,
      message: 'The site cannot be reached. Check your connection, then try again.',
    });
  }
}

async function read(response: Response, url: string, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    const text = await response.text();
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    signal?.throwIfAborted();
    if (!response.ok) return undefined;
    throw new ApiError({
      status: response.status,
      text: response.statusText,
      url,
      message: 'The answer broke off. Try again.',
    });
  }
}

function secondsToWait(response: Response): number {
  const asked = Number(response.headers.get('retry-after') ?? 1);
  return Math.min(Number.isFinite(asked) && asked > 0 ? asked : 1, patienceSeconds);
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('The call was given up.'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
