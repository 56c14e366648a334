import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { importFiles, newDataFolder, type RunningSite, runProgram, startSite } from '../support/site';
import { siteFiles } from '../support/site-matches';
import { portfolios } from '../support/site-tips';
import { expect, test } from '../support/visitor';
import { ask } from '../support/wire';

const brotli = { 'accept-encoding': 'br' };
const session = { cookie: 'tipledger_session=nobody' };

test('a guest gets a page whole, compressed, tagged and the same each time, whatever else the address says', async ({
  site,
}) => {
  const first = await ask(site.origin, '/football', brotli);
  expect([
    first.status,
    first.headers['content-encoding'],
    first.headers['content-length'],
    first.headers['cache-control'],
  ]).toEqual([200, 'br', String(first.bytes.length), 'public, max-age=0, must-revalidate']);
  expect(first.headers.vary).toMatch(/Cookie, Accept-Encoding$/);
  for (const path of ['/football?utm_source=mail', '/football?days=&league='])
    expect((await ask(site.origin, path, brotli)).text).toBe(first.text);
  const again = await ask(site.origin, '/football', { ...brotli, 'if-none-match': first.headers.etag });
  expect([again.status, again.bytes.length, again.headers['content-security-policy']]).toEqual([
    304,
    0,
    first.headers['content-security-policy'],
  ]);
  expect((await ask(site.origin, '/football', { 'accept-encoding': 'gzip' })).text).toBe(first.text);
  const head = await ask(site.origin, '/football', brotli, { method: 'HEAD' });
  expect([head.status, head.bytes.length, head.headers['content-type']]).toEqual([200, 0, 'text/html; charset=utf-8']);
});

test('whoever says to carry a session gets the page of all, and the router of Next its data, the same for all', async ({
  site,
}) => {
  const guest = await ask(site.origin, '/football', brotli);
  const other = await ask(site.origin, '/football', { ...brotli, ...session });
  expect([other.status, other.headers['content-encoding'], other.headers.etag, other.text === guest.text]).toEqual([
    200,
    'br',
    guest.headers.etag,
    true,
  ]);
  const data = await ask(site.origin, '/football', { rsc: '1' });
  expect([data.headers['content-type'], data.text.includes('<html')]).toEqual(['text/x-component', false]);
  expect(
    (await ask(site.origin, '/football?_rsc=x', { rsc: '1', 'next-router-state-tree': 'junk', ...session })).headers
      .etag,
  ).toBe(data.headers.etag);
});

test('scripts and styles are kept for ever, and sent as brotli', async ({ site }) => {
  // A public page names the scripts of its islands alone, the login those of the framework.
  const text = (await ask(site.origin, '/')).text + (await ask(site.origin, '/login')).text;
  const files = [
    ...new Set([...text.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file)),
  ];
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const { status, headers, bytes } = await ask(site.origin, file, brotli);
    expect([file, status, headers['cache-control'], headers.vary]).toEqual([
      file,
      200,
      'public, max-age=31536000, immutable',
      'Accept-Encoding',
    ]);
    expect([file, headers['content-encoding']]).toEqual([
      file,
      bytes.length < 1024 ? headers['content-encoding'] : 'br',
    ]);
  }
});

test('a thousand who ask at once for a page that nobody asked for before get one and the same', async ({ site }) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, () => ask(site.origin, '/betting-guides?skip=1', {}, { agent })),
  );
  agent.destroy();
  // Each making of a page carries another identity in its last script.
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
});

/** The seconds until every one of the pages shows what it should. */
async function secondsUntil(sites: readonly RunningSite[], shown: Readonly<Record<string, RegExp>>): Promise<number> {
  const since = performance.now();
  for (;;) {
    const pages = await Promise.all(
      sites.flatMap(({ origin }) =>
        Object.entries(shown).map(async ([page, text]) => text.test((await ask(origin, page)).text)),
      ),
    );
    if (pages.every(Boolean)) return (performance.now() - since) / 1000;
    if (performance.now() - since > 30_000) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('what another program publishes and settles stands on every kept page of every instance in a moment', async () => {
  const files = mkdtempSync(path.join(os.tmpdir(), 'tipledger-files-'));
  const folder = newDataFolder();
  const dataFolder = path.join(folder, 'data');
  for (const { name, text } of siteFiles(new Date())) writeFileSync(path.join(files, name), text);
  await importFiles(
    dataFolder,
    'football-data',
    readdirSync(files).map((name) => path.join(files, name)),
  );
  const sites = [await startSite({ TIPLEDGER_DATA: dataFolder })];
  try {
    sites.push(await startSite({ TIPLEDGER_DATA: dataFolder }));
    const { name, reference } = portfolios.public;
    const before = {
      '/': /.*/,
      '/tipster?sportId=0&portfolioType=0&period=6&tips=1': /.*/,
      [`/tipster/${reference}`]: /There is no page/,
      [`/tipster/${reference}/results`]: /There is no page/,
      '/ledger': /Nothing is recorded yet/,
    };
    expect(await secondsUntil(sites, before)).toBeLessThan(30);
    await runProgram(dataFolder, 'tests/support/site-tipsters.ts', [path.join(files, 'published.json')]);
    const after = {
      '/': new RegExp(name),
      '/tipster?sportId=0&portfolioType=0&period=6&tips=1': new RegExp(name),
      [`/tipster/${reference}`]: /Last \d|Last <!-- -->\d/,
      [`/tipster/${reference}/results`]: /Settled|Won|Lost/,
      '/ledger': /Newest entries/,
    };
    // The pages are dropped when the instances next ask what was forgotten, once a second.
    expect(await secondsUntil(sites, after)).toBeLessThan(2.5);
  } finally {
    await Promise.all(sites.map((site) => site.end('SIGTERM')));
    for (const place of [files, folder]) rmSync(place, { recursive: true, force: true });
  }
});
