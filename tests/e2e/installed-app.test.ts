import type { Browser, BrowserContext, Page, Request } from '@playwright/test';
import { barriersOn } from '../support/barriers';
import type { VisitedSite } from '../support/site-setup';
import { matches } from '../support/site-matches';
import { expect, keptPages, test, visitKept, whenAlive, whenKnown, whenStarted } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

const critical = 'Loading chunk failed: Could not load a key JavaScript file. Please refresh the page.';

async function asVisitor(
  browser: Browser,
  { origin }: VisitedSite,
  body: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: origin });
  try {
    await body(context);
  } finally {
    await context.close();
  }
}

test('the site can be installed: its manifest names icons that are there, and its worker is always asked for', async ({
  page,
  request,
}) => {
  await page.goto('/');
  const address = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = (await (await request.get(address ?? '')).json()) as {
    name: string;
    display: string;
    start_url: string;
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
  };
  expect(manifest).toMatchObject({ name: 'Tipledger', display: 'standalone', start_url: '/' });
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose ?? 'any'}`)).toEqual(
    expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
  );
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await request.get(src);
    expect([src, icon.status(), icon.headers()['content-type']]).toEqual([src, 200, type]);
    const width = await page.evaluate(
      async (url) => (await createImageBitmap(await (await fetch(url)).blob()).catch(() => null))?.width,
      src,
    );
    if (type === 'image/png') expect(`${width}x${width}`).toBe(sizes);
  }
  const worker = await request.get('/sw.js');
  expect(worker.status()).toBe(200);
  expect(worker.headers()['cache-control']).toMatch(/no-cache|max-age=0/);
});

test('without a connection the visited pages can be read, those stepped to as well, and the others say what can be', async ({
  browser,
  site,
}) => {
  await asVisitor(browser, site, async (context) => {
    const fixture = `/fixture/${site.references.soon}`;
    const page = await visitKept(context, '/football');
    await whenAlive(page);
    await page
      .getByRole('link', { name: new RegExp(`${matches.soon.home}.*${matches.soon.away}`) })
      .first()
      .click();
    await expect(page).toHaveURL(fixture);
    await expect.poll(() => keptPages(page)).toEqual(['/football', fixture]);

    await context.setOffline(true);
    await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(matches.soon.home);
    await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible();

    await page.goto('/tennis');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No connection');
    expect(page.url()).toBe(`${site.origin}/tennis`);
    const kept = page.getByRole('region', { name: 'On this device' });
    await expect(kept.getByRole('link')).toHaveCount(2);
    expect(await barriersOn(page)).toEqual([]);
    await kept
      .getByRole('link', { name: /Football/ })
      .last()
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Football');
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');

    await page.goto('/tennis');
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tennis');
  });
});

test('nothing of one’s own and nothing that is not a page is kept', async ({ browser, site }) => {
  await asVisitor(browser, site, async (context) => {
    const page = await visitKept(context, '/football');
    for (const path of ['/login', '/search?q=arsenal', '/dashboard', '/football?q=x', '/there-is-no-such-page'])
      await page.goto(path);
    await page.goto('/tennis?utm_source=mail#odds');
    await expect.poll(() => keptPages(page)).toEqual(['/football', '/tennis']);
    const names = await page.evaluate(async () => {
      const all = await Promise.all(
        (await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
        ),
      );
      return all.flat();
    });
    expect(names.filter((path) => path.startsWith('/api/') && !path.startsWith('/api/fixture/'))).toEqual([]);
  });
});

/** Lets the server say that another build is running, for the pages that are open. */
async function deploy(context: BrowserContext): Promise<{ checks(): number }> {
  let checks = 0;
  await context.route('**/api/edge/version', async (route) => {
    checks += 1;
    await route.fulfill({ json: { version: 'another-build', branch: 'main' } });
  });
  return { checks: () => checks };
}

/** Tells whether the page has all scripts that it asked for, and asked for none since the last look: a clock moved on by minutes lets the loader give up those under way. */
function watchScripts(page: Page): () => boolean {
  const underWay = new Set<Request>();
  let asked = 0;
  let before = -1;
  page.on('request', (request) => {
    if (request.resourceType() !== 'script') return;
    asked += 1;
    underWay.add(request);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  return () => {
    const isSame = asked === before;
    before = asked;
    return isSame && underWay.size === 0;
  };
}

/** Opens a page whose clock the test moves on, and waits until it checks its version. */
async function openWithClock(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(path);
  await whenAlive(page);
  await page.keyboard.press('Shift');
  await page.clock.runFor(5_000);
  await expect(page.locator('html[data-ready]')).toBeAttached();
  await expect(page.locator('[role="status"]').first()).toBeAttached();
  return page;
}

test('after a deploy an open page loads itself anew and the reader finds the place again, once', async ({
  browser,
  site,
}) => {
  await asVisitor(browser, site, async (context) => {
    const page = await openWithClock(context, '/football');
    const hasItsScripts = watchScripts(page);
    await page.evaluate(() => {
      scrollTo(0, 400);
      Object.assign(window, { isOld: true });
    });
    const { checks } = await deploy(context);
    await page.clock.runFor('03:00');
    await expect.poll(checks).toBe(1);
    await page.clock.runFor(300);
    await expect.poll(() => page.evaluate(() => 'isOld' in window).catch(() => true)).toBe(false);
    await whenAlive(page);
    await page.clock.runFor(5_000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(400);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Football');

    await page.evaluate(() => Object.assign(window, { isOld: true }));
    await expect(page.locator('html[data-ready]')).toBeAttached();
    await expect.poll(hasItsScripts, { intervals: [500] }).toBe(true);
    await page.clock.runFor('03:00');
    await expect.poll(checks).toBe(2);
    await page.clock.runFor(1_000);
    await expect(page.getByRole('button', { name: /^Update Ready/ })).toBeVisible();
    expect(await page.evaluate(() => 'isOld' in window)).toBe(true);
  });
});

test('where something is being written a new version waits, with a badge, and is asked for again', async ({
  browser,
  site,
}) => {
  await asVisitor(browser, site, async (context) => {
    const page = await openWithClock(context, '/register');
    await page.evaluate(() => Object.assign(window, { isOld: true }));
    const { checks } = await deploy(context);
    await page.clock.runFor('03:00');
    await expect.poll(checks).toBe(1);
    await page.clock.runFor(1_000);
    const badge = page.getByRole('button', { name: /^Update Ready/ });
    await expect(badge).toBeVisible();
    await page.clock.runFor('03:00');
    await expect.poll(checks).toBe(2);
    expect(await page.evaluate(() => 'isOld' in window)).toBe(true);
    await badge.click();
    await expect.poll(() => page.evaluate(() => 'isOld' in window).catch(() => true)).toBe(false);
  });
});

test('a script that a deploy has taken away raises an alert with a way out, and the page stays', async ({
  browser,
  site,
}) => {
  await asVisitor(browser, site, async (context) => {
    const page = await context.newPage();
    await page.goto('/football');
    await whenStarted(page);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.src = '/_next/static/chunks/of-a-build-that-is-gone.js';
      document.head.append(script);
    });
    const alert = page.getByRole('alert').filter({ hasText: critical });
    await expect(alert).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-critical-error', '');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Football');
    await Promise.all([page.waitForEvent('load'), alert.getByRole('button', { name: 'Refresh the page' }).click()]);
    await expect(page.locator('html')).not.toHaveAttribute('data-critical-error');
  });
});

test('a part of the page that a deploy has taken away raises the alert, on a page that can be read, and the refresh brings it', async ({
  browser,
  site,
}) => {
  await asVisitor(browser, site, async (context) => {
    const page = await context.newPage();
    await page.goto('/ledger');
    await whenKnown(page, 'guest');
    await context.route('**/_next/static/chunks/**', (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByRole('searchbox', { name: 'Search the site' }).focus();
    const alert = page.getByRole('alert').filter({ hasText: critical });
    await expect(alert).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The record');
    await context.unroute('**/_next/static/chunks/**');
    await Promise.all([page.waitForEvent('load'), alert.getByRole('button', { name: 'Refresh the page' }).click()]);
    await page.getByRole('searchbox', { name: 'Search the site' }).focus();
    await expect(page.getByRole('combobox', { name: 'Search the site' })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: critical })).toHaveCount(0);
  });
});

test('a worker that cannot go on is taken away with all that it kept, and the page comes from the network', async ({
  browser,
  site,
}) => {
  await asVisitor(browser, site, async (context) => {
    const page = await visitKept(context, '/football');
    await page.evaluate(() => Object.assign(window, { isOld: true }));
    await page.evaluate(() =>
      navigator.serviceWorker.dispatchEvent(
        new MessageEvent('message', { data: { kind: 'unrecoverable', reason: 'UnknownError' } }),
      ),
    );
    await expect.poll(() => page.evaluate(() => 'isOld' in window).catch(() => true)).toBe(false);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Football');
  });
});
