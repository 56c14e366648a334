import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Handler } from '@/lib/http/capture';
import { Documents } from '@/lib/http/documents';
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
    if (url.startsWith('/~')) return send(200, url === '/~unavailable' ? words : 'Something went wrong');
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

const ask = async (path: string) => {
  const response = await fetch(`${origin}${path}`, { headers: { connection: 'close' } });
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
