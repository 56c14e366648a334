import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { noteCacheUse, onRequestEnd, type RequestEnd, RequestFollower, requestIdHeader } from '@/lib/http/request-end';
import { StoredAnswer } from '@/lib/http/stored-answer';
import { pathWithoutSecrets, routeNameOf } from '@/lib/http/route-names';
import { currentRequestId, onBehalfOf } from '@/lib/platform/request-context';
import { ask } from '../../support/wire';

async function onServer(
  settings: { TIPLEDGER_PROXIES: number },
  listener: http.RequestListener,
  body: (origin: string, ends: RequestEnd[]) => Promise<void>,
  answer: StoredAnswer | null = null,
): Promise<void> {
  const follower = new RequestFollower({ ...settings, ACCESS_LOG: 'off' });
  const ends: RequestEnd[] = [];
  const stop = onRequestEnd((_, end) => ends.push(end));
  const server = http.createServer((request, response) => {
    const id = follower.follow(request, response);
    if (answer?.sendNow(request, response)) return;
    response.setHeader(requestIdHeader, id);
    onBehalfOf(id, () => listener(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, ends);
  } finally {
    stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('tells how each request ended, with the id that its answer and its lines in the log carry', async () => {
  const inLog: (string | undefined)[] = [];
  await onServer(
    { TIPLEDGER_PROXIES: 0 },
    (_, response) => {
      inLog.push(currentRequestId());
      noteCacheUse(response, 'miss');
      response.writeHead(404, ['content-length', '7']).end('nothing');
    },
    async (origin, ends) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const first = await ask(origin, '/unsubscribe/0123?who=me', { 'x-request-id': 'from-outside' }, { agent });
      await ask(origin, '/football', {}, { agent });
      await until(() => ends.length === 2);
      agent.destroy();
      const id = String(first.headers['x-request-id']);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(inLog).toEqual(ends.map((end) => end.id));
      expect(ends[0]).toMatchObject({
        id,
        method: 'GET',
        path: '/unsubscribe/{guid}',
        route: '/unsubscribe/{guid}',
        status: 404,
        cache: 'miss',
        complete: true,
      });
      expect(ends[1]).toMatchObject({ path: '/football', route: '/football' });
      expect(ends.every(({ bytes, milliseconds }) => bytes > 50 && bytes < 400 && milliseconds >= 0)).toBe(true);
    },
  );
});

test('keeps the id that a proxy of ours gives, when it is one', async () => {
  await onServer(
    { TIPLEDGER_PROXIES: 1 },
    (_, response) => void response.end(),
    async (origin) => {
      expect((await ask(origin, '/', { 'x-request-id': 'abc-12345678' })).headers['x-request-id']).toBe('abc-12345678');
      for (const given of ['short', '{"a":"b"} none', 'x'.repeat(101)])
        expect((await ask(origin, '/', { 'x-request-id': given })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

test('says of a reader who let go that the answer was not complete', async () => {
  await onServer(
    { TIPLEDGER_PROXIES: 0 },
    (_, response) => void response.write('the beginning'),
    async (origin, ends) => {
      await new Promise<void>((resolve) => {
        const request = http.get(origin, (response) => response.once('data', () => request.destroy()));
        request.on('error', () => resolve()).on('close', () => resolve());
      });
      await until(() => ends.length === 1);
      expect(ends[0]).toMatchObject({ complete: false, status: 200 });
    },
  );
});

test('names requests by few patterns, whatever is asked for', () => {
  expect([
    routeNameOf('/tipster/new'),
    routeNameOf('/tipster/anybody'),
    routeNameOf('/tipster/anybody/tips/7'),
    routeNameOf('/'),
  ]).toEqual([
    '/tipster/new',
    '/tipster/{portfolioReference}',
    '/tipster/{portfolioReference}/tips/{tipReference}',
    '/',
  ]);
  expect([routeNameOf('/_next/static/x.js'), routeNameOf('/no-such-page'), routeNameOf('/api/no/such/call')]).toEqual([
    '/_next',
    'other',
    '/api',
  ]);
  expect([pathWithoutSecrets('/unsubscribe-list/abc'), pathWithoutSecrets('/football')]).toEqual([
    '/unsubscribe-list/{guid}',
    '/football',
  ]);
});

test('an answer that is kept carries the id of each request, there or not modified', async () => {
  const answer = new StoredAnswer({
    status: 200,
    mediaType: 'text/plain',
    headers: [['vary', 'Cookie']],
    body: Buffer.from('kept'),
  });
  await onServer(
    { TIPLEDGER_PROXIES: 0 },
    () => undefined,
    async (origin, ends) => {
      const first = await ask(origin, '/');
      const second = await ask(origin, '/', { 'if-none-match': String(first.headers.etag) });
      await until(() => ends.length === 2);
      expect([first.status, second.status]).toEqual([200, 304]);
      expect([first, second].map(({ headers }) => headers[requestIdHeader])).toEqual(ends.map(({ id }) => id));
      expect(first.headers).toMatchObject({ vary: 'Cookie', 'content-length': '4' });
    },
    answer,
  );
});
