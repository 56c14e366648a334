import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { memberCookieName, sessionCookieName } from '@/lib/accounts/schema';
import type { Handler } from '@/lib/http/capture';
import { SiteHandler } from '@/lib/http/site-handler';
import { cached, forget } from '@/lib/platform/cache';
import { now } from '@/lib/platform/clock';
import { logIn, openAccount } from './accounts';

/** What is made for whoever asks: a page that nobody lists, and one that guests do not find. */
const ownPaths = ['/search?q=a', '/tipster/own'];

const paths = [
  ...ownPaths,
  '/',
  '/football',
  '/football?days=14',
  '/tennis',
  '/tipster',
  '/tipster/ann-football',
  '/tipster/ann-football/tips',
  '/fixture',
  '/ledger',
  '/no-such-page',
  '/fixture/nothing-v-nobody',
];

const members = 20;
const clients = 32;
const forgetEvery = 200;

// Long enough to be worth compressing, as pages are.
const filling = 'tipledger '.repeat(300);

type Asked = { headers: http.OutgoingHttpHeaders; expected: string | null };

/** Who asks, in turn: guests of many kinds, members, those who only say that they are, programs by bearer, and the router of Next. */
function asker(number: number, cookies: readonly string[]): Asked {
  const name = `canary-${number % members}-`;
  const cookie = `${sessionCookieName}=${cookies[number % members]}; ${memberCookieName}=1`;
  const kinds: Asked[] = [
    { headers: {}, expected: null },
    { headers: { 'accept-encoding': 'br' }, expected: null },
    { headers: { cookie: 'consent=all; theme=dark', 'accept-encoding': 'gzip' }, expected: null },
    { headers: { 'if-none-match': '*' }, expected: null },
    { headers: { cookie }, expected: name },
    { headers: { cookie: `theme=dark; ${cookie}`, 'accept-encoding': 'identity' }, expected: name },
    { headers: { cookie: `${sessionCookieName}=${name.padEnd(43, 'x')}` }, expected: null },
    { headers: { authorization: `Bearer ${name}` }, expected: null },
    { headers: { rsc: '1', cookie }, expected: name },
    { headers: { rsc: '1' }, expected: null },
    { headers: { cookie, 'save-data': 'on', 'if-none-match': '*' }, expected: name },
  ];
  return kinds[number % kinds.length] ?? { headers: {}, expected: null };
}

/** Stands in for Next: what everybody sees comes from the cache, and whoever says who they are finds their canary beside it. */
const standInFor =
  (cookies: readonly string[]): Handler =>
  async ({ url = '', headers }, response) => {
    const shown = await cached(`canary:${url}`, 60, ['canary'], async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return url;
    });
    const said = `${headers.cookie ?? ''} ${headers.authorization ?? ''}`;
    const member = cookies.findIndex((cookie) => said.includes(cookie));
    const who = member < 0 ? (/canary-\d+-/.exec(said)?.[0] ?? '') : `canary-${member}-`;
    const missing =
      url.startsWith('/no-such') ||
      url.startsWith('/fixture/') ||
      url === '/_not-found' ||
      (url.startsWith('/tipster/own') && who === '');
    response.writeHead(missing ? 404 : 200, {
      'content-type': headers.rsc === undefined ? 'text/html; charset=utf-8' : 'text/x-component',
    });
    response.end(`${shown} ${who} ${filling}`);
  };

/** What became of a run: how many requests were answered, and what was wrong with which answer. */
export type CanaryRun = { answered: number; renders: number; wrong: string[] };

/** Sends so many requests of guests, members and programs at once through the server, with pages forgotten all the while, and looks for a member's canary in the answer to anybody else. */
export async function runCanary(requests: number): Promise<CanaryRun> {
  const logins = await Promise.all(
    Array.from({ length: members }, async (_, index) => logIn(await openAccount(`canary${index}`, {}, now()), now())),
  );
  const cookies = logins.map(({ cookie }) => cookie);
  const siteHandler = new SiteHandler(standInFor(cookies), os.tmpdir());
  const server = http.createServer((request, response) => {
    if (!siteHandler.answerKept(request, response)) void siteHandler.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const run: CanaryRun = { answered: 0, renders: 0, wrong: [] };
  let next = 0;
  const client = async () => {
    for (let number = next++; number < requests; number = next++) {
      const path = paths[number % paths.length] ?? '/';
      const { headers, expected: name } = asker(number, cookies);
      const expected = ownPaths.includes(path) ? name : null;
      const text = await textOf({ host: '127.0.0.1', port, path, agent, headers });
      const found = [...new Set(text.match(/canary-\d+-/g) ?? [])];
      if (found.join() !== (expected ?? ''))
        run.wrong.push(`${path} as ${expected ?? 'a guest'}: ${found.join() || 'nothing'}`);
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
  run.renders = siteHandler.documents.pages.renders;
  return run;
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

function textOf(options: http.RequestOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(options, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const bytes = Buffer.concat(chunks);
            const decode = decoders[response.headers['content-encoding'] ?? ''];
            resolve((decode && bytes.length > 0 ? decode(bytes) : bytes).toString('utf8'));
          });
      })
      .on('error', reject);
  });
}
