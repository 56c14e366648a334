import { createHash } from 'node:crypto';
import { type APIRequestContext, type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { people, type Person, sitePassword } from './site-people';
import { someRecoveryCode } from './staff-codes';
import type { VisitedSite } from './site-setup';

/** Collects what goes wrong in a page, such as a hydration error or an image that is missing; a missing page's own status is no fault. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  const refused = new Set<string>();
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.status() >= 400) refused.add(response.url());
  });
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left aborts what it was loading; 'csp' is a script in a browser whose script is switched off.
    if (!['net::ERR_ABORTED', 'csp'].includes(reason)) faults.push(`${request.url()}: ${reason}`);
  });
  page.on('console', (message) => {
    const ownStatus = message.text().startsWith('Failed to load resource') && refused.has(message.location().url);
    // The browser gives a page some seconds to paint with a font; a tab in the background takes longer on a slow machine. fonts.test.ts holds
    // that each font which is preloaded is used.
    const unpainted = message.text().includes('was preloaded using link preload but not used within a few seconds');
    const workerless = message.text() === 'Service Worker registration blocked by Playwright';
    if (['error', 'warning'].includes(message.type()) && !ownStatus && !unpainted && !workerless)
      faults.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  return faults;
}

/** Waits until the page is alive: one that Next makes so, once React has found whether its markup differs from the server's. */
export async function whenAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isAlive = document.documentElement.dataset.alive !== undefined;
    const isOfNext = document.querySelector('script[src*="/main-app-"]') !== null;
    const menu = Object.keys(document.querySelector('#side-menu') ?? {});
    return isAlive && (!isOfNext || menu.some((key) => key.startsWith('__reactProps')));
  });
}

/** Touches the page as a visitor does who begins to use it (0027), until the browser's part of the site has started. */
export async function whenStarted(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Shift');
    await page.locator('html[data-ready]').waitFor({ state: 'attached', timeout: 500 });
  }).toPass({ timeout: 30_000 });
}

/** Waits until the browser's part of the site has started and knows who is looking. */
export async function whenKnown(page: Page, kind: 'guest' | 'member'): Promise<void> {
  await whenStarted(page);
  await page.locator(`html[data-viewer="${kind}"]`).waitFor({ state: 'attached', timeout: 30_000 });
}

async function signIn(request: APIRequestContext, person: Person, origin = ''): Promise<{ token: string }> {
  const { username } = people[person];
  const response = await request.post(`${origin}/api/auth/token`, { data: { username, password: sitePassword } });
  if (!response.ok()) throw new Error(`Signing in as ${person}: ${response.status()} ${await response.text()}`);
  return (await response.json()) as { token: string };
}

/** Makes the browser that of somebody who has an account, by the call that the form of the login makes; opens no page. */
export async function signInAs(page: Page, person: Person, origin?: string): Promise<void> {
  await signIn(page.request, person, origin);
}

/** Fills in the login that is shown, which leads to the address. */
export async function logIn(page: Page, person: Person, address: string): Promise<void> {
  await page.getByLabel('Username or e-mail address').fill(people[person].username);
  await page.getByLabel('Password', { exact: true }).fill(sitePassword);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((url) => url.pathname === address);
  await page.locator('html[data-viewer="member"]').waitFor({ state: 'attached' });
}

/** Shows the second factor of somebody of staff who is signed in, by a recovery code, and comes to /admin. */
export async function showFactor(page: Page): Promise<void> {
  await page.goto('/admin');
  await page.getByLabel('Code').fill(someRecoveryCode());
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL((url) => url.pathname === '/admin');
}

/** Makes a call as somebody, with a bearer of their own beside the sessions of their browsers; throws when it is refused. */
export async function callAs<T>(
  request: APIRequestContext,
  person: Person,
  method: 'GET' | 'POST' | 'DELETE',
  call: string,
): Promise<T> {
  const { token } = await signIn(request, person);
  const response = await request.fetch(`/api${call}`, { method, headers: { authorization: `Bearer ${token}` } });
  if (!response.ok()) throw new Error(`${method} ${call} as ${person}: ${response.status()} ${await response.text()}`);
  return (await response.json()) as T;
}

/** The addresses that the worker keeps, without their origin, in the order of the visits. */
export const keptPages = (page: Page): Promise<string[]> =>
  page.evaluate(async () =>
    (await (await caches.open('pages')).keys()).map(({ url }) => url.replace(location.origin, '')),
  );

/** Opens a page, and waits until the worker keeps it. */
export async function visitKept(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await whenStarted(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
  await expect.poll(() => keptPages(page)).toContain(path);
  return page;
}

/** Playwright's test on the site that the set-up started; a page in which anything goes wrong fails its test. */
export const test = base.extend<{ site: VisitedSite }>({
  site: async ({ browserName: _ }, give) => {
    const site = process.env.TIPLEDGER_VISITED_SITE;
    if (!site) throw new Error('The site was not started: run the tests through npm test or npx playwright test.');
    await give(JSON.parse(site) as VisitedSite);
  },
  baseURL: ({ site }, give) => give(site.origin),
  // An address of its own, as the site's proxy would tell it: what one address may ask in five minutes is not shared by all tests.
  extraHTTPHeaders: async ({ browserName: _ }, give, { testId, retry }) => {
    const [a, b, c] = createHash('sha256').update(`${testId} ${retry}`).digest();
    await give({ 'x-forwarded-for': `10.${a}.${b}.${c}` });
  },
  page: async ({ page }, give) => {
    const faults = watchFaults(page);
    await give(page);
    expect(faults).toEqual([]);
  },
});

export { expect };
