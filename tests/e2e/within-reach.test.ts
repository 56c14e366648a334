import type { Locator, Page } from '@playwright/test';
import { people, sitePassword } from '../support/site-people';
import { portfolios } from '../support/site-tips';
import { callAs, expect, keptPages, signInAs, test, whenKnown, whenStarted } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

/** Presses, and counts how often somebody had to. */
function counting() {
  let count = 0;
  return {
    press: async (what: Locator) => {
      count += 1;
      await what.click();
    },
    count: () => count,
  };
}

const prices = (page: Page) => page.locator('[data-slip]:visible');

test('a tipster publishes from a fixture in four presses at most, sees the tip and can add another', async ({
  page,
  site,
}) => {
  await signInAs(page, 'owner');
  await page.goto(`/fixture/${site.references.inTenDays}`);
  await whenKnown(page, 'member');
  const { press, count } = counting();
  await press(page.getByRole('main').getByRole('link', { name: 'Add tip', exact: true }));
  await page.waitForURL(`/add-tips/${site.references.inTenDays}`);
  await press(
    page
      .getByRole('main')
      .getByRole('button', { name: /\d\.\d\d/ })
      .first(),
  );
  const tip = page.getByRole('dialog', { name: 'Add a tip' });
  await press(tip.getByRole('button', { name: /^Publish in / }));
  await expect(tip.getByText(/^Published in /)).toBeVisible();
  expect(count()).toBeLessThanOrEqual(4);
  await expect(tip.getByRole('link', { name: 'See the tip' })).toHaveAttribute('href', /^\/tipster\/.+\/tips\/.+/);
  await tip.getByRole('button', { name: 'Add another' }).click();
  await expect(tip).toBeHidden();
});

for (const width of [390, 1440])
  test(`a member records a bet from a fixture in three presses at most, at ${width} pixels`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 844 });
    await signInAs(page, 'member');
    await page.goto(`/fixture/${site.references.inTenDays}`);
    await whenKnown(page, 'member');
    const { press, count } = counting();
    await press(prices(page).first());
    await press(page.getByRole('button', { name: 'Open slip' }));
    const slip = page.getByRole('dialog', { name: 'Bet slip' });
    await press(slip.getByRole('button', { name: 'Record 1 bet' }));
    await expect(slip.getByText('1 bet is in your record')).toBeVisible();
    expect(count()).toBeLessThanOrEqual(3);
    expect(new URL(page.url()).pathname).toBe(`/fixture/${site.references.inTenDays}`);
  });

test('recorded bets show at once on the page of one’s own bets', async ({ page, site }) => {
  await signInAs(page, 'admin');
  await page.goto(`/fixture/${site.references.inTenDays}`);
  await whenKnown(page, 'member');
  await prices(page).first().click();
  await page.goto('/dashboard/bets');
  await expect(page.getByText('You have not recorded any bets yet')).toBeVisible();
  await page.getByRole('button', { name: 'Record 1 bet' }).click();
  await expect(page.getByText('1 bet is in your record')).toBeVisible();
  await expect(page.getByText('You have not recorded any bets yet')).toBeHidden();
  await expect(page.getByRole('button', { name: /^Remove bet: / })).toBeVisible();
});

test('a guest follows by one press and the login, in the window and on the page', async ({
  page,
  context,
  request,
}) => {
  const { reference, name } = portfolios.public;
  // By a session of its own: the page is a guest’s.
  const unfollow = () => callAs(request, 'superAdmin', 'DELETE', `/user/following/${reference}`);
  const fill = async (place: Page | Locator) => {
    await place.getByLabel('Username or e-mail address').fill(people.superAdmin.username);
    await place.getByLabel('Password', { exact: true }).fill(sitePassword);
  };
  await unfollow();

  await page.goto(`/tipster/${reference}/tips`);
  await whenStarted(page);
  const { press, count } = counting();
  await press(page.getByRole('link', { name: `Follow ${name}` }).first());
  const login = page.getByRole('dialog', { name: 'Log in' });
  await expect(login.getByText(`Log in to follow ${name}.`)).toBeVisible();
  await fill(login);
  await login.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('button', { name: `Unfollow ${name}` }).first()).toBeVisible();
  expect([count(), new URL(page.url()).pathname]).toEqual([1, `/tipster/${reference}/tips`]);

  await unfollow();
  const other = await context.browser()?.newContext({ baseURL: new URL(page.url()).origin });
  const fresh = (await other?.newPage()) as Page;
  await fresh.goto(`/login?redirect_to=%2Ftipster%2F${reference}&follow=${reference}`);
  await expect(fresh.getByText(`Log in to follow ${name}.`)).toBeVisible();
  await expect(fresh.getByRole('main').getByRole('link', { name: 'Sign up' })).toHaveAttribute(
    'href',
    `/register?redirect_to=%2Ftipster%2F${reference}&follow=${reference}`,
  );
  await fill(fresh);
  await fresh.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await expect(fresh.getByRole('button', { name: `Unfollow ${name}` }).first()).toBeVisible();
  await other?.close();
  await unfollow();
});

test('who closes the login does not follow when they log in later', async ({ page }) => {
  const { reference, name } = portfolios.public;
  await page.goto(`/tipster/${reference}`);
  await whenStarted(page);
  await page
    .getByRole('link', { name: `Follow ${name}` })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Log in' }).getByRole('button', { name: 'Close' }).click();
  await signInAs(page, 'superAdmin');
  await page.goto(`/tipster/${reference}`);
  await whenKnown(page, 'member');
  await expect(page.getByRole('button', { name: `Follow ${name}` }).first()).toBeVisible();
});

test('the first page of a visit is kept for when there is no connection, though it was left at once', async ({
  page,
  context,
}) => {
  await page.goto('/tennis');
  await page.getByRole('link', { name: 'Football' }).first().click();
  await page.waitForURL('/football');
  await whenStarted(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
  await expect.poll(() => keptPages(page)).toEqual(['/tennis', '/football']);
  await context.setOffline(true);
  await page.goto('/tennis');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tennis');
});
