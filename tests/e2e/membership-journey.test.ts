import type { Browser, Page } from '@playwright/test';
import { createPortfolio, setMonthlyPlan, signUp } from '../support/account-site';
import { onAddTipsSite, openMarket, priceButtons, publishButton, tipDialog } from '../support/add-tips-site';
import { expect, test, watchFaults, whenKnown } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

const site = onAddTipsSite();

async function newVisitor(browser: Browser): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ baseURL: site.origin(), reducedMotion: 'reduce' });
  const page = await context.newPage();
  return { page, faults: watchFaults(page) };
}

const secret = 'The keeper is out: vermilion.';

/** A portfolio with a monthly plan and one tip for members; gives its address. */
async function openShop(page: Page, name: string): Promise<string> {
  await createPortfolio(page, name);
  await page
    .getByLabel('Kind')
    .selectOption({ label: 'Premium: you choose which tips and posts are for members only' });
  await page.getByRole('button', { name: 'Save the portfolio' }).click();
  await expect(page.getByText('The portfolio was saved.')).toBeVisible();
  await setMonthlyPlan(page);
  const home = new URL(page.url()).pathname.replace('/manage', '');
  await page.goto(site.desk('match'));
  await whenKnown(page, 'member');
  await priceButtons(await openMarket(page, 'Match result'))
    .filter({ hasText: 'Orchard Vale' })
    .first()
    .click();
  await tipDialog(page).getByLabel('Stake in units').fill('1');
  await tipDialog(page)
    .getByLabel(/Analysis/)
    .fill(secret);
  await tipDialog(page).getByLabel('For members only until the start').check();
  await publishButton(page).click();
  await expect(tipDialog(page).getByText('Published in')).toBeVisible();
  return home;
}

test('a tipster sets a plan; a bettor joins from the locked tip in four interactions, reads it, cancels in two, undoes, and has the money back in two', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const [tipster, bettor, guest] = [await newVisitor(browser), await newVisitor(browser), await newVisitor(browser)];
  const { name } = await signUp(tipster.page, site.origin());
  const portfolio = `Shop of ${name}`;
  const home = await openShop(tipster.page, portfolio);
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
  await page.getByRole('button', { name: `Cancel ${portfolio}` }).click();
  await page
    .getByRole('dialog', { name: 'Cancel this membership?' })
    .getByRole('button', { name: 'Cancel membership' })
    .click();
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Keep membership: ${portfolio}` }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
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
