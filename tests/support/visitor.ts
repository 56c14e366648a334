import { expect, type Page, test as base } from '@playwright/test';
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
    if (['error', 'warning'].includes(message.type()) && !ownStatus) faults.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  return faults;
}

/** Waits until React has taken over the page: only then could it have found that its markup differs from the server's. */
export async function whenAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.querySelector('#side-menu') ?? {}).some((key) => key.startsWith('__reactProps')));
}

/** Playwright's test on the site that the set-up started; a page in which anything goes wrong fails its test. */
export const test = base.extend<{ site: VisitedSite }>({
  site: async ({ browserName: _ }, give) => {
    const site = process.env.TIPLEDGER_VISITED_SITE;
    if (!site) throw new Error('The site was not started: run the tests through npm test or npx playwright test.');
    await give(JSON.parse(site) as VisitedSite);
  },
  baseURL: ({ site }, give) => give(site.origin),
  page: async ({ page }, give) => {
    const faults = watchFaults(page);
    await give(page);
    expect(faults).toEqual([]);
  },
});

export { expect };
