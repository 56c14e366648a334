import http from 'node:http';
import { startServer } from '../../support/site-server';

async function ask(
  origin: string,
  path: string,
  method: string,
): Promise<{ status: number; allow: string | undefined }> {
  return new Promise((resolve, reject) => {
    http
      .request(`${origin}${path}`, { method }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, allow: response.headers.allow });
      })
      .on('error', reject)
      .end();
  });
}

test('Next is asked for an address with few parameters, however many came', async () => {
  const asked: string[] = [];
  const { origin, end } = await startServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('handed on');
    return Promise.resolve();
  });
  try {
    await ask(origin, `/dashboard?${'a=&'.repeat(3_000)}`, 'GET');
    expect(asked.map((url) => url.split('&').length)).toEqual([500]);
  } finally {
    await end();
  }
});

test.each<[string, Record<string, string>, number]>([
  ['a document', {}, 404],
  ['the data of one', { rsc: '1' }, 200],
])('Next is never asked for %s at a path of more segments than any page has', async (_what, headers, atMost) => {
  const asked: string[] = [];
  const { origin, end } = await startServer((request, response) => {
    asked.push(request.url ?? '');
    response.statusCode = request.url === '/_not-found' ? 404 : 200;
    response.end('handed on');
    return Promise.resolve();
  });
  try {
    const answers = [];
    for (const path of [
      `/football${'/a'.repeat(32)}`,
      `/dashboard${'/a'.repeat(40)}`,
      '/a'.repeat(4_000),
      `${'/a'.repeat(4_000)}?_rsc=abc`,
    ])
      answers.push((await fetch(`${origin}${path}`, { headers })).status);
    expect(answers).toEqual([404, 404, 404, 404]);
    expect(new Set(asked)).toEqual(new Set(['/_not-found']));
    expect((await fetch(`${origin}/football${'/a'.repeat(31)}`, { headers })).status).toBe(atMost);
  } finally {
    await end();
  }
});

test('a call by a method that no call has is refused before it reaches Next, and a page by every method that writes', async () => {
  const { origin, end } = await startServer((_request, response) => {
    response.end('handed on');
    return Promise.resolve();
  });
  try {
    for (const method of ['TRACE', 'PROPFIND', 'LINK']) {
      expect([method, await ask(origin, '/api/user', method)]).toEqual([
        method,
        { status: 405, allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
      ]);
      expect([method, await ask(origin, '/football', method)]).toEqual([method, { status: 405, allow: 'GET, HEAD' }]);
    }
    expect(await ask(origin, '/api/user', 'DELETE')).toEqual({ status: 200, allow: undefined });
  } finally {
    await end();
  }
});
