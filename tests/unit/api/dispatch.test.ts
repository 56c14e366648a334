import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { dispatcher } from '@/lib/api/dispatch';
import { Download, downloadOf, FixedFile, fixedFileOf } from '@/lib/api/download';
import { type Call, handle } from '@/lib/api/handle';
import { Reply } from '@/lib/api/reply';
import { Failure } from '@/lib/platform/errors';
import { forgetEverything, reads } from '@/lib/platform/cache';
import { Queue } from '@/lib/platform/queue';
import { startServer } from '../../support/site-server';

jest.mock('@/lib/platform/rate-limit', () => ({
  ...jest.requireActual<object>('@/lib/platform/rate-limit'),
  countHit: jest.fn(async () => true),
}));

const open = { summary: 'A call', access: 'public', answers: z.any() } as const;
const name = z.object({ name: z.string().regex(/^[^/]+$/) });

const endings: string[] = [];
let made = 0;

async function* endless(): AsyncGenerator<string> {
  try {
    for (let line = 0; ; line += 1) yield `${line} ${'x'.repeat(1_000)}\n`;
  } finally {
    endings.push('endless');
  }
}

const echo = {
  GET: handle({ ...open, params: name, query: z.record(z.string(), z.any()) }, async ({ params, query }) => ({
    params,
    query: Object.entries(query),
  })),
  PUT: handle({ ...open, params: name, body: z.any() }, async ({ body }) => ({ body })),
  DELETE: handle({ ...open, params: name }, async () => new Reply({ gone: true }, ['a=1; Path=/', 'b=2; Path=/'])),
};
const table = {
  '/api/echo/{name}': echo,
  '/api/echo/first': { GET: handle(open, async () => 'first') },
  '/api/rest/{...path}': {
    GET: handle({ ...open, params: z.object({ path: z.array(z.string()) }) }, async ({ params: { path } }) => ({
      path,
    })),
  },
  '/api/write': {
    POST: handle({ ...open, body: z.strictObject({ a: z.int() }), maxBytes: 100 }, async ({ body }) => body),
  },
  '/api/fails': {
    GET: handle(open, async () => {
      throw new Failure('missing', 'Not here.');
    }),
  },
  '/api/file': {
    GET: handle(
      { ...open, answers: fixedFileOf(['text/plain']) },
      async () => new FixedFile({ name: 'a.txt', mediaType: 'text/plain' }, new Uint8Array([104, 105])),
    ),
  },
  '/api/endless': {
    GET: handle(
      { ...open, answers: downloadOf(['text/plain']) },
      async () => new Download({ name: 'endless.txt', mediaType: 'text/plain' }, endless()),
    ),
  },
  '/api/kept/{name}': {
    GET: handle(
      { ...open, params: name, query: z.object({ skip: z.string().optional() }), keptSeconds: 60 },
      async ({ params }) => {
        reads([`name:${params.name}`], 600);
        return { name: params.name, made: (made += 1) };
      },
    ),
  },
  '/api/slash/{name}/': { GET: handle({ ...open, params: name }, async ({ params }) => params) },
  '/portfolio/{name}/ledger': { GET: handle({ ...open, params: name }, async ({ params }) => params) },
} satisfies Record<string, Partial<Record<string, Call>>>;

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer(
    async (_request, response) => void response.setHeader('content-type', 'text/plain').end('handed on'),
    undefined,
    dispatcher(table),
  );
});
afterAll(() => server.end());

type Answered = { status: number; headers: [string, string][]; body: string };

/** Sends text as it is, and reads what comes until the server ends the connection. */
function exchange(text: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let came = '';
    const socket = net.connect(Number(new URL(server.origin).port), '127.0.0.1', () => socket.write(text));
    socket.setTimeout(5_000, () => socket.destroy(new Error('Neither answered nor ended.')));
    socket
      .setEncoding('utf8')
      .on('data', (part: string) => (came += part))
      .on('error', reject)
      .on('close', () => {
        const [head = '', ...rest] = came.split('\r\n\r\n');
        const [first = '', ...lines] = head.split('\r\n');
        const headers = lines.map((line): [string, string] => {
          const at = line.indexOf(':');
          return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
        });
        resolve({ status: Number(first.split(' ')[1]), headers, body: rest.join('\r\n\r\n') });
      });
  });
}

const ask = (path: string, method = 'GET', { body = '', headers = [] as string[] } = {}) =>
  exchange(
    [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      ...(body ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
      ...headers,
      '',
      body,
    ].join('\r\n'),
  );
const jsonOf = ({ body }: Answered) => JSON.parse(body) as unknown;
const header = ({ headers }: Answered, wanted: string) =>
  headers.filter(([given]) => given === wanted).map(([, value]) => value);
const json = ['Content-Type: application/json'];

describe('by both roads', () => {
  const asked: [string, Call, string, Record<string, string | string[]>, string?][] = [
    ['GET', echo.GET, '/api/echo/b?x=1', { name: 'b' }],
    ['GET', echo.GET, '/api/echo/b?x=1&x=2&__proto__=3&constructor=4', { name: 'b' }],
    ['GET', echo.GET, '/api/echo/b?x=%E0%A4%A&y=a+b%2Bc', { name: 'b' }],
    ['GET', echo.GET, '/api/echo/caf%C3%A9', { name: 'café' }],
    ['GET', echo.GET, '/api/echo/__proto__', { name: '__proto__' }],
    ['GET', echo.GET, '/api/echo/a%2Fb', { name: 'a/b' }],
    ['HEAD', echo.GET, '/api/echo/b', { name: 'b' }],
    ['PUT', echo.PUT, '/api/echo/b', { name: 'b' }, '{"__proto__":{"a":1},"b":2}'],
    ['PUT', echo.PUT, '/api/echo/b', { name: 'b' }, '{'],
    ['DELETE', echo.DELETE, '/api/echo/b', { name: 'b' }],
    ['GET', table['/api/rest/{...path}'].GET, '/api/rest/a/b%2Fc/d', { path: ['a', 'b/c', 'd'] }],
    ['POST', table['/api/write'].POST, '/api/write', {}, '{"a":1}'],
    ['POST', table['/api/write'].POST, '/api/write', {}, '{"a":1,"b":2}'],
    ['POST', table['/api/write'].POST, '/api/write', {}, 'x'.repeat(200)],
    ['GET', table['/api/fails'].GET, '/api/fails', {}],
    ['GET', table['/api/file'].GET, '/api/file', {}],
    ['HEAD', table['/api/file'].GET, '/api/file', {}],
    ['GET', table['/portfolio/{name}/ledger'].GET, '/portfolio/b/ledger', { name: 'b' }],
  ];

  test.each(asked)('%s is answered alike (%#)', async (...row) => {
    const [method, call, path, params, body] = row;
    const given = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
    const framework = await call(new Request(`http://localhost${path}`, { method, ...given }), {
      params: Promise.resolve(params),
    });
    const own = await ask(path, method, body === undefined ? {} : { body, headers: json });
    expect([own.status, own.body]).toEqual([framework.status, method === 'HEAD' ? '' : await framework.text()]);
    expect(own.headers).toEqual(expect.arrayContaining([...framework.headers]));
    expect(header(own, 'set-cookie')).toEqual(framework.headers.getSetCookie());
    expect(header(own, 'x-content-type-options')).toEqual(['nosniff']);
    expect(header(own, 'content-security-policy')).toEqual(["default-src 'none'; frame-ancestors 'none'"]);
    expect(header(own, 'transfer-encoding')).toEqual([]);
  });
});

describe('a path', () => {
  test('that is spelled out comes before a parameter, however it is encoded', async () => {
    expect(jsonOf(await ask('/api/echo/first'))).toBe('first');
    expect(jsonOf(await ask('/api/echo/fir%73t'))).toBe('first');
  });

  test.each([
    '/api/nothing',
    '/api/rest',
    '/api/echo',
    '/api/echo/a/b',
    '/api/echo/a;x=1/b',
    '/api/constructor',
    '/api/__proto__',
  ])('%s at which there is no call is refused as calls refuse', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await ask(path, method, method === 'POST' ? { body: '{}', headers: json } : {});
      expect([answer.status, jsonOf(answer)]).toEqual([
        404,
        { status: 404, message: expect.stringContaining('no such call') },
      ]);
    }
  });

  test('with a slash at its end leads to the one without', async () => {
    const answer = await ask('/api/echo/b/?x=1');
    expect([answer.status, header(answer, 'location'), answer.body]).toEqual([308, ['/api/echo/b?x=1'], '']);
  });

  test('that is named with a slash at its end is answered with it and without', async () => {
    for (const address of ['/api/slash/b/', '/api/slash/b']) {
      const answer = await ask(address);
      expect([answer.status, jsonOf(answer)]).toEqual([200, { name: 'b' }]);
    }
  });

  test.each([
    '/api//echo/b',
    '/api/echo/../write',
    '/api/echo/%2e%2e/write',
    '/api/echo/%E0%A4%A',
    '/api/echo/b?x=%00',
  ])('%s that readers may take differently is refused', async (path) => {
    expect((await ask(path)).status).toBe(400);
  });

  test('of no call is handed on', async () => {
    expect((await ask('/sitemap.xml')).body).toContain('handed on');
    expect((await ask('/portfolio/b/ledger.txt')).body).toContain('handed on');
  });
});

describe('a method', () => {
  test('that the call does not have is refused with those that it has', async () => {
    for (const [path, method, allow] of [
      ['/api/echo/b', 'POST', 'DELETE, GET, HEAD, OPTIONS, PUT'],
      ['/api/echo/b', 'PATCH', 'DELETE, GET, HEAD, OPTIONS, PUT'],
      ['/api/write', 'GET', 'OPTIONS, POST'],
      ['/api/write', 'HEAD', 'OPTIONS, POST'],
    ] as const) {
      const answer = await ask(path, method);
      expect([path, method, answer.status, header(answer, 'allow')]).toEqual([path, method, 405, [allow]]);
    }
  });

  test('OPTIONS is told them', async () => {
    const answer = await ask('/api/echo/b', 'OPTIONS');
    expect([answer.status, header(answer, 'allow'), answer.body]).toEqual([
      204,
      ['DELETE, GET, HEAD, OPTIONS, PUT'],
      '',
    ]);
  });

  test('is the one of the request line alone', async () => {
    const headers = [
      'X-HTTP-Method-Override: DELETE',
      'x-middleware-override-headers: a',
      '__proto__: x',
      'constructor: y',
    ];
    expect(jsonOf(await ask('/api/echo/b', 'GET', { headers }))).toEqual({ params: { name: 'b' }, query: [] });
  });
});

describe('a body', () => {
  test('that comes in chunks is read to its end', async () => {
    const answer = await exchange(
      'POST /api/write HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
    );
    expect([answer.status, jsonOf(answer)]).toEqual([200, { a: 1 }]);
  });

  test('that is too large is refused while it is still on its way, and the connection serves the next request', async () => {
    const long = 'x'.repeat(300_000);
    const answer = await exchange(
      `POST /api/write HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${long.length}\r\n\r\n${long}GET /api/echo/next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('too large');
    expect(answer.body).toContain('"name":"next"');
  });

  test('that breaks off leaves the program as it was', async () => {
    const socket = net.connect(Number(new URL(server.origin).port), '127.0.0.1', () => {
      socket.write(
        'POST /api/write HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a"',
      );
      setTimeout(() => socket.destroy(), 50);
    });
    await new Promise((resolve) => socket.once('close', resolve));
    await sleep(50);
    expect((await ask('/api/echo/b')).status).toBe(200);
  });
});

test('a file that goes on ends when its reader lets go', async () => {
  endings.length = 0;
  const { body } = await fetch(`${server.origin}/api/endless`);
  const reader = body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(1_000);
  await reader?.cancel();
  for (let turn = 0; turn < 100 && endings.length === 0; turn += 1) await sleep(20);
  expect(endings).toEqual(['endless']);
});

describe('an answer that is kept', () => {
  beforeEach(() => forgetEverything());
  const makingOf = async (path: string, given = {}) => (jsonOf(await ask(path, 'GET', given)) as { made: number }).made;

  test('is made once for everybody, whatever cookies they carry', async () => {
    const first = await makingOf('/api/kept/a');
    expect(
      await makingOf('/api/kept/a', { headers: ['Cookie: tipledger_session=x', 'X-Forwarded-For: 1.2.3.4'] }),
    ).toBe(first);
    expect(await makingOf('/api/kept/b')).toBe(first + 1);
    expect(header(await ask('/api/kept/a'), 'vary')).toEqual(['Authorization, Accept-Encoding']);
  });

  test('is neither given to whoever comes with a bearer nor made of what they are answered', async () => {
    const first = await makingOf('/api/kept/a');
    const refused = await ask('/api/kept/a', 'GET', { headers: ['Authorization: Bearer x'] });
    expect([refused.status, header(refused, 'cache-control')]).toEqual([401, ['no-store']]);
    expect(await makingOf('/api/kept/a')).toBe(first);
  });

  test('waits for its turn in the line of the network that asks', async () => {
    const run = jest.spyOn(Queue.prototype, 'run');
    try {
      await makingOf('/api/kept/queued');
      expect(run.mock.calls.map(([, line]) => line)).toEqual(['127.0.0.1']);
    } finally {
      run.mockRestore();
    }
  });

  test('is refused with 503 and when to come again where too many wait for theirs, or waited too long', async () => {
    const message = 'Too many calls are made at the moment. Try again in a few seconds.';
    const run = jest.spyOn(Queue.prototype, 'run').mockRejectedValue(new Failure('unavailable', message));
    try {
      const refused = await ask('/api/kept/refused');
      expect([refused.status, jsonOf(refused)]).toEqual([503, { status: 503, message }]);
      expect([header(refused, 'retry-after'), header(refused, 'cache-control')]).toEqual([['5'], ['no-store']]);
      const head = await ask('/api/kept/refused', 'HEAD');
      expect([head.status, head.body]).toEqual([503, '']);
    } finally {
      run.mockRestore();
    }
    expect((await ask('/api/kept/refused')).status).toBe(200);
  });

  test('is kept under no address with a parameter that the call does not read', async () => {
    const first = await makingOf('/api/kept/a?skip=1');
    expect(await makingOf('/api/kept/a?skip=1')).toBe(first);
    for (const search of ['?other=1', '?skip=1&cachebust=x', '?__proto__=1'])
      expect([search, await makingOf(`/api/kept/a${search}`)]).not.toEqual([
        search,
        await makingOf(`/api/kept/a${search}`),
      ]);
  });

  test('answers 304 to whoever has it', async () => {
    const [etag = ''] = header(await ask('/api/kept/a'), 'etag');
    expect((await ask('/api/kept/a', 'GET', { headers: [`If-None-Match: ${etag}`] })).status).toBe(304);
  });
});
