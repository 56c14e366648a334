import type { Browser, Locator, Page } from '@playwright/test';
import { afterPeriods } from '@/lib/memberships/rules/calendar';
import { logIn, signUp } from '../support/account-site';
import { onAddTipsSite } from '../support/add-tips-site';
import { openShop, publishLocked } from '../support/member-shop';
import { expect, test, watchFaults, whenKnown } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

const site = onAddTipsSite();
const secret = 'The keeper is out: vermilion.';
const [hour, day] = [3_600_000, 86_400_000];

/** What a browser says that comes back with a login that has run out. */
const refusal = /status of (401 \(Unauthorized\)|400 \(Bad Request\) \(.*\/api\/auth\/refresh-token\))/;

async function newVisitor(browser: Browser, width: number): Promise<{ page: Page; faults: string[] }> {
  const viewport = { width, height: 844 };
  const context = await browser.newContext({ baseURL: site.origin(), reducedMotion: 'reduce', viewport });
  const page = await context.newPage();
  return { page, faults: watchFaults(page) };
}

const pounds = (minor: number) => `£${(minor / 100).toFixed(2)}`;

async function clockAt(moment: Date): Promise<void> {
  await site.goAhead((moment.getTime() - Date.now()) / 60_000);
}

/** Comes back to a page that only members have after the login has run out, and signs in again. */
async function comeBack(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in');
  await logIn(page, name);
  await page.waitForURL((url) => url.pathname === address);
  await whenKnown(page, 'member');
}

/** Presses a button, or opens what is folded, by the keyboard, once the page is alive. */
async function press(target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  await target.press('Enter');
}

const receiptsOf = (page: Page) => page.getByRole('table', { name: 'Your receipts' }).getByRole('row');
const figure = (page: Page, label: string) =>
  page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first();

/** The day that a membership of £60.00 a month is said to be renewed on. */
async function renewalDay(page: Page): Promise<string | undefined> {
  const said = await page.getByText(/Renews on .* at £60\.00 a month/).textContent();
  return /on (.*) at £/.exec(said ?? '')?.[1];
}

async function hasMail(email: string, subject: RegExp): Promise<void> {
  const subjects = async () =>
    ((await (await fetch(`${site.origin()}/api/outbox`)).json()) as { to: string; subject: string }[])
      .filter(({ to }) => to === email)
      .map((mail) => mail.subject);
  await expect.poll(async () => (await subjects()).join('\n'), { timeout: 60_000 }).toMatch(subject);
}

test('a member joins with a coupon, cancels, undoes, is renewed when the month is over, and takes the renewal back; the tipster is paid out what is left', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const [tipster, bettor] = [await newVisitor(browser, 1440), await newVisitor(browser, 390)];
  const owner = await signUp(tipster.page, site.origin());
  const portfolio = `Months of ${owner.name}`;
  const home = await openShop(tipster.page, { name: portfolio, price: '60' });
  await tipster.page.getByLabel('Code', { exact: true }).fill('spring');
  await tipster.page.getByLabel('Discount', { exact: true }).fill('25');
  await tipster.page.getByRole('button', { name: 'Make coupon' }).click();
  await expect(tipster.page.getByText('The coupon SPRING was made.')).toBeVisible();
  await publishLocked(tipster.page, { desk: site.desk('match'), secret });

  const { page } = bettor;
  const member = await signUp(page, site.origin());
  await page.goto(home);
  await page.getByRole('main').getByRole('link', { name: 'Tips', exact: true }).click();
  await page.getByRole('link', { name: 'For members until the start' }).click();
  await whenKnown(page, 'member');
  expect(await page.content()).not.toContain('vermilion');
  await page.getByRole('link', { name: `Join ${portfolio}, monthly` }).click();
  await page.getByLabel('Coupon').fill('summer');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('There is no such coupon here.')).toBeVisible();
  await page.getByLabel('Coupon').fill('spring');
  await page.getByLabel('Coupon').press('Enter');
  await expect(page.getByText(/Renews on .* at £60\.00, then every month until you cancel/)).toBeVisible();
  await press(page.getByRole('button', { name: 'Join and pay £45.00' }));
  await press(page.getByRole('button', { name: 'Pay £45.00' }));
  await expect(page.getByText(`You are a member of ${portfolio}.`)).toBeVisible();
  const joinedAt = new Date();
  await page.getByRole('link', { name: 'Read the tips' }).click();
  await expect(page.getByText(secret)).toBeVisible();

  await page.getByRole('link', { name: 'Your memberships' }).click();
  await receiptsOf(page)
    .getByRole('link', { name: /^No\. / })
    .click();
  await expect(page.getByText(`Membership of ${portfolio}, one month (`)).toBeVisible();
  await expect(figure(page, 'Discount by coupon SPRING')).toHaveText('£15.00');
  await expect(figure(page, 'Paid')).toHaveText('£45.00');
  await page.getByRole('link', { name: 'Your memberships' }).click();
  await press(page.getByRole('button', { name: `Cancel ${portfolio}` }));
  const dialog = page.getByRole('dialog', { name: 'Cancel this membership?' });
  await press(dialog.getByRole('button', { name: 'Cancel membership' }));
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
  await press(page.getByRole('button', { name: `Keep membership: ${portfolio}` }));
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  const renewal = await renewalDay(page);

  // Nobody has the site open while the month passes: an open page would keep its login.
  for (const each of [tipster, bettor]) await each.page.goto('about:blank');
  const renewsAt = afterPeriods(joinedAt, 'month', 1);
  await clockAt(new Date(renewsAt.getTime() - day));
  await hasMail(member.email, new RegExp(`^Your membership of ${portfolio} renews on `, 'm'));
  await clockAt(new Date(renewsAt.getTime() + 3 * day + hour));
  await comeBack(page, '/dashboard/memberships', member.name);
  await expect(async () => {
    await page.reload();
    await expect(receiptsOf(page).filter({ hasText: '£60.00' })).toHaveCount(1, { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await hasMail(member.email, new RegExp(`^Your membership of ${portfolio} was renewed$`, 'm'));
  await receiptsOf(page).filter({ hasText: '£60.00' }).getByRole('link').click();
  await expect(figure(page, 'Paid')).toHaveText('£60.00');
  const period = page.getByText(`Membership of ${portfolio}, one month (${renewal} to `);
  const next = /to (.*)\)/.exec((await period.textContent()) ?? '')?.[1];
  await page.getByRole('link', { name: 'Your memberships' }).click();
  expect(await renewalDay(page)).toBe(next);
  const days = Math.round((afterPeriods(joinedAt, 'month', 2).getTime() - renewsAt.getTime()) / day);
  const back = Math.floor((6000 * (days - 4)) / days);
  await press(page.getByText('Cooling-off refund'));
  await press(page.getByRole('button', { name: `End now and get ${pounds(back)} back` }));
  await expect(page.getByText('You asked for a refund.')).toBeVisible();
  await receiptsOf(page).filter({ hasText: 'Refund: ' }).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Refund receipt no\. \d+$/);
  await expect(figure(page, 'Refunded')).toHaveText(pounds(back));
  await hasMail(member.email, new RegExp(`^Your membership of ${portfolio} has ended$`, 'm'));

  const kept = 4200 - (back - Math.floor((1800 * back) / 6000));
  const own = tipster.page;
  await comeBack(own, `${home}/earnings`, owner.name);
  await expect(async () => {
    await own.reload();
    await expect(figure(own, 'Payable')).toHaveText('£31.50', { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await expect(figure(own, 'Held')).toHaveText(pounds(kept));
  const months = own.getByRole('table', { name: 'By month and plan' }).getByRole('row');
  for (const [sold, earned] of [
    ['£60.00', pounds(kept)],
    ['£45.00', '£31.50'],
  ] as const)
    await expect(months.filter({ has: own.getByRole('cell', { name: sold, exact: true }) })).toContainText(earned);
  for (const behind of await own.getByText(/^\d+ postings? behind/).all()) await press(behind);
  await expect(own.getByRole('listitem').filter({ hasText: /^(Sale|Refund), / })).toContainText([
    new RegExp(`^Refund.*Your share−${pounds(4200 - kept)}`),
    /^Sale.*Price£60\.00.*Your share£42\.00/,
    /^Sale.*Price£45\.00.*Your share£31\.50/,
  ]);
  await press(own.getByRole('button', { name: 'Pay out £31.50' }));
  await expect(own.getByText('£31.50 is on its way.')).toBeVisible();
  await own.reload();
  const payout = own.getByRole('table', { name: 'Payouts' }).getByRole('row').last();
  await expect(payout).toContainText(/£31\.50(On its way|Paid on )/);
  await clockAt(new Date(renewsAt.getTime() + 3 * day + 2 * hour));
  await expect(async () => {
    await own.reload();
    await expect(payout).toContainText(/£31\.50Paid on /, { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await expect(figure(own, 'Paid out')).toHaveText('£31.50');
  const faults = [tipster, bettor].flatMap((each) => each.faults.filter((fault) => !refusal.test(fault)));
  expect(faults).toEqual([]);
});
