import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Handler } from '@/lib/http/capture';
import { Documents } from '@/lib/http/documents';
import { env } from '@/lib/platform/env';
import { Queue } from '@/lib/platform/queue';

const words = 'Back in a moment';

/** Pages as Next makes them: one that asks for work of a queue and fails with it, one that fails by itself, and the words for both. */
const pagesOf =
  (queue: Queue): Handler =>
  async (request, response) => {
    const url = request.url ?? '/';
    const send = (status: number, text: string) => {
      response.statusCode = status;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<html><head></head><body>${text}</body></html>`);
    };
    if (url === '/dashboard/news' || url.startsWith('/football'))
      return send(200, `come from ${request.headers.referer ?? 'nowhere'}`);
    if (url.startsWith('/~')) return send(200, url === '/~unavailable' ? words : 'Something went wrong');
    if (url === '/_not-found') return send(404, 'There is no page at this address');
    if (url === '/dashboard/orders/1') return send(404, '');
    if (url.startsWith('/dashboard/settings')) return send(500, 'a fault of its own');
    await queue
      .run(async () => undefined)
      .then(
        () => send(200, 'computed'),
        () => send(500, 'refused'),
      );
  };

let server: http.Server;
let origin: string;
const queue = new Queue({ atOnce: 1, waiting: 0 });

beforeAll(async () => {
  const documents = new Documents(pagesOf(queue), null, null);
  server = http.createServer((request, response) => {
    void documents.answer(request, response, { visitor: '192.0.2.1', wanted: 'document' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const askFor = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, { headers: { connection: 'close', ...headers } });

const ask = async (path: string) => {
  const response = await askFor(path);
  return { status: response.status, retry: response.headers.get('retry-after'), text: await response.text() };
};

it('says that a page is to be asked for again when what it needs was refused because too much is being done', async () => {
  let finish = (): void => undefined;
  const busy = queue.run(() => new Promise<void>((resolve) => (finish = resolve)));
  const [refused, failed] = [await ask('/dashboard/bets'), await ask('/dashboard/settings')];
  expect(refused).toEqual({ status: 503, retry: '5', text: expect.stringContaining(words) as string });
  expect(failed).toMatchObject({ status: 500, retry: null });
  finish();
  await busy;
  await new Promise((resolve) => setImmediate(resolve));
  expect(await ask('/dashboard/bets')).toMatchObject({ status: 200, text: expect.stringContaining('computed') });
});

it.each(['/500', '/500?x=1'])('answers %s, the address of the page for a fault, as a fault is', async (path) => {
  const response = await askFor(path);
  expect([response.status, response.headers.get('cache-control'), response.headers.get('retry-after')]).toEqual([
    500,
    'no-store',
    null,
  ]);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await response.text()).toContain('Something went wrong');
});

it.each(['/404', '/500/more', '/5000'])('has no page at %s', async (path) => {
  expect((await askFor(path)).status).toBe(404);
});

it('tells a page that is made for one visitor from which of our pages they come, whatever name they know us by, and never one that all are sent', async () => {
  const from = async (path: string, referer: string) => (await askFor(path, { referer })).text();
  const { siteUrl } = env();
  expect(await from('/dashboard/news', `${siteUrl}/contact-us`)).toContain(`come from ${siteUrl}/contact-us`);
  expect(await from('/dashboard/news', `${origin}/contact-us?a=b`)).toContain(`come from ${siteUrl}/contact-us?a=b`);
  expect(await from('/dashboard/news', 'https://other.example/contact-us')).toContain('come from nowhere');
  expect(await from('/football', `${origin}/contact-us`)).toContain('come from nowhere');
});

it('keeps no page that failed', async () => {
  expect((await askFor('/dashboard/settings')).headers.get('cache-control')).toBe('no-store');
});
