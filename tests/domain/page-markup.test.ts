import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { activePath } from '@/app/_sections/active-path';
import type { Handler } from '@/lib/http/capture';
import { collectMarkup, keepMarkup, pathOfAll } from '@/lib/http/markup';
import { beforePaint, hashOf } from '@/lib/http/own-scripts';
import { speculationRules } from '@/lib/http/speculation-rules';
import { forgetEverything } from '@/lib/platform/cache';
import { env } from '@/lib/platform/env';
import { onTestDatabase } from '../support/database';
import { startServer } from '../support/site-server';
import { ask } from '../support/wire';

onTestDatabase();

// What Next does with a page that writes its markup aside, or in place where nobody keeps it.
const handler: Handler = async (request, response) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  const id = keepMarkup(`<p>Written for ${request.url}</p><script>alert(1)</script>`);
  const shown = id === null ? 'In place' : `<div data-markup="" id="${id}"></div> at ${pathOfAll()}`;
  response.setHeader('content-type', request.headers.rsc === '1' ? 'text/x-component' : 'text/html; charset=utf-8');
  response.end(`<html><head></head><body>${shown}</body></html>`);
};

let folder: string;
let server: Awaited<ReturnType<typeof startServer>>;

beforeEach(async () => {
  forgetEverything();
  folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-built-'));
  const built = path.join(folder, env().TIPLEDGER_BUILD);
  mkdirSync(built, { recursive: true });
  writeFileSync(path.join(built, 'islands.json'), '["/_next/static/islands.js"]');
  server = await startServer(handler, folder);
});
afterEach(async () => {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});

test('a page for everybody gets its own markup, and is told where it stands, of pages that are made side by side', async () => {
  const paths = ['/football', '/tennis', '/golf?days=14', '/pro'];
  const answers = await Promise.all(paths.map((address) => ask(server.origin, address)));
  expect(answers.map(({ text }) => /<body>(.*?)<script/.exec(text)?.[1])).toEqual(
    paths.map((address) => `<div data-markup=""><p>Written for ${address}</p>`),
  );
  expect(answers.map(({ text }) => / at ([^\s<]+)<script src="[^"]+" async=""></.exec(text)?.[1])).toEqual([
    '/football',
    '/tennis',
    '/golf',
    '/pro',
  ]);
});

test('a script in markup is none that the policy allows', async () => {
  const { headers, text } = await ask(server.origin, '/football');
  expect(text).toContain('<script>alert(1)</script>');
  const hashes = String(headers['content-security-policy']).match(/'sha256-[^']+'/g);
  const { headers: bare } = await ask(server.origin, '/tennis');
  expect(String(bare['content-security-policy']).match(/'sha256-[^']+'/g)).toEqual(hashes);
  expect(hashes).toEqual([hashOf(beforePaint), hashOf(speculationRules)]);
});

test('the data of such a page, and a page that is made for somebody, have their markup in place', async () => {
  expect((await ask(server.origin, '/football', { rsc: '1' })).text).toContain('In place');
  expect((await ask(server.origin, '/login')).text).toContain('In place');
});

test.each([
  ['/fixture/athletic-v-wanderers-2026-03-10', '/football'],
  ['/fixture/nobody-v-noone-2026-03-10', '/fixture/nobody-v-noone-2026-03-10'],
  ['/fixture', '/fixture'],
  ['/tennis/league/one', '/tennis/league/one'],
])('on the page %s for everybody the menu marks the entry of %s', async (at, marked) => {
  expect(await collectMarkup({ path: at, mark: 'mark' }, activePath).made).toBe(marked);
});

test('on a page that is made for somebody the menu follows the router', async () => {
  expect(await activePath()).toBeNull();
});
