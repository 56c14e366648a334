import type { Server, ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { answerOnceRead, boundedPipeline, openServer } from '@/lib/http/open-server';
import { connectionLimits } from '@/lib/http/request-limits';

let server: Server;
let port: number;
let held: ServerResponse[];

beforeEach(async () => {
  held = [];
  server = openServer();
  server.on(
    'request',
    boundedPipeline((request, response) => {
      if (request.url === '/held') held.push(response);
      else response.end('here');
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends text over a connection of its own and gives what came back until the other side ended it. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let came = '';
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(text));
    socket.setTimeout(5_000, () => socket.destroy(new Error('The connection was neither answered nor ended.')));
    socket
      .on('data', (bytes) => (came += bytes.toString()))
      .on('end', () => socket.end())
      .on('error', reject)
      .on('close', () => resolve(came));
  });
}

const host = 'host: localhost\r\n';

test.each([
  ['what is no request', 'what is this\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\n${host}x: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['two lengths', `POST / HTTP/1.1\r\n${host}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`, 400],
  ['a length and chunks', `POST / HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\nx`, 400],
  ['a method that there is none of', `BREW / HTTP/1.1\r\n${host}\r\n`, 400],
  ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n', 405],
  ['an expectation that nobody meets', `POST / HTTP/1.1\r\n${host}expect: tea\r\ncontent-length: 1\r\n\r\n`, 417],
])('%s is refused with the headers of every answer, and the connection ends', async (_, text, status) => {
  const came = await exchange(text);
  expect(came).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  for (const header of [
    'x-content-type-options: nosniff',
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy: same-origin',
    'content-type: text/plain; charset=utf-8',
    'cache-control: no-store',
  ]) {
    expect(came.toLowerCase()).toContain(`\r\n${header}\r\n`);
  }
  expect(came).toMatch(/\r\n\r\n.+\n/);
});

test('a request to upgrade is answered as if it asked for nothing more', async () => {
  expect(await exchange(`GET / HTTP/1.1\r\n${host}connection: Upgrade, close\r\nupgrade: websocket\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 200 OK[\s\S]*here$/,
  );
});

test('a client that ends its side before it is answered is let go of', async () => {
  const socket = net.connect(port, '127.0.0.1', () => socket.end(`GET /held HTTP/1.1\r\n${host}\r\n`));
  await new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
  expect(held).toHaveLength(1);
});

test('as many requests of a connection as may wait are answered in their order, and with more it is let go of', async () => {
  const requests = (count: number) => `GET /held HTTP/1.1\r\n${host}\r\n`.repeat(count);
  const socket = net.connect(port, '127.0.0.1', () => socket.write(requests(connectionLimits.waiting)));
  let came = '';
  socket.on('data', (bytes) => (came += bytes.toString()));
  while (held.length < connectionLimits.waiting) await new Promise((resolve) => setTimeout(resolve, 10));
  held.forEach((response, index) => response.end(`answer ${index};`));
  while (!came.includes(`answer ${connectionLimits.waiting - 1};`))
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(came.match(/answer \d+/g)).toEqual(held.map((_, index) => `answer ${index}`));
  held.length = 0;
  socket.on('error', () => undefined);
  socket.write(requests(connectionLimits.waiting + 1));
  await new Promise((resolve) => socket.on('close', resolve));
  expect(held.length).toBeLessThanOrEqual(connectionLimits.waiting);
});

test('there are no more connections than the limit, nor than descriptors allow', () => {
  expect(server.maxConnections).toBeGreaterThan(100);
  expect(server.maxConnections).toBeLessThanOrEqual(connectionLimits.connections);
});

describe('requests that came together', () => {
  const notKept = () => false;
  const response = (destroyed = false) => ({ destroyed }) as ServerResponse;

  test('are answered in their order once all are read, each with what follows from it at once', async () => {
    const done: string[] = [];
    const answerFirst = () => {
      done.push('first');
      void Promise.resolve().then(() => done.push('what the first left to do'));
    };
    answerOnceRead({ response: response(), answerKept: notKept, answer: answerFirst });
    answerOnceRead({
      response: response(true),
      answerKept: notKept,
      answer: () => done.push('second, which nobody waits for any more'),
    });
    answerOnceRead({ response: response(), answerKept: notKept, answer: () => done.push('third') });
    expect(done).toEqual([]);
    await waitForTurns(2);
    expect(done).toEqual(['first', 'what the first left to do', 'third']);
  });

  test('are answered in one go where the answer is kept, and not again', async () => {
    const done: string[] = [];
    const kept = (name: string) => () => {
      done.push(name);
      void Promise.resolve().then(() => done.push(`after ${name}`));
      return true;
    };
    const answer = () => done.push('answered again');
    answerOnceRead({ response: response(), answerKept: kept('first'), answer });
    answerOnceRead({ response: response(), answerKept: kept('second'), answer });
    expect(done).toEqual([]);
    await waitForTurns(2);
    expect(done).toEqual(['first', 'second', 'after first', 'after second']);
  });
});

async function waitForTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}
