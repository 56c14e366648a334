import { addressAt, type AnswerOf, type Ask, type CallName, type Given, type Method, requestLine } from '@/lib/calls';
import { startUnderWay } from './starting';

/** How a call is sent. */
export type Sending = {
  signal?: AbortSignal;
  /** Headers beside the usual ones. */
  headers?: Readonly<Record<string, string>>;
  /** The bearer: renewed when it is refused (without saying), sent once as it is (signing out), or not sent (signing in, renewing itself). */
  bearer?: 'renewed' | 'once' | 'none';
  /** False where neither the cookies of this browser are sent nor those of the answer taken: for a login that it had before. */
  cookies?: false;
};

/** What is sent: its body as JSON, save a file, which is sent as it is. */
export type Sent = Sending & {
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  /** Product §8: names the write, so that sent twice it is done once. */
  idempotencyKey?: string | undefined;
};

/** Where the bearer comes from, and how it is renewed; `renew` is true when the call may be tried again. */
export type Bearer = { token: () => string | null; renew: (refused: string) => Promise<boolean> };

/** What a person is told of a refusal: its sentence, without the words of the status before it. */
function withoutStatus(message: unknown): string {
  return typeof message === 'string' ? message.replace(/^(?:Forbidden|Not Found)\. (?=\S)/, '') : '';
}

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
    super(message ?? (withoutStatus(given.message) || 'Unknown Error'));
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

/** The answer of a call. Throws as `sendCall` does. */
export async function api<N extends CallName>(name: N, ...[given]: Given<Ask<N> & Sending>): Promise<AnswerOf<N>> {
  const { method, path } = requestLine(name, given ?? {});
  return (await sendCall(method, path, given)) as AnswerOf<N>;
}

/**
 * Spec §7, §8: the answer of a call at a path under /api, whatever it is: for what was kept to be sent later. Tries again once after a 429, when the server says but at most ten seconds on,
 * and once after a 401 to a bearer that could be renewed. Throws an ApiError for every other refusal, and what `signal` was aborted with.
 */
export async function sendCall(method: Method, path: string, options: Sent = {}): Promise<unknown> {
  const { response, url } = await sendAgain(method, path, options);
  const answer = await read(response, url, options.signal);
  if (!response.ok) throw new ApiError({ status: response.status, text: response.statusText, url, answer });
  if (method === 'DELETE') noteRemoval(path);
  return answer;
}

async function sendAgain(method: Method, path: string, options: Sent): Promise<{ response: Response; url: string }> {
  const url = addressOf(method, path, options);
  const sent = options.bearer ?? 'renewed';
  const tokenNow = () => (sent === 'none' ? null : bearer.token());
  const starting = startUnderWay();
  if (starting && sent === 'renewed') await starting;
  const left = new Set([401, 429]);
  for (;;) {
    const token = tokenNow();
    const response = await send(method, url, options, token);
    const { status } = response;
    if (!left.delete(status)) return { response, url };
    if (status === 401 && !(token && sent === 'renewed' && (await bearer.renew(token)))) return { response, url };
    leaveUnread(response);
    if (status === 429) await pause(secondsToWait(response), options.signal);
  }
}

/** The body of a call whose answer goes on, to be read as it comes; tried again as `sendCall` does. Throws as `api` does. */
export async function apiStream<N extends CallName>(
  name: N,
  ...[given]: Given<Ask<N> & Sending>
): Promise<ReadableStream<Uint8Array>> {
  const { method, path } = requestLine(name, given ?? {});
  const { response, url } = await sendAgain(method, path, given ?? {});
  if (response.ok && response.body) return response.body;
  leaveUnread(response);
  throw new ApiError({ status: response.status, text: response.statusText, url });
}

/** Lets go of a body that nobody reads: until then its request is under way for the browser. */
function leaveUnread({ body }: Response): void {
  void body?.cancel().catch(() => undefined);
}

function addressOf(method: Method, path: string, { query = {} }: Sent): string {
  const bust = method === 'GET' ? removed.get(path) : undefined;
  return addressAt(path, bust ? { ...query, cachebust: bust } : query);
}

/** Spec §7: what was removed, and the list that it was in, are asked for past every cache from now on. */
function noteRemoval(path: string): void {
  const bust = Date.now().toString(36);
  removed.set(path, bust);
  removed.set(path.slice(0, path.lastIndexOf('/')), bust);
}

async function send(
  method: Method,
  url: string,
  { body, signal, idempotencyKey, headers: more = {}, cookies }: Sent,
  token: string | null,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...more };
  if (token) headers.authorization = `Bearer ${token}`;
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
  if (body !== undefined)
    headers['content-type'] = body instanceof Blob ? 'application/octet-stream' : 'application/json';
  const init: RequestInit = { method, headers, credentials: cookies === false ? 'omit' : 'same-origin' };
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
