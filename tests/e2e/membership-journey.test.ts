import type { Browser, Page } from '@playwright/test';
import { signUp } from '../support/account-site';
import { onAddTipsSite } from '../support/add-tips-site';
import { openShop, publishLocked } from '../support/member-shop';
import { expect, test, watchFaults, whenKnown } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

const site = onAddTipsSite();

async function newVisitor(browser: Browser): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ baseURL: site.origin(), reducedMotion: 'reduce' });
  const page = await context.newPage();
  return { page, faults: watchFaults(page) };
}

const secret = 'The keeper is out: vermilion.';

test('a tipster sets a plan; a bettor joins from the locked tip in four interactions, reads it, has the money back in two, and the portfolio is closed', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const [tipster, bettor, guest] = [await newVisitor(browser), await newVisitor(browser), await newVisitor(browser)];
  const { name } = await signUp(tipster.page, site.origin());
  const portfolio = `Shop of ${name}`;
  const home = await openShop(tipster.page, { name: portfolio, price: '20' });
  await publishLocked(tipster.page, { desk: site.desk('match'), secret });
  const { items } = (await (
    await guest.page.request.get(`/api/portfolio/${home.replace('/tipster/', '')}/tips`)
  ).json()) as {
    items: { reference: string }[];
  };
  const tip = `${home}/tips/${items[0]?.reference}`;

  const { page } = bettor;
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page, site.origin());
  await page.goto(tip);
  await whenKnown(page, 'member');
  expect(await page.content()).not.toContain('vermilion');

  await page.getByRole('link', { name: `Join ${portfolio}, monthly` }).click();
  const join = page.getByRole('button', { name: 'Join and pay £20.00' });
  await expect(join).toBeInViewport({ ratio: 1 });
  for (const said of [
    /Renews on .* at £20\.00, then every month until you cancel/,
    /Cancel at any time/,
    /Within 14 days/,
  ])
    await expect(page.getByText(said)).toBeInViewport({ ratio: 1 });
  await join.click();
  await expect(page.getByText('Sandbox: no money moves')).toBeVisible();
  await page.getByRole('button', { name: 'Pay £20.00' }).click();
  await expect(page.getByText(`You are a member of ${portfolio}.`)).toBeVisible();
  await page.getByRole('link', { name: 'Read the tips' }).click();
  await page.waitForURL((url) => url.pathname === tip);
  await expect(page.getByText(secret)).toBeVisible();
  await expect(page.getByText('You are a member.')).toBeVisible();

  await guest.page.goto(tip);
  expect(await guest.page.content()).not.toContain('vermilion');

  await page.goto('/dashboard/memberships');
  await whenKnown(page, 'member');
  await page.getByText('Cooling-off refund').click();
  await page.getByRole('button', { name: /^End now and get £\d+\.\d\d back$/ }).click();
  await expect(page.getByText('You asked for a refund.')).toBeVisible();
  await page.goto(tip);
  await whenKnown(page, 'member');
  await expect(page.getByRole('link', { name: `Join ${portfolio}, monthly` })).toBeVisible();
  expect(await page.content()).not.toContain('vermilion');

  await tipster.page.goto(`${home}/earnings`);
  await expect(tipster.page.getByRole('cell', { name: '£20.00' }).first()).toBeVisible();
  await tipster.page.getByText(/^\d+ postings/).click();
  await expect(tipster.page.getByRole('listitem').filter({ hasText: /^Sale/ })).toContainText('Your share£14.00');

  await tipster.page.goto(`${home}/manage`);
  await whenKnown(tipster.page, 'member');
  await tipster.page.getByRole('button', { name: 'Close this portfolio' }).click();
  await expect(tipster.page.getByText(/that you earned here is not paid out yet/)).toBeVisible();
  await tipster.page.getByLabel(/^Type its name/).fill(portfolio);
  await tipster.page.getByRole('button', { name: 'Close for good' }).click();
  await expect(tipster.page.getByRole('heading', { name: 'Earnings of closed portfolios' })).toBeVisible();
  await expect(tipster.page.getByRole('region', { name: portfolio }).getByText('Held')).toBeVisible();
  expect([tipster, bettor, guest].flatMap(({ faults }) => faults)).toEqual([]);
});
