import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Handler } from '@/lib/http/capture';
import { startServer } from '../../support/site-server';
import { ask } from '../../support/wire';

const { compressAssets } = jest.requireActual<{ compressAssets(folders: string[], compressed: string): Promise<void> }>(
  '../../../scripts/builds.mjs',
);

const script = 'export const longText = "tipledger";\n'.repeat(200);
const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-assets-'));
const compressed = path.join(folder, '.next/compressed');

const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
};

const next: Handler = async ({ url }, response) => {
  response.writeHead(418, { 'content-type': 'text/plain' });
  response.end(`asked Next for ${url}`);
};

let origin: string;
let end: () => Promise<void>;

beforeAll(async () => {
  write('.next/static/chunks/app/[sport]/page-1a2b.js', script);
  write('.next/static/media/font.woff2', 'x'.repeat(3_000));
  write('.next/server/secret.js', 'secret');
  write('public/icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('public/sw.js', script);
  ({ origin, end } = await startServer(next, folder));
});
afterAll(async () => {
  await end();
  rmSync(folder, { recursive: true, force: true });
});

const chunk = '/_next/static/chunks/app/%5Bsport%5D/page-1a2b.js';

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
])('a file of the build is sent in %s, to be kept for ever', async (accepted, encoding) => {
  const { status, headers, text, bytes } = await ask(origin, chunk, { 'accept-encoding': accepted });
  expect([status, headers['content-encoding'], text, headers['content-length']]).toEqual([
    200,
    encoding,
    script,
    String(bytes.length),
  ]);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  });
});

test('the build leaves it as small as brotli makes it, and its ETag is known whoever compressed it', async () => {
  const first = await ask(origin, chunk, { 'accept-encoding': 'br' });
  await compressAssets([path.join(folder, '.next/static')], compressed);
  const second = await startServer(next, folder);
  const again = await ask(second.origin, chunk, { 'accept-encoding': 'br' });
  expect(again.headers.etag).toMatch(/-br11"$/);
  expect([again.text, again.bytes]).toEqual([script, brotliCompressSync(script)]);
  expect(
    (await ask(second.origin, chunk, { 'accept-encoding': 'br', 'if-none-match': first.headers.etag })).status,
  ).toBe(304);
  await second.end();
});

test('what an earlier build compressed goes, unless it is the same', async () => {
  writeFileSync(path.join(compressed, `${'0'.repeat(64)}.br`), 'of an earlier build');
  const [kept = ''] = readdirSync(compressed).filter((name) => !name.startsWith('0000'));
  writeFileSync(path.join(compressed, kept), 'the same, and not made again');
  await compressAssets([path.join(folder, '.next/static')], compressed);
  expect(readdirSync(compressed).map((name) => readFileSync(path.join(compressed, name), 'utf8'))).toEqual([
    'the same, and not made again',
  ]);
});

test('one that is compressed already is sent as it is', async () => {
  const { headers, text } = await ask(origin, '/_next/static/media/font.woff2', { 'accept-encoding': 'br' });
  expect([headers['content-encoding'], headers['content-type'], text.length]).toEqual([undefined, 'font/woff2', 3_000]);
});

test('a public file may be kept for a day, and the worker not at all', async () => {
  expect((await ask(origin, '/icon.svg?v=1')).headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
  });
  expect((await ask(origin, '/sw.js')).headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  });
});

test('HEAD has the headers of GET, and another method is not for files', async () => {
  const { status, bytes, headers } = await ask(origin, chunk, {}, { method: 'HEAD' });
  expect([status, bytes.length, headers['content-length']]).toEqual([200, 0, String(script.length)]);
  expect((await ask(origin, chunk, {}, { method: 'POST' })).status).toBe(405);
});

test('nothing but these files is sent, whatever the path', async () => {
  for (const requested of [
    '/_next/server/secret.js',
    '/_next/static/../server/secret.js',
    '/_next/static/%2e%2e/server/secret.js',
    '/_next/static/nothing.js',
    '/_next/static/%ff',
  ]) {
    const { status, text } = await ask(origin, requested);
    expect([requested, status]).toEqual([requested, status === 404 ? 404 : 418]);
    expect(text).not.toContain('secret"');
    expect(text).not.toBe('secret');
  }
});

describe('releases that lie beside each other', () => {
  const chunkOf = (release: string) => `/_next/static/chunks/${release}-1a2b3c4d.js`;
  const asked = async (from: string, release: string) => (await ask(from, chunkOf(release))).status;

  test('of packages send each other’s scripts, also those of one that comes later and is whole', async () => {
    const releases = path.join(folder, 'releases');
    const packaged = (release: string) => {
      write(`releases/${release}/.next/static/chunks/${release}-1a2b3c4d.js`, script);
      write(`releases/${release}/public/robots.txt`, '');
      write(`releases/${release}/tipledger.mjs`, '');
    };
    packaged('one');
    packaged('two');
    write('releases/other/.next/static/chunks/other-1a2b3c4d.js', script);
    const server = await startServer(next, path.join(releases, 'two'));
    expect(await Promise.all(['one', 'two', 'other', 'three'].map((name) => asked(server.origin, name)))).toEqual([
      200, 200, 404, 404,
    ]);
    packaged('three');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await Promise.all(['three', 'other', 'one'].map((name) => asked(server.origin, name)))).toEqual([
      200, 404, 200,
    ]);
    await server.end();
  });
});
