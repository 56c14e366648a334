import { z } from 'zod';
import { type Call, handle, maxBodyBytes } from '@/lib/api/handle';
import { bodySeconds, readBytes } from '@/lib/api/body';
import { requestLimits } from '@/lib/http/request-limits';
import { now as present } from '@/lib/platform/clock';
import { Failure, type FailureKind } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { countHit } from '@/lib/platform/rate-limit';

jest.mock('@/lib/platform/rate-limit', () => ({
  ...jest.requireActual<object>('@/lib/platform/rate-limit'),
  countHit: jest.fn(async () => true),
}));

type Sent = {
  params?: Record<string, string | string[]>;
  method?: string;
  body?: BodyInit;
  headers?: Record<string, string>;
};

/** Knocks at a call; `path` with its query. */
async function knock(call: Call, path = '/x', { params = {}, method = 'GET', body, headers = {} }: Sent = {}) {
  const request = new Request(`http://localhost${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const response = await call(request, { params: Promise.resolve(params) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
  };
}

const open = { summary: 'A call', access: 'public', answers: z.any() } as const;
const json = { 'content-type': 'application/json' };

describe('a call', () => {
  test('carries its declaration', () => {
    const query = z.object({ a: z.string() });
    expect(handle({ ...open, query }, async () => null).declaration).toMatchObject({
      summary: 'A call',
      access: 'public',
      query,
    });
  });

  test('hands on what its schemas make of path, query and body, a viewer and the present', async () => {
    const given: unknown[] = [];
    const call = handle(
      {
        ...open,
        params: z.object({ reference: z.string().toUpperCase() }),
        query: z.object({ days: z.string().transform(Number) }),
        body: z.strictObject({ name: z.string().trim() }),
      },
      async (input) => void given.push(input),
    );
    const before = present();
    await knock(call, '/x?days=3&other=1', {
      params: { reference: 'abc' },
      method: 'POST',
      body: '{"name":" ann "}',
      headers: json,
    }).catch(() => undefined);
    expect(given).toEqual([
      {
        viewer: expect.objectContaining({ kind: 'guest' }),
        params: { reference: 'ABC' },
        query: { days: 3 },
        headers: {},
        body: { name: 'ann' },
        bytes: expect.objectContaining({ length: 0 }),
        now: expect.any(Date),
        caller: { address: 'unknown', device: '', cookie: null },
        form: false,
      },
    ]);
    expect((given[0] as { now: Date }).now.getTime()).toBeGreaterThanOrEqual(before.getTime());
  });

  test('hands on the headers that it declares, and refuses without them', async () => {
    const run = jest.fn(async () => ({}));
    const call = handle({ ...open, headers: z.object({ 'idempotency-key': z.string() }) }, run);
    expect((await knock(call, '/x', { headers: { 'Idempotency-Key': 'one', 'x-other': '1' } })).status).toBe(200);
    expect(run).toHaveBeenCalledWith(expect.objectContaining({ headers: { 'idempotency-key': 'one' } }));
    expect((await knock(call)).json).toMatchObject({ status: 400, fields: { 'idempotency-key': expect.any(String) } });
  });

  test('answers 201, kept by nobody, where it makes something new', async () => {
    const {
      status,
      headers,
      json: view,
    } = await knock(
      handle({ ...open, creates: true }, async () => ({ a: 1 })),
      '/x',
      { method: 'POST' },
    );
    expect([status, view, headers.get('cache-control')]).toEqual([201, { a: 1 }, 'no-store']);
  });

  test('hands on nothing that it does not declare', async () => {
    const run = jest.fn(async () => ({}));
    await knock(handle(open, run), '/x?a=1', {
      params: { reference: 'abc' },
      method: 'POST',
      body: '{"a":1}',
      headers: json,
    });
    expect(run).toHaveBeenCalledWith(expect.objectContaining({ params: {}, query: {}, body: undefined }));
  });

  test('gives a repeated parameter as a list and an odd name as a plain key', async () => {
    const run = jest.fn(async () => ({}));
    await knock(
      handle({ ...open, query: z.record(z.string(), z.union([z.string(), z.array(z.string())])) }, run),
      '/x?a=1&a=2&b=&constructor=x&toString=y',
    );
    expect(run).toHaveBeenCalledWith(
      expect.objectContaining({ query: { a: ['1', '2'], b: '', constructor: 'x', toString: 'y' } }),
    );
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  test('are read by one pass over the query, not by a look through it for each name', async () => {
    const call = handle(open, async () => null);
    // Each of these reads the whole query for one name.
    const looks = (['get', 'getAll', 'has'] as const).map((name) => jest.spyOn(URLSearchParams.prototype, name));
    const passes = jest.spyOn(URLSearchParams.prototype, Symbol.iterator as never);
    try {
      await knock(call, `/x?${Array.from({ length: 500 }, (_, index) => `${index.toString(36)}=`).join('&')}`);
      expect(looks.map((look) => look.mock.calls.length)).toEqual([0, 0, 0]);
      expect(passes).toHaveBeenCalledTimes(1);
    } finally {
      for (const spy of [...looks, passes]) spy.mockRestore();
    }
  });

  test('runs nothing when something is wrong', async () => {
    const run = jest.fn(async () => ({}));
    const call = handle({ ...open, query: z.object({ a: z.string() }), body: z.object({}) }, run);
    expect((await knock(call, '/x', { method: 'POST', body: '{}', headers: json })).status).toBe(400);
    expect((await knock(call, '/x?a=1', { method: 'POST', body: '{', headers: json })).status).toBe(400);
    expect(run).not.toHaveBeenCalled();
  });
});

describe('the answer', () => {
  const answering = (view: unknown) => handle(open, async () => view);

  test('of GET is JSON with a tag that changes with the view alone', async () => {
    const [one, same, other] = [
      await knock(answering({ a: 1 })),
      await knock(answering({ a: 1 })),
      await knock(answering({ a: 2 })),
    ];
    expect([one.status, one.json, one.headers.get('content-type'), one.headers.get('cache-control')]).toEqual([
      200,
      { a: 1 },
      'application/json; charset=utf-8',
      'public, max-age=0, must-revalidate',
    ]);
    expect(same.headers.get('etag')).toBe(one.headers.get('etag'));
    expect(other.headers.get('etag')).not.toBe(one.headers.get('etag'));
  });

  test.each(['POST', 'PUT', 'DELETE'])('of %s is kept by nobody', async (method) => {
    const { headers } = await knock(answering({ a: 1 }), '/x', { method, headers: { 'if-none-match': '*' } });
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
  });

  test('may be null, false, nought or an empty list', async () => {
    for (const view of [null, false, 0, []])
      expect(await knock(answering(view))).toMatchObject({ status: 200, json: view });
  });
});

describe('the rate of a call', () => {
  const counted = jest.mocked(countHit);
  const limitsAsked = async (limit: { hits: number; windowSeconds: number } | undefined, method: string) => {
    counted.mockClear();
    await knock(
      handle({ ...open, ...(limit && { limit }) }, async () => null),
      '/x',
      { method },
    );
    return counted.mock.calls.map(([name, { hits, windowSeconds }]) => [name, hits, windowSeconds]);
  };

  test('is its own where it names one; else that of writes, and none for one that reads', async () => {
    expect(await limitsAsked(undefined, 'GET')).toEqual([]);
    expect(await limitsAsked(undefined, 'POST')).toEqual([['POST other', 120, 60]]);
    expect(await limitsAsked(undefined, 'DELETE')).toEqual([['DELETE other', 120, 60]]);
    expect(await limitsAsked({ hits: 3, windowSeconds: 5 }, 'GET')).toEqual([['GET other', 3, 5]]);
    expect(await limitsAsked({ hits: 6_000, windowSeconds: 60 }, 'PUT')).toEqual([['PUT other', 6_000, 60]]);
  });

  test('counts a call for its head alone as the call itself', async () => {
    expect(await limitsAsked({ hits: 3, windowSeconds: 5 }, 'HEAD')).toEqual([['GET other', 3, 5]]);
  });

  test('that is used up is answered 429, and the call does not run', async () => {
    counted.mockResolvedValueOnce(false);
    const run = jest.fn(async () => null);
    const { status, headers } = await knock(handle(open, run), '/x', { method: 'POST' });
    expect([status, headers.get('retry-after'), run.mock.calls.length]).toEqual([429, '60', 0]);
  });
});

describe('a refusal', () => {
  const refusing = (error: unknown) => handle(open, () => Promise.reject(error));

  const kinds: [FailureKind, number, string][] = [
    ['invalid', 400, ''],
    ['unauthorised', 401, 'Forbidden. '],
    ['forbidden', 403, ''],
    ['missing', 404, 'Not Found. '],
    ['too-slow', 408, ''],
    ['conflict', 409, ''],
    ['too-many', 429, ''],
    ['unavailable', 503, ''],
  ];
  test.each(kinds)(
    'of kind %s has the status %d, its sentence and its fields, and is kept by nobody',
    async (kind, status, opening) => {
      const answer = await knock(refusing(new Failure(kind, 'Do this instead.', { name: 'is wrong' })));
      expect([answer.status, answer.json, answer.headers.get('cache-control')]).toEqual([
        status,
        { status, message: `${opening}Do this instead.`, fields: { name: 'is wrong' } },
        'no-store',
      ]);
      expect(answer.headers.get('retry-after')).toBe(status === 429 || status === 503 ? '60' : null);
      expect(answer.headers.get('connection')).toBe(status === 408 ? 'close' : null);
      expect((await knock(refusing(new Failure(kind, 'No.')))).json).toEqual({ status, message: `${opening}No.` });
    },
  );

  test.each([
    [new Error('password=hunter2 at 10.0.0.1')],
    [Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ann@example.org)' })],
    ['a text'],
    [null],
    [undefined],
    [{ name: 'Failure', kind: 'missing', message: 'not an error' }],
  ])('for what went wrong inside says nothing of it, and logs it with its path: %p', async (error) => {
    const logged = jest.spyOn(log, 'error').mockImplementation(() => undefined);
    const { status, json: body } = await knock(refusing(error), '/inside?secret=1');
    expect([status, body]).toEqual([500, { status: 500, message: 'Internal Server Error' }]);
    expect(logged).toHaveBeenCalledWith({
      event: 'server_error',
      status: 500,
      method: 'GET',
      path: '/inside',
      err: error,
    });
    logged.mockRestore();
  });

  test.each(['40001', '40P01', '55P03', '57014'])(
    'for the error %s of the database is one of the moment',
    async (code) => {
      const { status, json: body, headers } = await knock(refusing(Object.assign(new Error('gave way'), { code })));
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      expect(body).toEqual({
        status: 503,
        message: 'The site cannot reach its database at the moment. Try again in a few seconds.',
      });
    },
  );

  test('names every field that is wrong, by its path', async () => {
    const call = handle(
      {
        ...open,
        body: z.strictObject({
          legs: z.array(z.strictObject({ stake: z.number('must be a number') })),
          note: z.string('must be text'),
        }),
      },
      async () => null,
    );
    const { json: body } = await knock(call, '/x', {
      method: 'POST',
      body: '{"legs":[{"stake":1},{"stake":"a"}]}',
      headers: json,
    });
    expect(body).toMatchObject({ status: 400, fields: { 'legs.1.stake': 'must be a number', note: 'must be text' } });
    expect(body?.message).toBe(
      'The request is not valid. legs.1.stake: must be a number. Correct it and send it again.',
    );
  });

  test('names the place where there is no field to name', async () => {
    const call = handle({ ...open, body: z.object({}, 'must be an object') }, async () => null);
    expect((await knock(call, '/x', { method: 'POST', body: '[]', headers: json })).json).toMatchObject({
      fields: { body: 'must be an object' },
    });
  });
});

describe('the body of a request', () => {
  const echo = handle({ ...open, body: z.any() }, async ({ body }) => body);
  const post = (body: BodyInit | undefined, headers: Record<string, string> = json) =>
    knock(echo, '/x', { method: 'POST', headers, ...(body === undefined ? {} : { body }) });

  test('may be any JSON in UTF-8', async () => {
    for (const value of [{ a: [1, null, 'ü💥\u0001'] }, 'text', 1, null, []])
      expect((await post(JSON.stringify(value))).json).toEqual(value);
  });

  test.each<[unknown, string]>([
    [{ a: [1, { b: 'x\u0000' }] }, 'a.1.b'],
    [{ a: 'x\ud800' }, 'a'],
    [{ a: { 'b\u0000': 1 } }, 'a'],
    ['\u0000', 'body'],
  ])('with what no text can hold is refused by its field: %j', async (value, field) => {
    const { status, json: answered } = await post(JSON.stringify(value));
    expect([status, Object.keys(answered?.fields as object)]).toEqual([400, [field]]);
  });

  test('and its query and path alike', async () => {
    const call = handle(
      {
        ...open,
        query: z.object({ q: z.string().optional() }),
        params: z.object({ reference: z.string().optional() }),
      },
      async () => null,
    );
    expect((await knock(call, '/x?q=a%00b')).json).toMatchObject({
      status: 400,
      fields: { q: expect.any(String) as string },
    });
    expect((await knock(call, '/x', { params: { reference: 'a\u0000b' } })).json).toMatchObject({
      status: 400,
      fields: { reference: expect.any(String) as string },
    });
    expect((await knock(call, '/x?q=%C3%BC')).status).toBe(200);
  });

  test('is counted in bytes, not characters', async () => {
    const text = 'ü'.repeat(maxBodyBytes / 2 - 1);
    expect((await post(`"${text}"`)).status).toBe(200);
    expect((await post(`"${text}u"`)).status).toBe(400);
  });

  test('is joined from its pieces, also in the middle of a character', async () => {
    const bytes = new TextEncoder().encode('"aüb"');
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const request = new Request('http://localhost/x', {
      method: 'POST',
      headers: json,
      body,
      duplex: 'half',
    } as RequestInit);
    expect(await (await echo(request, { params: Promise.resolve({}) })).json()).toBe('aüb');
  });

  test('is not read at all when its sender says that it is too large', async () => {
    const answer = await post('1', { ...json, 'content-length': '999999999999' });
    expect(answer.json).toEqual({ status: 400, message: 'The body is too large: 65536 bytes at most.' });
  });

  const posted = (body: ReadableStream) =>
    new Request('http://localhost/x', { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit);

  test('is read to its end before the present is asked for', async () => {
    let endedAt = Number.POSITIVE_INFINITY;
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        controller.enqueue(new TextEncoder().encode('1'));
        endedAt = present().getTime();
        controller.close();
      },
    });
    const given: Date[] = [];
    const call = handle({ ...open, body: z.any() }, async ({ now }) => void given.push(now));
    await call(posted(body), { params: Promise.resolve({}) }).catch(() => undefined);
    expect(given).toHaveLength(1);
    expect(given[0]?.getTime()).toBeGreaterThanOrEqual(endedAt);
  });

  test('that is not here in time is refused with 408 and what to do, whatever comes later, and its call does not run', async () => {
    const run = jest.fn(async () => ({}));
    const cancelled = jest.fn();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":')),
      cancel: cancelled,
    });
    const started = performance.now();
    const response = await handle({ ...open, body: z.any() }, run)(posted(body), { params: Promise.resolve({}) });
    expect(performance.now() - started).toBeGreaterThan(bodySeconds.text * 1000 - 100);
    expect([response.status, await response.json()]).toEqual([
      408,
      {
        status: 408,
        message: `The request body did not arrive within ${bodySeconds.text} seconds. Send the request again, on a faster connection if you can.`,
      },
    ]);
    expect(run).not.toHaveBeenCalled();
    expect(cancelled).toHaveBeenCalled();
  });

  test('is not waited for where nobody who sends no token may do this', async () => {
    const call = handle({ ...open, access: 'member', body: z.any() }, async () => null);
    const never = new ReadableStream({ pull: () => new Promise(() => undefined) });
    expect((await call(posted(never), { params: Promise.resolve({}) })).status).toBe(401);
  });
});

describe('the bytes of a request', () => {
  test.each([
    ['a file', bodySeconds.file],
    ['a text', bodySeconds.text],
  ])('of %s may be slower than the one and never slower than the server lets a request be', (_, seconds) => {
    expect(seconds * 1000).toBeLessThan(requestLimits.requestTimeout);
  });

  test('are refused when they trickle in and are not all here in time', async () => {
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        controller.enqueue(Uint8Array.of(32));
      },
    });
    await expect(
      readBytes(new Request('http://localhost/x', { method: 'POST', body, duplex: 'half' } as RequestInit), {
        maxBytes: 1_000,
        withinSeconds: 0.3,
      }),
    ).rejects.toMatchObject({ kind: 'too-slow' });
  });
});
