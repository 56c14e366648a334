import { mkdirSync, rmSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { createPortfolio, newMember, setMonthlyPlan } from '../support/account-site';
import { onAddTipsSite } from '../support/add-tips-site';
import { newDataFolder, startSite } from '../support/site';
import { StripeServer } from '../support/stripe-server';
import { expect, test, watchFaults, whenKnown } from '../support/visitor';

const site = onAddTipsSite();

// For whoever wants to look at the pages: a folder that pictures of them are put into.
const pictures = process.env.TIPLEDGER_PICTURES;
async function show(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  for (const width of [390, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function openShop(page: Page, name: string): Promise<string> {
  await createPortfolio(page, name);
  await page
    .getByLabel('Kind')
    .selectOption({ label: 'Premium: you choose which tips and posts are for members only' });
  await page.getByRole('button', { name: 'Save the portfolio' }).click();
  await expect(page.getByText('The portfolio was saved.')).toBeVisible();
  await setMonthlyPlan(page);
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

test('a member changes the card of a membership on a page of the sandbox, and hears what came of it', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const newPage = async () => (await browser.newContext({ baseURL: site.origin(), reducedMotion: 'reduce' })).newPage();
  const [tipster, page] = [await newPage(), await newPage()];
  const faults = [watchFaults(tipster), watchFaults(page)];
  const { name } = await newMember(tipster, site.origin());
  const portfolio = `Cards of ${name}`;
  const reference = await openShop(tipster, portfolio);
  await page.setViewportSize({ width: 390, height: 844 });
  await newMember(page, site.origin());
  await page.goto(`/dashboard/checkout/${reference}`);
  await page.getByRole('button', { name: 'Join and pay £20.00' }).click();
  await page.getByRole('button', { name: 'Pay, decline renewals' }).click();
  await expect(page.getByText(`You are a member of ${portfolio}.`)).toBeVisible();

  await page.goto('/dashboard/memberships');
  await whenKnown(page, 'member');
  await expect(page.getByText('Sandbox card ending in 0341, declined at renewals')).toBeVisible();
  await show(page, 'memberships');
  const change = page.getByRole('button', { name: `Change card: ${portfolio}` });
  await change.click();
  await expect(page.getByText('Sandbox: no money moves')).toBeVisible();
  await show(page, 'sandbox-card');
  // Whoever leaves the page finds it again, and the card as it was.
  await page.goto('/dashboard/memberships');
  await change.click();
  await page.getByRole('button', { name: 'Card declined' }).click();
  await expect(page.getByText(`The card of ${portfolio} was not changed. The card was declined.`)).toBeVisible();
  await show(page, 'card-declined');
  await change.click();
  await page.getByRole('button', { name: 'Save this card' }).click();
  await expect(
    page.getByText(`${portfolio} is charged to your new card from now on: Sandbox card ending in 4242.`),
  ).toBeVisible();
  await show(page, 'card-changed');
  await expect(page.getByText('Sandbox card ending in 4242', { exact: true })).toBeVisible();
  // Another's membership tells nothing.
  const card = new URL(page.url()).searchParams.get('card') ?? '';
  await tipster.goto(`/dashboard/memberships?card=${card}`);
  await expect(tipster.getByRole('heading', { name: 'Memberships', level: 1 })).toBeVisible();
  expect(await tipster.content()).not.toContain('4242');
  expect(faults.flat()).toEqual([]);
});

test('a tipster is led to Stripe to be paid, comes back, and reads there how far it is', async ({ browser }) => {
  test.setTimeout(240_000);
  const stripe = await new StripeServer().open();
  const dataFolder = newDataFolder();
  const own = await startSite({
    TIPLEDGER_DATA: dataFolder,
    TIPLEDGER_OUTBOX: 'on',
    STRIPE_SECRET_KEY: stripe.key,
    STRIPE_WEBHOOK_SECRET: stripe.secret,
    STRIPE_API_BASE: stripe.url,
  });
  try {
    const page = await (await browser.newContext({ baseURL: own.origin, reducedMotion: 'reduce' })).newPage();
    const { name } = await newMember(page, own.origin);
    const reference = await openShop(page, `Paid ${name}`);
    const earnings = `/tipster/${reference}/earnings`;
    await page.goto(earnings);
    await show(page, 'payee-none');
    await page.getByRole('button', { name: 'Set up payouts at Stripe' }).click();
    await page.waitForURL((url) => url.href.startsWith(`${stripe.url}/setup/acct_`));
    await page.goto(`${earnings}?payouts=again`);
    await expect(page.getByText('The link to Stripe was used or has expired.')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'a bank account' })).toBeVisible();
    await show(page, 'payee-open');
    stripe.onboard(stripe.all('account')[0]?.id ?? '');
    await page.goto(earnings);
    await expect(page.getByText('Ready', { exact: true })).toBeVisible();
    await show(page, 'payee-ready');
    stripe.faults.push({ on: /^GET \/v1\/accounts/, how: 'fault', times: 3 });
    await page.goto(earnings);
    await expect(page.getByText('Stripe does not answer at the moment')).toBeVisible();
    expect(stripe.all('account')).toHaveLength(1);
  } finally {
    await own.end();
    await stripe.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
