import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sessionCookieName } from '@/lib/accounts/schema';
import type { Handler } from '@/lib/entry/capture';
import { Front } from '@/lib/entry/front';
import { cached, forget } from '@/lib/platform/cache';

const paths = ['/', '/football', '/football?days=14', '/tennis', '/tipster', '/tipster/ann-football', '/tipster/ann-football/tips', '/fixture', '/ledger', '/no-such-page', '/fixture/nothing-v-nobody'];

const members = 20;
const clients = 32;
const forgetEvery = 200;

// Long enough to be worth compressing, as pages are.
const filling = 'tipledger '.repeat(300);

type Asked = { headers: http.OutgoingHttpHeaders; expected: string | null };

/** Who asks, in turn: guests of many kinds, members by cookie, programs by bearer, the router of Next, and members with the headers of all. */
function asker(number: number): Asked {
  const name = `canary-${number % members}-`;
  const kinds: Asked[] = [
    { headers: {}, expected: null },
    { headers: { 'accept-encoding': 'br' }, expected: null },
    { headers: { cookie: 'consent=all; theme=dark', 'accept-encoding': 'gzip' }, expected: null },
    { headers: { 'if-none-match': '*' }, expected: null },
    { headers: { cookie: `${sessionCookieName}=${name}` }, expected: name },
    { headers: { cookie: `theme=dark; ${sessionCookieName}=${name}`, 'accept-encoding': 'identity' }, expected: name },
    { headers: { authorization: `Bearer ${name}` }, expected: name },
    { headers: { rsc: '1', cookie: `${sessionCookieName}=${name}` }, expected: name },
    { headers: { rsc: '1' }, expected: null },
    { headers: { cookie: `${sessionCookieName}=${name}`, 'save-data': 'on', 'if-none-match': '*' }, expected: name },
  ];
  return kinds[number % kinds.length] ?? { headers: {}, expected: null };
}

/** Stands in for Next: what everybody sees comes from the cache, and whoever says who he is finds his canary beside it. */
const standIn: Handler = async ({ url = '', headers }, response) => {
  const shown = await cached(`canary:${url}`, 60, ['canary'], async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return url;
  });
  const who = /canary-\d+-/.exec(`${headers.cookie ?? ''} ${headers.authorization ?? ''}`)?.[0] ?? '';
  const missing = url.startsWith('/no-such') || url.startsWith('/fixture/') || url === '/_not-found';
  response.writeHead(missing && who === '' ? 404 : 200, { 'content-type': headers.rsc === undefined ? 'text/html; charset=utf-8' : 'text/x-component' });
  response.end(`${shown} ${who} ${filling}`);
};

/** What became of a run: how many requests were answered, and what was wrong with which answer. */
export type CanaryRun = { answered: number; renders: number; wrong: string[] };

/** Sends so many requests of guests, members and programs at once through the front, with pages forgotten all the while, and looks for a member's canary in the answer to anybody else. */
export async function runCanary(requests: number): Promise<CanaryRun> {
  const front = new Front(standIn, os.tmpdir());
  const server = http.createServer((request, response) => {
    if (!front.answerKept(request, response)) void front.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const run: CanaryRun = { answered: 0, renders: 0, wrong: [] };
  let next = 0;
  const client = async () => {
    for (let number = next++; number < requests; number = next++) {
      const path = paths[number % paths.length] ?? '/';
      const { headers, expected } = asker(number);
      const text = await textOf({ host: '127.0.0.1', port, path, agent, headers });
      const found = [...new Set(text.match(/canary-\d+-/g) ?? [])];
      if (found.join() !== (expected ?? '')) run.wrong.push(`${path} as ${expected ?? 'a guest'}: ${found.join() || 'nothing'}`);
      run.answered += 1;
      if (number % forgetEvery === 0) await forget(['canary']);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  run.renders = front.documents.pages.renders;
  return run;
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

function textOf(options: http.RequestOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
          const bytes = Buffer.concat(chunks);
          const decode = decoders[response.headers['content-encoding'] ?? ''];
          resolve((decode && bytes.length > 0 ? decode(bytes) : bytes).toString('utf8'));
        });
      })
      .on('error', reject);
  });
}
