import type { Page } from '@playwright/test';
import { cachedAddress } from '@/lib/http/cached-pages';
import { pageKinds } from '../support/page-kinds';
import { portfolios } from '../support/site-tips';
import { expect, signInAs, test, whenKnown } from '../support/visitor';
import { ask } from '../support/wire';

const kib = 1024;

/** What a page brings until it is touched, pictures and fonts aside, in the bytes that are sent. */
async function bytesOf(page: Page, address: string): Promise<{ script: number; all: number }> {
  const sent = { script: 0, all: 0 };
  const session = await page.context().newCDPSession(page);
  const kinds = new Map<string, string>();
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? '';
    if (kind === 'Script') sent.script += encodedDataLength;
    if (['Script', 'Document', 'Stylesheet', 'Fetch', 'XHR'].includes(kind)) sent.all += encodedDataLength;
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  await session.detach();
  return sent;
}

const kept = pageKinds.filter(({ alike }) => !alike);
const atOnce = 8;

// Each page is fetched by a browser window of its own, which keeps nothing yet.
for (let first = 0; first < kept.length; first += atOnce) {
  const group = kept.slice(first, first + atOnce);
  test(`from ${group[0]?.name} to ${group.at(-1)?.name} a guest’s public page carries no framework, and little until it is touched`, async ({
    browser,
    site,
  }) => {
    for (const { name, path } of group) {
      if (cachedAddress(path(site)) === null) continue;
      const { text } = await ask(site.origin, path(site));
      expect([name, /__next_f|main-app|framework-/.test(text)]).toEqual([name, false]);
      const context = await browser.newContext({ baseURL: site.origin });
      const page = await context.newPage();
      const { script, all } = await bytesOf(page, path(site));
      expect([name, script > 0, script <= 15 * kib, all <= 60 * kib, script, all]).toEqual([
        name,
        true,
        true,
        true,
        script,
        all,
      ]);
      await context.close();
    }
  });
}

test.describe('on a slow phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  const slow = async (page: Page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 90_000,
    });
  };

  test('the first press opens a modal, once', async ({ page }) => {
    await slow(page);
    await page.goto('/', { waitUntil: 'commit' });
    await page.locator('html[data-alive]').waitFor({ state: 'attached' });
    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(1, { timeout: 30_000 });
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('the first press on a follow button leads a guest to the login', async ({ page }) => {
    await slow(page);
    await page.goto(`/tipster/${portfolios.public.reference}`, { waitUntil: 'commit' });
    await page.locator('html[data-alive]').waitFor({ state: 'attached' });
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Follow / })
      .first()
      .click();
    await expect(page.getByRole('dialog')).toHaveCount(1, { timeout: 30_000 });
  });
});

test('what is pressed before the scripts have come is done once, when they have', async ({ page, site }) => {
  let come = (): void => undefined;
  const coming = new Promise<void>((resolve) => (come = resolve));
  await page.route('**/_next/static/**/*.js', async (route) => {
    await coming;
    await route.continue();
  });
  await page.goto(`/fixture/${site.references.soon}`, { waitUntil: 'commit' });
  const price = page.locator('td + td [data-slip]:visible').first();
  // The second press would take it out again.
  for (let press = 0; press < 2; press += 1) await price.click();
  await page.getByRole('button', { name: 'Side menu' }).click();
  await expect(page.locator('html[data-alive]')).toHaveCount(0);
  come();
  await expect(page.locator('html')).toHaveAttribute('data-side-menu', 'closed', { timeout: 30_000 });
  await expect(page.locator('header [data-slip-count]')).toHaveText('1', { timeout: 30_000 });
  await expect(price).toHaveAttribute('aria-pressed', 'true');
});

test('presses on a follow button before the page knows its member follow once', async ({ page }) => {
  // By the cookie alone: the page has yet to ask whose it is.
  await signInAs(page, 'member');
  const written: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/user/following/'))
      written.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.route('**/api/auth/session', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await route.continue();
  });
  await page.goto(`/tipster/${portfolios.public.reference}`, { waitUntil: 'commit' });
  await page.locator('html[data-alive]').waitFor({ state: 'attached' });
  // Before the page knows who is looking, the way to the login stands there.
  const link = page.locator('[data-island="follow"] a').first();
  for (let press = 0; press < 3; press += 1) await link.dispatchEvent('click');
  await expect(
    page
      .getByRole('main')
      .getByRole('button', { name: /^Unfollow / })
      .first(),
  ).toBeVisible({ timeout: 30_000 });
  expect(written).toHaveLength(1);
  await whenKnown(page, 'member');
});

test('a press on a follow button leads to the login where it is not found out who is looking', async ({ page }) => {
  await signInAs(page, 'member');
  await page.route('**/api/auth/session', () => undefined);
  await page.goto(`/tipster/${portfolios.public.reference}`, { waitUntil: 'commit' });
  await page.locator('html[data-alive]').waitFor({ state: 'attached' });
  await page.locator('[data-island="follow"] a').first().dispatchEvent('click');
  await expect(page).toHaveURL(/\/login\?redirect_to=/, { timeout: 30_000 });
});
