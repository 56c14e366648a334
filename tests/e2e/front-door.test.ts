import { rmSync } from 'node:fs';
import net from 'node:net';
import { Choice } from '../../scripts/siege/choice';
import { descriptorsAfter, descriptorsOf, spareDescriptors } from '../../scripts/siege/left-behind';
import { sendShape, shapes } from '../../scripts/siege/shapes';
import { emailOf } from '../support/site-people';
import { newDataFolder, type RunningSite, runProgram, startSite } from '../support/site';
import { expect, test } from '../support/visitor';
import { type Answer, ask } from '../support/wire';

type Line = {
  event: string;
  requestId?: string;
  path?: string;
  status?: number;
  cache?: string;
  ms?: number;
  bytes?: number;
};

const linesOf = (said: string): Line[] =>
  said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

// One after the other: each asks how the program is doing while it is busy.
test.describe.configure({ mode: 'default' });

let own: RunningSite;

test.beforeAll(async ({ site }) => {
  // The same world, asked by a program of its own, whose log is read.
  own = await startSite({
    TIPLEDGER_DATA: site.dataFolder,
    ACCESS_LOG: 'on',
    TIPLEDGER_PROXIES: '1',
    TIPLEDGER_OUTBOX: 'on',
    TIPLEDGER_SITE_URL: site.siteUrl,
  });
});
test.afterAll(async () => {
  await own.end();
});

const requestsFor = (path: string) =>
  linesOf(own.said()).filter((line) => line.event === 'request' && line.path === path);

test('no cookie, bearer or header makes a kept page anew', async () => {
  // A page that no feed writes to.
  const page = '/about-us';
  const useOf = async (headers: Record<string, string>) => {
    const answer = await ask(own.origin, page, headers);
    const line = () => linesOf(own.said()).find(({ requestId }) => requestId === answer.headers['x-request-id']);
    await expect.poll(line).toBeDefined();
    return line()?.cache;
  };
  const isKept = (headers = {}) => expect.poll(() => useOf(headers)).toBe('hit');
  await isKept();
  await isKept({ rsc: '1' });
  const before = requestsFor(page).length;
  const junk = [
    { cookie: 'tipledger_session=x' },
    { cookie: `tipledger_session=${'a'.repeat(43)}` },
    { 'next-foo': '1' },
    { 'next-router-state-tree': 'junk' },
    { authorization: 'Bearer x' },
    { 'x-middleware-prefetch': '1' },
    { 'next-action': 'x' },
  ];
  for (const headers of junk) expect((await ask(own.origin, page, headers)).status).toBe(200);
  const data = [
    { rsc: '1' },
    { rsc: '1', 'next-router-state-tree': 'junk' },
    { rsc: '1', 'next-url': '/x', cookie: 'tipledger_session=x' },
  ];
  for (const headers of data)
    expect([(await ask(own.origin, `${page}?_rsc=abc`, headers)).headers['content-type']]).toEqual([
      'text/x-component',
    ]);
  const uses = () =>
    requestsFor(page)
      .slice(before)
      .map(({ cache }) => cache);
  await expect.poll(() => uses().length).toBe(junk.length + data.length);
  expect(uses()).toEqual(uses().map(() => 'hit'));
});

test('many pages at once that are not kept hold up neither what is kept nor the state of health', async () => {
  await ask(own.origin, '/football');
  const many = Array.from({ length: 60 }, (_, index) =>
    ask(own.origin, `/search?q=nothing${index}`, { 'x-forwarded-for': '203.0.113.1' }),
  );
  const waited: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const address of ['/healthz', '/football', '/api/edge/version']) {
      const began = performance.now();
      expect([address, (await ask(own.origin, address)).status]).toEqual([address, 200]);
      waited.push(performance.now() - began);
    }
  }
  expect(Math.max(...waited)).toBeLessThan(5_000);
  const answers = await Promise.all(many);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers, text } of refused)
    expect([status, headers['retry-after'], headers['content-type'], text.length < 200]).toEqual([
      503,
      '5',
      'text/plain; charset=utf-8',
      true,
    ]);
  expect((await ask(own.origin, '/search?q=after', { 'x-forwarded-for': '203.0.113.2' })).status).toBe(200);
});

test('what the site says of itself is what it is set to, whatever host is asked for', async ({ site }) => {
  const foreign = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };
  for (const path of [
    '/',
    '/login',
    '/search?q=a',
    '/create-portfolio',
    '/dashboard',
    '/api/edge/version',
    '/no-such-page',
  ]) {
    const { text, headers } = await ask(own.origin, path, foreign);
    expect([path, text.includes('evil.example'), String(headers.location ?? '').includes('evil.example')]).toEqual([
      path,
      false,
      false,
    ]);
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
  const post = (headers: Record<string, string>) =>
    ask(own.origin, '/api/auth/token', { ...form, ...headers }, { method: 'POST' });
  const said = ({ headers }: Answer) => {
    const flash = /tipledger_form=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
    return (JSON.parse(Buffer.from(flash, 'base64url').toString('utf8')) as { message: string }).message;
  };
  const evil = { host: 'evil.example', origin: 'http://evil.example' };
  for (const more of [{}, { 'sec-fetch-site': 'same-origin' }])
    expect(said(await post({ ...evil, ...more } as Record<string, string>))).toContain('another site');
  expect(said(await post({ origin: site.siteUrl }))).not.toContain('another site');
  expect((await ask(own.origin, '/_next/image?url=%2Ficons%2Fapple-touch-icon.png&w=64&q=75')).status).toBe(404);
});

test('each request has an id, in its answer and in its line of the log, and each line is one of JSON', async () => {
  const { headers } = await ask(own.origin, '/no-such-page-of-this-test?secret=yes', {
    'x-request-id': 'given-by-the-proxy',
  });
  expect(headers['x-request-id']).toBe('given-by-the-proxy');
  await expect
    .poll(() => linesOf(own.said()).find(({ requestId }) => requestId === 'given-by-the-proxy'))
    .toMatchObject({
      event: 'request',
      path: '/no-such-page-of-this-test',
      status: 404,
      ms: expect.any(Number),
      bytes: expect.any(Number),
      cache: 'hit',
    });
  expect(own.said()).not.toContain('secret=yes');
  expect(linesOf(own.said()).filter(({ event }) => event === 'program').length).toBeGreaterThan(0);
});

test('a reader who lets go in the middle of a file is no fault of the program', async () => {
  const { hostname, port } = new URL(own.origin);
  await Promise.all(
    Array.from(
      { length: 10 },
      () =>
        new Promise<void>((resolve) => {
          const socket = net.connect(Number(port), hostname, () =>
            socket.write(`GET /api/ledger/export HTTP/1.1\r\nhost: x\r\n\r\n`),
          );
          socket
            .once('data', () => socket.destroy())
            .on('error', () => undefined)
            .on('close', () => resolve());
        }),
    ),
  );
  await expect.poll(() => requestsFor('/api/ledger/export').length).toBe(10);
  expect(linesOf(own.said()).filter(({ event }) => event === 'server_error')).toEqual([]);
});

test('connections of every odd shape are ended, and none of their descriptors is held', async () => {
  test.setTimeout(240_000);
  const port = Number(new URL(own.origin).port);
  const before = descriptorsOf(own.pid);
  const held: string[] = [];
  const idle = Promise.all(
    Array.from(
      { length: 300 },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = net.connect(port, '127.0.0.1');
          socket.setTimeout(30_000, () => socket.destroy(new Error('A connection that says nothing was kept.')));
          socket
            .on('data', () => undefined)
            .on('error', reject)
            .on('close', () => resolve());
        }),
    ),
  );
  const all = shapes.map(async (shape) => {
    const sent = await Promise.all(Array.from({ length: 40 }, (_, index) => sendShape(port, shape, new Choice(index))));
    if (sent.some(({ isOver }) => !isOver)) held.push(shape.label);
  });
  await Promise.all([...all, idle]);
  expect(held).toEqual([]);
  expect(await descriptorsAfter(own.pid, before)).toBeLessThanOrEqual(before + spareDescriptors);
});

test('it stands firm under hostile requests of every kind, of guests, members and staff', async () => {
  test.setTimeout(900_000);
  const folder = newDataFolder();
  try {
    // On a database of its own: what it uses up, sign-ins among it, other tests need.
    const said = await runProgram(folder, 'scripts/siege.ts', [
      ...['--requests', process.env.SIEGE_REQUESTS ?? '3000'],
      ...['--seed', '20261122', '--clients', '8', '--hang', '10000'],
    ]);
    expect(said).toContain('It stood firm.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the mails that wait are shown within the policy of the page', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: own.origin });
  const page = await context.newPage();
  const broken: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) broken.push(message.text());
  });
  await page.goto('/forgotten-password');
  await page.getByLabel('E-mail address').fill(emailOf('member'));
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect.poll(async () => (await ask(own.origin, '/api/outbox')).text).not.toBe('[]');
  await page.goto('/outbox');
  const mails = page.getByRole('article');
  await expect(mails.first()).toBeVisible();
  const looks = context.waitForEvent('page');
  await mails.first().getByRole('link', { name: 'As it looks' }).click();
  await expect((await looks).getByRole('heading')).toBeVisible();
  expect(broken).toEqual([]);
  await context.close();
});
