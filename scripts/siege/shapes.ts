import net from 'node:net';
import type { Choice } from './choice';

/** What came back over a connection, and whether the other side let go in time where it had to. */
export type Shaped = { label: string; text: string; isOver: boolean };

type Shape = { label: string; parts: (choice: Choice) => (string | Buffer)[]; then: 'wait' | 'cut' | 'half' };

const host = 'host: localhost\r\n';
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${host}${more}\r\n`;
const json = 'content-type: application/json\r\n';
const someBytes = (choice: Choice, most: number) =>
  Buffer.from(Array.from({ length: 1 + choice.below(most) }, () => choice.below(256)));
const pagesOf = (choice: Choice) =>
  choice.of([
    '/',
    '/football',
    '/dashboard',
    '/create-portfolio',
    '/fixture',
    '/search?q=a',
    '/api/edge/version',
    '//evil.example',
    '/_next/image?url=%2Fx&w=64&q=75',
  ]);

/** Requests that are no requests, come in pieces, at once, by halves or not at all. */
export const shapes: readonly Shape[] = [
  { label: 'bytes by chance', parts: (choice) => [someBytes(choice, 400), '\r\n\r\n'], then: 'wait' },
  {
    label: 'a request with a byte changed',
    parts: (choice) => {
      const bytes = Buffer.from(get('/football', 'accept: text/html\r\n'));
      bytes[choice.below(bytes.length)] = choice.below(256);
      return [bytes];
    },
    then: 'cut',
  },
  {
    label: 'upgrade',
    parts: (choice) => [
      get(pagesOf(choice), `connection: Upgrade\r\nupgrade: ${choice.of(['websocket', 'h2c', 'TLS/1.0', 'x'])}\r\n`),
    ],
    then: 'cut',
  },
  { label: 'upgrade to HTTP/2', parts: () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], then: 'wait' },
  {
    label: 'tunnel',
    parts: (choice) => [
      `CONNECT ${choice.of(['evil.example:443', '127.0.0.1:5432', '', '*'])} HTTP/1.1\r\n${host}\r\n`,
    ],
    then: 'wait',
  },
  {
    label: 'expectation of the body',
    parts: () => [`POST /api/auth/token HTTP/1.1\r\n${host}${json}expect: 100-continue\r\ncontent-length: 20\r\n\r\n`],
    then: 'cut',
  },
  {
    label: 'another expectation',
    parts: () => [`POST /api/auth/token HTTP/1.1\r\n${host}${json}expect: tea\r\ncontent-length: 2\r\n\r\n{}`],
    then: 'wait',
  },
  { label: 'headers that are too large', parts: () => [get('/', `x: ${'x'.repeat(20_000)}\r\n`)], then: 'wait' },
  {
    label: 'thousands of headers',
    parts: () => [get('/', Array.from({ length: 3_000 }, (_, index) => `a${index}:b\r\n`).join(''))],
    then: 'wait',
  },
  { label: 'many requests one behind the other', parts: (choice) => [get(pagesOf(choice)).repeat(40)], then: 'cut' },
  { label: 'more of them than may wait', parts: () => [get('/api/edge/fixtures?sportId=1').repeat(300)], then: 'cut' },
  { label: 'a request cut off in its headers', parts: () => ['GET / HTTP/1.1\r\nhost: loc'], then: 'cut' },
  {
    label: 'a request cut off in its body',
    parts: () => [`POST /api/auth/token HTTP/1.1\r\n${host}${json}content-length: 500\r\n\r\n{"username":"`],
    then: 'cut',
  },
  {
    label: 'an answer that nobody reads',
    parts: (choice) => [get(choice.of(['/fixture', '/api/ledger/export', '/api/events?topics=x']))],
    then: 'cut',
  },
  { label: 'a client that ends its side', parts: (choice) => [get(pagesOf(choice))], then: 'half' },
  { label: 'nothing', parts: () => [], then: 'half' },
  {
    label: 'two lengths',
    parts: () => [`POST /api/auth/token HTTP/1.1\r\n${host}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`],
    then: 'wait',
  },
  {
    label: 'a length and chunks',
    parts: () => [
      `POST /api/auth/token HTTP/1.1\r\n${host}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n${host}\r\n`,
    ],
    then: 'wait',
  },
  {
    label: 'chunks that are none',
    parts: () => [`POST /api/auth/token HTTP/1.1\r\n${host}${json}transfer-encoding: chunked\r\n\r\nzz\r\n`],
    then: 'wait',
  },
  {
    label: 'an address of another site',
    parts: () => [`GET http://evil.example/ HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n`],
    then: 'wait',
  },
  { label: 'no host', parts: () => ['GET / HTTP/1.1\r\n\r\n'], then: 'wait' },
  { label: 'an old version', parts: () => ['GET /football HTTP/1.0\r\n\r\n'], then: 'wait' },
];

const cutAfter = 60;
const patience = 40_000;

/** Sends a shape over a connection of its own and lets go of it as the shape says. */
export function sendShape(port: number, shape: Shape, choice: Choice): Promise<Shaped> {
  return new Promise((resolve) => {
    let text = '';
    const parts = shape.parts(choice);
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      for (const part of parts) socket.write(part);
      if (shape.then === 'half') socket.end();
      if (shape.then === 'cut') setTimeout(() => socket.destroy(), choice.below(cutAfter));
    });
    const give = (isOver: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ label: shape.label, text, isOver });
    };
    const timer = setTimeout(() => give(false), patience);
    socket
      .on('data', (bytes) => (text = (text + bytes.toString('latin1')).slice(0, 200_000)))
      .on('end', () => socket.end())
      .on('error', () => undefined)
      .on('close', () => give(true));
    if (shape.label === 'an answer that nobody reads') socket.pause();
  });
}
