import type { Page } from '@playwright/test';
import { expect, signInAs, test, whenKnown, whenStarted } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

test.use({ viewport: { width: 1440, height: 900 } });

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const delivered = (page: Page) =>
  page.evaluate(
    () =>
      (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming & { deliveryType: string })
        .deliveryType,
  );

/** What came ahead of a visit: for the browser, or for the router of Next. A click before it is there does not wait for it. */
function watchAhead(page: Page): { documents: string[]; parts: string[] } {
  const ahead: { documents: string[]; parts: string[] } = { documents: [], parts: [] };
  page.on('requestfinished', (request) => {
    const headers = request.headers();
    const { pathname } = new URL(request.url());
    if (headers['next-router-prefetch'] !== undefined || headers['next-router-segment-prefetch'] !== undefined)
      ahead.parts.push(pathname);
    else if (headers['sec-purpose']?.startsWith('prefetch')) ahead.documents.push(pathname);
  });
  return ahead;
}

for (const visit of ['the first', 'a later'] as const) {
  test(`on ${visit} visit the page that a guest points at is fetched ahead, and it is the page that is shown`, async ({
    page,
  }) => {
    await page.goto('/football');
    if (visit === 'a later') {
      await whenStarted(page);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
    }
    const ahead = watchAhead(page);
    const link = menu(page).getByRole('link', { name: 'Tennis', exact: true });
    await link.hover();
    await expect.poll(() => ahead.documents).toContain('/tennis');
    await link.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tennis');
    expect(await delivered(page)).toBe('navigational-prefetch');
    expect(ahead.parts).toEqual([]);
  });
}

test('nothing is fetched ahead whose row of the route table forbids it, and nothing for whoever saves data', async ({
  page,
  site,
  request,
}) => {
  await page.goto('/football');
  const ahead = watchAhead(page);
  await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).hover();
  await page.waitForTimeout(1_000);
  expect(ahead).toEqual({ documents: [], parts: [] });
  const saving = await request.get(`${site.origin}/football`, { headers: { 'save-data': 'on' } });
  expect(saving.headers()['speculation-rules']).toBeUndefined();
});

test('so it is for a member, who stays known on the page that is shown', async ({ page }) => {
  await signInAs(page, 'member');
  await page.goto('/football', { waitUntil: 'networkidle' });
  await whenKnown(page, 'member');
  const ahead = watchAhead(page);
  const link = menu(page).getByRole('link', { name: 'Tennis', exact: true });
  await link.hover();
  await expect.poll(() => ahead.documents).toContain('/tennis');
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tennis');
  expect(await delivered(page)).toBe('navigational-prefetch');
  expect(ahead.parts).toEqual([]);
  // Nothing of a guest's is shown to them meanwhile.
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeHidden();
  await whenKnown(page, 'member');
});

test('so it is on a page that is made for the member alone', async ({ page }) => {
  await signInAs(page, 'member');
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await whenKnown(page, 'member');
  const ahead = watchAhead(page);
  const link = menu(page).getByRole('link', { name: 'Tennis', exact: true });
  await link.hover();
  await expect.poll(() => ahead.documents).toContain('/tennis');
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tennis');
  expect(await delivered(page)).toBe('navigational-prefetch');
});

test('nothing is fetched ahead there for a member who saves data, nor what is for members', async ({ page }) => {
  await signInAs(page, 'member');
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await whenKnown(page, 'member');
  const ahead = watchAhead(page);
  await page.getByRole('main').getByRole('link', { name: 'Watchlist', exact: true }).first().hover();
  await page.waitForTimeout(1_000);
  expect(ahead.documents).toEqual([]);
  await page.setExtraHTTPHeaders({ 'save-data': 'on' });
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await whenKnown(page, 'member');
  await menu(page).getByRole('link', { name: 'Tennis', exact: true }).hover();
  await page.waitForTimeout(1_000);
  expect(ahead.documents).toEqual([]);
});
