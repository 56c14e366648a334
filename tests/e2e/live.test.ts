import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { EventReader } from '../support/events';
import { newDataFolder, type RunningSite, runProgram, startSite } from '../support/site';
import { type LiveSite, secretReason } from '../support/site-live-names';
import { expect, test, watchFaults, whenAlive } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

test.describe.configure({ mode: 'serial' });

let folder = '';
let dataFolder = '';
let running: RunningSite;
let given: LiveSite;

const lastLine = (said: string) => said.slice(said.lastIndexOf('\n{') + 1);
const change = async (what: string, more: object = {}) =>
  runProgram(dataFolder, 'tests/support/site-live.ts', [what, JSON.stringify({ ...given, ...more })]);

test.beforeAll(async () => {
  folder = newDataFolder();
  dataFolder = path.join(folder, 'data');
  running = await startSite({ TIPLEDGER_DATA: dataFolder });
  given = JSON.parse(
    lastLine(`\n${await runProgram(dataFolder, 'tests/support/site-live.ts', ['begin'])}`),
  ) as LiveSite;
  await change('score', { score: [0, 0] });
});

test.afterAll(async () => {
  if (running.pid) await running.end();
  rmSync(folder, { recursive: true, force: true });
});

const address = (place: string) => `${running.origin}${place}`;
/** A guest's page goes on by itself from the first touch on (0027). */
const touch = (page: Page) => page.keyboard.press('Shift');
const isListening = (page: Page) => page.waitForResponse((response) => response.url().includes('/api/stream'));
const soon = { timeout: 2_000 };

test('a score and a price show on open pages of two tabs within two seconds, without a reload, over one connection', async ({
  context,
}) => {
  const streams: string[] = [];
  // Spec §5: markets are loaded for those alone who are signed in.
  const markets: string[] = [];
  context.on(
    'request',
    (request) => /^\/api\/fixture\/.*\/markets/.test(new URL(request.url()).pathname) && markets.push(request.url()),
  );
  context.on('request', (request) => request.url().includes('/api/stream') && streams.push(request.url()));
  const first = await context.newPage();
  const faults = watchFaults(first);
  await first.goto(address(`/fixture/${given.underWay}`));
  await whenAlive(first);
  await Promise.all([isListening(first), touch(first)]);
  const second = await context.newPage();
  await second.goto(address(`/fixture/${given.coming}`));
  await whenAlive(second);
  await Promise.all([
    first.waitForResponse((response) => response.url().includes(encodeURIComponent(given.coming))),
    touch(second),
  ]);
  await expect(first.locator('h1:visible')).toHaveText('Harrowdale 0–0 Millbank');
  await first.evaluate(() => (document.body.dataset.same = ''));

  await change('score', { score: [1, 0] });
  await expect(first.locator('h1:visible')).toHaveText('Harrowdale 1–0 Millbank', soon);
  await expect(first.getByRole('status').filter({ hasText: 'Harrowdale 1, Millbank 0' })).toHaveCount(1);
  await expect(
    second.getByRole('region', { name: 'Under way' }).getByRole('link', { name: /Harrowdale 1 Millbank 0/ }),
  ).toBeVisible(soon);

  await change('price', { oddsThousandths: 2250 });
  await expect(
    second
      .getByRole('row', { name: /^Oxenford/ })
      .getByText('2.25')
      .first(),
  ).toBeVisible(soon);
  await expect(second.getByText(/just (shortened|drifted):/).first()).toBeAttached();
  await change('price', { oddsThousandths: 1750 });
  await expect(
    second
      .getByRole('row', { name: /^Oxenford/ })
      .getByText('1.75')
      .first(),
  ).toBeVisible(soon);
  await expect(second.getByText('just shortened:').first()).toBeAttached();

  expect(markets).toEqual([]);
  expect(await first.evaluate(() => document.body.dataset.same)).toBe('');
  expect(new Set(streams).size).toBeLessThanOrEqual(2);
  expect(faults.filter((fault) => !fault.includes('/api/stream'))).toEqual([]);
});

test('a price that moved before a page was touched shows once it goes on, in the first tab and in one that joins its line', async ({
  context,
  request,
}) => {
  const place = address(`/fixture/${given.coming}`);
  const movedUnseen = async (before: string, price: string) => {
    const page = await context.newPage();
    const made = await page.goto(place);
    await whenAlive(page);
    const home = page.getByRole('row', { name: /^Oxenford/ });
    await expect(home.getByText(before).first()).toBeVisible();
    await change('price', { oddsThousandths: Number(price) * 1000 });
    await expect.poll(async () => (await request.get(place)).text(), { timeout: 10_000 }).toContain(`>${price}<`);
    await touch(page);
    await expect(home.getByText(price).first()).toBeVisible({ timeout: 5_000 });
    return /^live;desc="([0-9a-f]{8}-\d+)"$/.exec(made?.headers()['server-timing'] ?? '')?.[1];
  };
  const resumed: (string | undefined)[] = [];
  context.on('request', (asked) => {
    if (asked.url().includes('/api/stream')) resumed.push(asked.headers()['last-event-id']);
  });
  const lastBefore = await movedUnseen('1.75', '1.95');
  expect(lastBefore).toBeDefined();
  expect(resumed[0]).toBe(lastBefore);
  await movedUnseen('1.95', '2.15');
});

test('where the stream is refused the pages ask instead', async ({ context }) => {
  await context.route('**/api/stream**', (route) => route.abort());
  const page = await context.newPage();
  await page.goto(address('/'));
  await whenAlive(page);
  await Promise.all([page.waitForResponse((response) => response.url().includes('/api/live-scores')), touch(page)]);
  await change('score', { score: [1, 1] });
  await expect(page.getByRole('link', { name: /Harrowdale 1 Millbank 1/ }).filter({ visible: true })).toBeVisible({
    timeout: 15_000,
  });
});

test('a guest who listens to everything is never sent what is for members', async ({ request }) => {
  const stop = new AbortController();
  const reader = new EventReader(
    await fetch(address(`/api/stream?topics=live,followed,fixture:${given.coming},portfolio:${given.portfolio}`), {
      signal: stop.signal,
    }),
  );
  await reader.next();
  const tip = JSON.parse((await change('tip')).split('\n').at(-1) ?? '') as string;
  await reader.until(({ name, data }) => name === 'change' && data.topic === `portfolio:${given.portfolio}`);
  expect(reader.text).not.toContain(secretReason);
  expect(reader.text).not.toContain(tip);
  const page = await (await request.get(address(`/tipster/${given.portfolio}/tips/${tip}`))).text();
  const image = /property="og:image" content="[^"]*?(\/api\/share\/[^"]+)"/.exec(page)?.[1] ?? '';
  const picture = await request.get(address(image));
  const bytes = await picture.body();
  expect([picture.status(), picture.headers()['content-type'], picture.headers()['cache-control']]).toEqual([
    200,
    'image/png',
    'public, max-age=31536000, immutable',
  ]);
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['PNG', 1200, 630]);
  stop.abort();
});

test('streams that are open do not hold up the end of the program', async () => {
  const readers = await Promise.all(
    Array.from({ length: 5 }, async () => new EventReader(await fetch(address('/api/stream?topics=live')))),
  );
  await Promise.all(readers.map((reader) => reader.next()));
  const began = performance.now();
  const ended = Promise.all(
    readers.map(async (reader) => {
      for (let event = await reader.next(); event !== null; event = await reader.next());
    }),
  );
  expect(await running.end()).toBe(0);
  await ended;
  expect(performance.now() - began).toBeLessThan(8_000);
  running = { ...running, pid: 0 };
});
