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

/** Until the browser has been given the rules it fetches nothing. */
const whenRulesAreGiven = (page: Page) =>
  page.locator('script[type="speculationrules"]').first().waitFor({ state: 'attached', timeout: 30_000 });

const saveData = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));

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
    await whenRulesAreGiven(page);
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
}) => {
  await page.goto('/football');
  await whenRulesAreGiven(page);
  const ahead = watchAhead(page);
  await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).hover();
  await page.waitForTimeout(1_000);
  expect(ahead).toEqual({ documents: [], parts: [] });
  await saveData(page);
  await page.goto('/football');
  await whenStarted(page);
  await menu(page).getByRole('link', { name: 'Tennis', exact: true }).hover();
  await page.waitForTimeout(1_000);
  expect(ahead).toEqual({ documents: [], parts: [] });
  await expect(page.locator('script[type="speculationrules"]')).toHaveCount(0);
});

test('so it is for a member, who stays known on the page that is shown', async ({ page }) => {
  await signInAs(page, 'member');
  await page.goto('/football', { waitUntil: 'networkidle' });
  await whenKnown(page, 'member');
  await whenRulesAreGiven(page);
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
  await whenRulesAreGiven(page);
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
  await whenRulesAreGiven(page);
  const ahead = watchAhead(page);
  await page.getByRole('main').getByRole('link', { name: 'Watchlist', exact: true }).first().hover();
  await page.waitForTimeout(1_000);
  expect(ahead.documents).toEqual([]);
  await saveData(page);
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await whenKnown(page, 'member');
  await menu(page).getByRole('link', { name: 'Tennis', exact: true }).hover();
  await page.waitForTimeout(1_000);
  expect(ahead.documents).toEqual([]);
});

/** Makes the browser one that knows no speculation rules; gives the addresses that the page itself fetches. */
async function withoutRules(page: Page, { savesData }: { savesData: boolean }): Promise<string[]> {
  const fetched: string[] = [];
  await page.addInitScript((saveData) => {
    HTMLScriptElement.supports = (type) => type !== 'speculationrules';
    Object.defineProperty(navigator, 'connection', { value: { saveData } });
  }, savesData);
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'fetch') fetched.push(new URL(request.url()).pathname);
  });
  return fetched;
}

test.describe('a browser without speculation rules', () => {
  test.use({ serviceWorkers: 'block' });

  test('fetches the page that one points at into its cache, once', async ({ page }) => {
    const fetched = await withoutRules(page, { savesData: false });
    await page.goto('/football');
    const tennis = menu(page).getByRole('link', { name: 'Tennis', exact: true });
    const away = page.locator('h1');
    await expect(async () => {
      await away.hover();
      await tennis.hover();
      await expect.poll(() => fetched, { timeout: 1_500 }).toContain('/tennis');
    }).toPass();
    await away.hover();
    await page.waitForTimeout(1_000);
    await tennis.hover();
    await page.waitForTimeout(500);
    await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).hover();
    await page.waitForTimeout(500);
    const pages = fetched.filter((path) => !path.startsWith('/api/') && path !== '/speculation-rules.json');
    expect(pages).toEqual(['/tennis']);
    await tennis.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tennis');
  });

  test('fetches nothing for whoever saves data', async ({ page }) => {
    const fetched = await withoutRules(page, { savesData: true });
    await page.goto('/football', { waitUntil: 'networkidle' });
    await page.waitForTimeout(1_000);
    await menu(page).getByRole('link', { name: 'Tennis', exact: true }).hover();
    await page.waitForTimeout(1_000);
    expect(fetched).not.toContain('/tennis');
    expect(fetched).not.toContain('/speculation-rules.json');
  });
});
