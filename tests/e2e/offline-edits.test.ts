import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { VisitedSite } from '../support/site-setup';
import { portfolios } from '../support/site-tips';
import { callAs, expect, signInAs, test, visitKept, whenKnown } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

type Edit = { method: string; path: string; key: string | undefined };
type Following = { portfolioReference: string }[];

const { name, reference } = portfolios.empty;
const profile = `/tipster/${reference}`;
const call = `/user/following/${reference}`;

/** The changes that the browser's pages have had answered, in their order. */
function watchEdits(context: BrowserContext): Edit[] {
  const edits: Edit[] = [];
  context.on('response', (response) => {
    const request = response.request();
    const path = new URL(request.url()).pathname;
    if (request.method() !== 'GET' && path.startsWith('/api/user'))
      edits.push({ method: request.method(), path, key: request.headers()['idempotency-key'] });
  });
  return edits;
}

/** Signs the member in, who follows the tipster or not, on the tipster's page as it is kept for when there is no connection. */
async function asMember(
  browser: Browser,
  { origin }: VisitedSite,
  follows: 'who follows' | 'who does not follow',
  body: (context: BrowserContext, page: Page, edits: Edit[]) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: origin });
  try {
    await callAs(context.request, 'member', follows === 'who follows' ? 'POST' : 'DELETE', call);
    const first = await context.newPage();
    await signInAs(first, 'member');
    await first.close();
    const page = await visitKept(context, profile);
    await whenKnown(page, 'member');
    await body(context, page, watchEdits(context));
  } finally {
    await context.close();
  }
}

const followButton = (page: Page) => page.getByRole('button', { name: `Follow ${name}`, exact: true });
const unfollowButton = (page: Page) => page.getByRole('button', { name: `Unfollow ${name}`, exact: true });
const saidKept = (page: Page) => page.getByText('It is sent when you are online again.');
const follows = async (context: BrowserContext) =>
  (await callAs<Following>(context.request, 'member', 'GET', '/user/following')).filter(
    ({ portfolioReference }) => portfolioReference === reference,
  ).length;

// They change what one member follows.
test.describe.configure({ mode: 'default' });

test('what is followed without a connection is kept, said, and sent once when there is one, though the page was loaded anew meanwhile', async ({
  browser,
  site,
}) => {
  await asMember(browser, site, 'who does not follow', async (context, page, edits) => {
    await expect(followButton(page)).toBeVisible();
    await context.setOffline(true);
    await followButton(page).click();
    await expect(saidKept(page)).toBeVisible();
    await expect(unfollowButton(page)).toBeVisible();

    await page.reload();
    await whenKnown(page, 'member');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expect(unfollowButton(page)).toBeVisible();
    expect(edits).toEqual([]);

    await context.setOffline(false);
    await expect
      .poll(() => edits)
      .toEqual([{ method: 'POST', path: `/api${call}`, key: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(await follows(context)).toBe(1);
    await page.reload();
    await whenKnown(page, 'member');
    await expect(unfollowButton(page)).toBeVisible();
    expect(edits.length).toBe(1);
  });
});

test('changes made without a connection are sent in their order, by one of the open tabs alone', async ({
  browser,
  site,
}) => {
  await asMember(browser, site, 'who follows', async (context, page, edits) => {
    const other = await visitKept(context, '/football');
    await whenKnown(other, 'member');
    await expect(unfollowButton(page)).toBeVisible();
    await context.setOffline(true);
    await unfollowButton(page).click();
    await followButton(page).click();
    await unfollowButton(page).click();
    await expect(followButton(page)).toBeVisible();
    await context.setOffline(false);
    await expect.poll(() => edits.map(({ method }) => method)).toEqual(['DELETE', 'POST', 'DELETE']);
    expect(new Set(edits.map(({ key }) => key)).size).toBe(3);
    expect(await follows(context)).toBe(0);
    // Neither tab sends anything again when the connection comes and goes.
    await context.setOffline(true);
    await context.setOffline(false);
    await other.reload();
    await whenKnown(other, 'member');
    expect(edits.length).toBe(3);
  });
});

test('a change whose answer is lost is sent again under its key, and counts once', async ({ browser, site }) => {
  await asMember(browser, site, 'who does not follow', async (context, page, edits) => {
    const keys: (string | undefined)[] = [];
    await context.route(`**/api${call}`, async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      expect((await route.fetch()).status()).toBe(200);
      await route.abort('connectionreset');
    });
    await followButton(page).click();
    await expect(saidKept(page)).toBeVisible();
    expect(await follows(context)).toBe(1);
    await context.setOffline(true);
    await context.setOffline(false);
    await expect.poll(() => edits.length).toBe(1);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(await follows(context)).toBe(1);
  });
});

test('a setting that is changed without a connection is kept, said, and sent once', async ({ browser, site }) => {
  await asMember(browser, site, 'who does not follow', async (context, page, edits) => {
    await page.goto('/dashboard/settings', { waitUntil: 'networkidle' });
    await whenKnown(page, 'member');
    await context.setOffline(true);
    await page.getByLabel('Odds format').selectOption('fraction');
    await expect(saidKept(page)).toBeVisible();
    await expect(page.getByLabel('Odds format')).toHaveValue('fraction');
    await context.setOffline(false);
    await expect
      .poll(() => edits)
      .toEqual([{ method: 'PUT', path: '/api/user', key: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(await callAs(context.request, 'member', 'GET', '/user')).toMatchObject({
      settings: { oddsDisplayType: 'fraction' },
    });
    await page.reload();
    await whenKnown(page, 'member');
    await expect(page.getByLabel('Odds format')).toHaveValue('fraction');
    await page.getByLabel('Odds format').selectOption('decimal');
    await expect.poll(() => edits.length).toBe(2);
  });
});
