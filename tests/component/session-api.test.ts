import { ReadableStream } from 'node:stream/web';
import { ApiError, apiStream, carryBearer, sendCall, type Sent } from '@/components/state/api';
import type { Method } from '@/lib/calls';
import { noteStart } from '@/components/state/starting';

const api = (path: string, { method = 'GET', ...sent }: Sent & { method?: Method } = {}) =>
  sendCall(method, path, sent);

type Given = { status: number; body?: string; headers?: Record<string, string>; stream?: unknown };

let asked: { url: string; init: RequestInit }[] = [];

/** Answers one request after the other. */
function answer(...given: Given[]): void {
  const waiting = [...given];
  asked = [];
  global.fetch = jest.fn(async (url: string | URL | Request, init: RequestInit = {}) => {
    asked.push({ url: String(url), init });
    const next = waiting.shift();
    if (!next) throw new TypeError('Failed to fetch');
    return {
      ok: next.status < 400,
      status: next.status,
      statusText: `Status ${next.status}`,
      headers: new Headers(next.headers),
      body: next.stream,
      text: async () => next.body ?? '',
    } as Response;
  });
}

const bearers = () => asked.map(({ init }) => new Headers(init.headers).get('authorization'));
const failure = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('It was taken.')),
    (error: unknown) => error as ApiError,
  );

afterEach(() => {
  carryBearer();
  jest.useRealTimers();
});

it('sends JSON under /api with the bearer and without what is undefined', async () => {
  carryBearer({ token: () => 'good', renew: async () => false });
  answer({ status: 200, body: '{"a":1}' });
  await expect(
    api('/user', { method: 'PUT', body: { maxStake: 5 }, query: { a: 'x y', b: undefined }, idempotencyKey: 'k1' }),
  ).resolves.toEqual({ a: 1 });
  expect(asked[0]?.url).toBe('/api/user?a=x+y');
  expect(asked[0]?.init).toMatchObject({ method: 'PUT', body: '{"maxStake":5}' });
  expect(Object.fromEntries(new Headers(asked[0]?.init.headers))).toMatchObject({
    authorization: 'Bearer good',
    'content-type': 'application/json',
    'idempotency-key': 'k1',
  });
});

it('lets go of a refused answer once it tries again', async () => {
  carryBearer({ token: () => 'old', renew: async () => true });
  const cancel = jest.fn(async () => undefined);
  let tries = 0;
  global.fetch = jest.fn(async () => {
    tries += 1;
    const status = tries === 1 ? 401 : 200;
    return {
      ok: status === 200,
      status,
      headers: new Headers(),
      body: { cancel },
      text: async () => '{}',
    } as unknown as Response;
  });
  await api('/user');
  expect([tries, cancel.mock.calls.length]).toEqual([2, 1]);
});

describe('while the browser’s part of the site is being started', () => {
  it('waits for it, so that who is signed in already is known', async () => {
    let resolve: () => void = () => undefined;
    noteStart(new Promise<void>((done) => (resolve = done)));
    answer({ status: 200, body: '{}' });
    const sent = api('/user/portfolio', { method: 'POST', body: {} });
    await new Promise((later) => setTimeout(later, 10));
    expect(asked).toEqual([]);
    carryBearer({ token: () => 'good', renew: async () => false });
    resolve();
    await sent;
    expect(bearers()).toEqual(['Bearer good']);
  });

  it('waits neither for a start that failed, nor to sign in', async () => {
    noteStart(new Promise(() => undefined));
    answer({ status: 200 }, { status: 200 });
    await api('/auth/token', { method: 'POST', body: {}, bearer: 'none' });
    noteStart(Promise.reject(new Error('The piece could not be fetched.')));
    await api('/user/portfolio', { method: 'POST', body: {} });
    expect(asked).toHaveLength(2);
  });
});

it('sends no bearer where none is wanted', async () => {
  carryBearer({ token: () => 'good', renew: async () => true });
  answer({ status: 401 });
  expect((await failure(api('/auth/token', { method: 'POST', body: {}, bearer: 'none' }))).status).toBe(401);
  expect(bearers()).toEqual([null]);
});

it('gives nothing for an empty answer', async () => {
  answer({ status: 204 });
  await expect(api('/user')).resolves.toBeUndefined();
});

describe('after a 429', () => {
  it.each([
    ['3', 3],
    ['3600', 10],
    ['soon', 1],
    [undefined, 1],
  ])('that says %s it waits %i seconds and tries once again', async (said, seconds) => {
    jest.useFakeTimers();
    answer({ status: 429, ...(said && { headers: { 'retry-after': said } }) }, { status: 200, body: '"done"' });
    const result = api('/fixture/x');
    await jest.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(asked).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    await expect(result).resolves.toBe('done');
    expect(asked).toHaveLength(2);
  });

  it('gives up when it is answered with another', async () => {
    jest.useFakeTimers();
    answer({ status: 429 }, { status: 429, body: '{"message":"Too many requests."}' }, { status: 200 });
    const result = failure(api('/fixture/x'));
    await jest.advanceTimersByTimeAsync(5000);
    expect(await result).toMatchObject({ status: 429, message: 'Too many requests.' });
    expect(asked).toHaveLength(2);
  });

  it('stops waiting when it is called off', async () => {
    answer({ status: 429, headers: { 'retry-after': '9' } });
    const controller = new AbortController();
    const result = failure(api('/fixture/x', { signal: controller.signal }));
    await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort();
    await result;
    expect(asked).toHaveLength(1);
  });
});

describe('a stream', () => {
  const firstOf = async () => (await apiStream('GET /user/bets/export', { query: {} })).getReader().read();
  const body = () =>
    new ReadableStream({ start: (controller) => (controller.enqueue('the first piece'), controller.close()) });

  it('is asked for once again after a 429, and once with a new bearer after a 401', async () => {
    jest.useFakeTimers();
    let token = 'old';
    carryBearer({ token: () => token, renew: async (refused) => ((token = `${refused}er`), true) });
    answer({ status: 429, headers: { 'retry-after': '3' } }, { status: 401 }, { status: 200, stream: body() });
    const result = firstOf();
    await jest.advanceTimersByTimeAsync(3_000);
    await expect(result).resolves.toMatchObject({ value: 'the first piece' });
    expect(bearers()).toEqual(['Bearer old', 'Bearer old', 'Bearer older']);
  });

  it('is given up after a second 429', async () => {
    jest.useFakeTimers();
    answer({ status: 429 }, { status: 429 }, { status: 200, stream: body() });
    const result = failure(firstOf());
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await result).toMatchObject({ status: 429 });
    expect(asked).toHaveLength(2);
  });
});

it('a call is sent again after a 401 and, when that meets a 429, once more', async () => {
  jest.useFakeTimers();
  carryBearer({ token: () => 'good', renew: async () => true });
  answer({ status: 401 }, { status: 429, headers: { 'retry-after': '2' } }, { status: 200, body: '"done"' });
  const result = api('/user');
  await jest.advanceTimersByTimeAsync(2000);
  await expect(result).resolves.toBe('done');
  answer({ status: 401 }, { status: 429 }, { status: 401 });
  const refused = failure(api('/user'));
  await jest.advanceTimersByTimeAsync(2000);
  expect((await refused).status).toBe(401);
});

describe('after a 401', () => {
  it('renews the bearer and tries once again with the new one', async () => {
    let token = 'old';
    carryBearer({ token: () => token, renew: async (refused) => ((token = `${refused}er`), true) });
    answer({ status: 401 }, { status: 200, body: '1' });
    await expect(api('/user')).resolves.toBe(1);
    expect(bearers()).toEqual(['Bearer old', 'Bearer older']);
  });

  it('tells what a refusal says without the words of its status', async () => {
    answer({ status: 404, body: '{"status":404,"message":"Not Found. There is no such portfolio."}' });
    expect(await failure(api('/user'))).toMatchObject({ status: 404, message: 'There is no such portfolio.' });
  });

  it('tries no third time', async () => {
    const renew = jest.fn(async () => true);
    carryBearer({ token: () => 'old', renew });
    answer({ status: 401 }, { status: 401, body: '{"message":"Forbidden"}' });
    expect(await failure(api('/user'))).toMatchObject({ status: 401, message: 'Forbidden' });
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('does not try again when the bearer cannot be renewed, for a guest, and when logging out', async () => {
    const renew = jest.fn(async () => false);
    carryBearer({ token: () => 'old', renew });
    answer({ status: 401 });
    expect((await failure(api('/user'))).status).toBe(401);
    answer({ status: 401 });
    expect((await failure(api('/auth/logout', { method: 'POST', body: {}, bearer: 'once' }))).status).toBe(401);
    expect(bearers()).toEqual(['Bearer old']);
    carryBearer({ token: () => null, renew });
    answer({ status: 401 });
    expect((await failure(api('/user'))).status).toBe(401);
    expect(renew).toHaveBeenCalledTimes(1);
  });
});

describe('an error', () => {
  it('carries status, text, url, message and fields', async () => {
    answer({ status: 400, body: '{"message":"The request is not valid.","fields":{"email":"must be an address"}}' });
    const error = await failure(api('/account/register', { method: 'POST', body: {} }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      text: 'Status 400',
      url: '/api/account/register',
      message: 'The request is not valid.',
      fields: { email: 'must be an address' },
    });
  });

  it.each([[''], ['<html>'], ['null'], ['{"message":""}']])(
    'has the message Unknown Error where the answer is %j',
    async (body) => {
      answer({ status: 500, body });
      expect(await failure(api('/user'))).toMatchObject({ status: 500, message: 'Unknown Error', fields: {} });
    },
  );

  it('says what to do when the site cannot be reached, or its answer breaks off', async () => {
    answer();
    expect(await failure(api('/user'))).toMatchObject({
      status: 0,
      message: 'The site cannot be reached. Check your connection, then try again.',
    });
    answer({ status: 200, body: '{"a":' });
    expect(await failure(api('/user'))).toMatchObject({ status: 200, message: 'The answer broke off. Try again.' });
  });
});

it('asks past every cache for what was removed, and for the list that it was in', async () => {
  answer(
    { status: 200, body: '[]' },
    { status: 200, body: '{}' },
    { status: 200, body: '[]' },
    { status: 200, body: '{}' },
    { status: 200, body: '{}' },
  );
  await api('/user/following');
  await api('/user/following/ann', { method: 'DELETE' });
  await api('/user/following');
  await api('/user/following/ann');
  await api('/user');
  const busted = asked.map(({ url }) => /[?&]cachebust=\w+$/.test(url));
  expect(busted).toEqual([false, false, true, true, false]);
});
