import type { Page, Response } from '@playwright/test';
import { ownFormatsKey } from '@/lib/accounts/schema';
import { formatDate, formatOdds, formatTotalOdds } from '@/lib/format';
import type { OddsDisplay } from '@/lib/reference/schema';
import { enterAs, nameOf, test } from '../support/access-visitor';
import { portfolios } from '../support/site-tips';
import { expect, signInAs, whenKnown } from '../support/visitor';

type Marked = { text: string; odds: string; fraction: string | null; isTotal: boolean };

/** Every price of the page, and every product of several, with its exact odds. */
const pricesOn = (page: Page): Promise<Marked[]> =>
  page.locator('data[data-odds], data[data-total-odds]').evaluateAll((all) =>
    all.map((each) => ({
      text: each.textContent,
      odds: each.getAttribute('data-odds') ?? each.getAttribute('data-total-odds') ?? '',
      fraction: each.getAttribute('data-fraction'),
      isTotal: each.hasAttribute('data-total-odds'),
    })),
  );

const startsOn = (page: Page): Promise<{ text: string; at: string }[]> =>
  page
    .locator('time[data-date="day-time"]')
    .evaluateAll((all) => all.map((each) => ({ text: each.textContent, at: each.getAttribute('datetime') ?? '' })));

function written({ odds, fraction, isTotal }: Marked, display: OddsDisplay): string {
  if (isTotal) return formatTotalOdds(Number(odds), display);
  const [numerator, denominator] = (fraction ?? '').split('/').map(Number);
  return formatOdds(
    { oddsThousandths: Number(odds), fraction: numerator && denominator ? { numerator, denominator } : null },
    display,
  );
}

async function expectOdds(page: Page, display: OddsDisplay): Promise<void> {
  await expect
    .poll(async () => (await pricesOn(page)).filter((price) => price.text !== written(price, display)))
    .toEqual([]);
  expect((await pricesOn(page)).length).toBeGreaterThan(2);
}

async function expectZone(page: Page, timeZone: string): Promise<void> {
  await expect
    .poll(async () =>
      (await startsOn(page)).filter(({ text, at }) => text !== formatDate(at, { timeZone, style: 'day-time' })),
    )
    .toEqual([]);
  expect((await startsOn(page)).length).toBeGreaterThan(0);
}

test('the odds format and the time zone that a member chooses change every page, at once and in all tabs', async ({
  page,
  context,
  site,
  people,
}) => {
  await page.goto('/login?redirect_to=%2Fdashboard%2Fsettings');
  await enterAs(page, 'member', people);
  const [fixture, tips] = [await context.newPage(), await context.newPage()];
  await fixture.goto(`/fixture/${site.references.soon}`);
  await tips.goto(`/tipster/${portfolios.public.reference}/tips`);
  await Promise.all([fixture, tips].map((tab) => whenKnown(tab, 'member')));
  await expectOdds(fixture, 'decimal');
  await page.getByLabel('Odds format', { exact: true }).selectOption('fraction');
  await Promise.all([expectOdds(fixture, 'fraction'), expectOdds(tips, 'fraction')]);
  await page.getByLabel('Odds format', { exact: true }).selectOption('US');
  await expectOdds(fixture, 'moneyline');
  const auckland = await page.getByLabel('Time zone').locator('option', { hasText: 'Auckland' }).getAttribute('value');
  await page.getByLabel('Time zone').selectOption(auckland ?? '');
  await expectZone(tips, 'Pacific/Auckland');
  await expect(fixture.locator('data[data-zone-name]').first()).toHaveText('Auckland time');
  // A page that is gone to within the site, and one that is opened anew.
  await tips.getByRole('link', { name: 'Results', exact: true }).click();
  await expect(tips).toHaveURL(/\/results$/);
  await expectOdds(tips, 'moneyline');
  await expectZone(tips, 'Pacific/Auckland');
  await fixture.reload();
  await whenKnown(fixture, 'member');
  await expectOdds(fixture, 'moneyline');
  // Who logs out sees the page as guests do.
  await page.getByRole('button', { name: `Your account, ${nameOf('member', people)}` }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expectOdds(fixture, 'decimal');
  await expectZone(tips, 'Europe/London');
});

test('a member is shown no price and no time as guests see them first, and those where their own do not come', async ({
  page,
  context,
  people,
}) => {
  const path = `/tipster/${portfolios.public.reference}/tips`;
  await page.goto('/login?redirect_to=%2Fdashboard%2Fsettings');
  await enterAs(page, 'pro out of team', people);
  const zone = page.getByLabel('Time zone');
  const auckland = await zone.locator('option', { hasText: 'Auckland' }).getAttribute('value');
  const isSaved = (response: Response) =>
    response.request().method() === 'PUT' && new URL(response.url()).pathname === '/api/user';
  for (const choose of [
    () => page.getByLabel('Odds format', { exact: true }).selectOption('fraction'),
    () => zone.selectOption(auckland ?? ''),
  ])
    await Promise.all([page.waitForResponse(isSaved), choose()]);
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), ownFormatsKey)).toBe('odds times');

  const bare = await context.newPage();
  await bare.route('**/_next/static/**/*.js', (route) => route.abort());
  await bare.goto(path, { waitUntil: 'domcontentloaded' });
  await expect(bare.getByRole('main').locator('data[data-odds]').first()).toBeVisible();
  await expectOdds(bare, 'decimal');

  await page.addInitScript(() => {
    const shown = new Set<string>();
    const own = setTimeout;
    // A machine under load takes longer than a page waits.
    Object.assign(window, {
      shown,
      setTimeout: (run: () => void, wait?: number) => (wait === 3_000 ? 0 : own(run, wait)),
    });
    const look = () => {
      for (const each of document.querySelectorAll('data[data-odds], time[data-date="day-time"]'))
        if (each.checkVisibility({ visibilityProperty: true })) shown.add(each.textContent);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(path);
  // Nobody touches the page.
  await page.locator('html[data-viewer="member"]').waitFor({ state: 'attached', timeout: 30_000 });
  await expectOdds(page, 'fraction');
  await expectZone(page, 'Pacific/Auckland');
  const shownNow = () => page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown]);
  await expect.poll(async () => (await shownNow()).length).toBeGreaterThan(2);
  const starts = await startsOn(page);
  const own = starts.map(({ text }) => text);
  const guests = starts.map(({ at }) => formatDate(at, { timeZone: 'Europe/London', style: 'day-time' }));
  const isGuests = (text: string) => /^\d+\.\d+$/.test(text) || (guests.includes(text) && !own.includes(text));
  expect((await shownNow()).filter(isGuests)).toEqual([]);
});

test('a guest fetches nothing of it, and keeps the odds format of the address', async ({ page, site }) => {
  const scripts: string[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) scripts.push(await response.text().catch(() => ''));
  });
  await page.goto(`/fixture/${site.references.soon}?odds=fraction`);
  await whenKnown(page, 'guest');
  await page.mouse.wheel(0, 400);
  // What is fetched of a guest's own accord has come by then.
  await page.waitForTimeout(2_000);
  await expectOdds(page, 'fraction');
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((text) => text.includes('data-page-days') && text.includes('MutationObserver'))).toEqual([]);
});

test('a guest who would follow is led to the login, and back to the tipster', async ({ browser, site, people }) => {
  const context = await browser.newContext({ baseURL: site.origin, javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`/tipster/${portfolios.public.reference}`);
  await plain.getByRole('link', { name: `Follow ${portfolios.public.name}` }).click();
  await expect(plain).toHaveURL(
    `/login?redirect_to=${encodeURIComponent(`/tipster/${portfolios.public.reference}`)}&follow=${portfolios.public.reference}`,
  );
  await plain.getByLabel('Username or e-mail address').fill(nameOf('pro out of team', people));
  await plain.getByLabel('Password', { exact: true }).fill('three plain otters');
  await plain.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await expect(plain).toHaveURL(`/tipster/${portfolios.public.reference}`);
  await context.close();
});

test('a tipster is followed from a list, once however often it is pressed, and shown so in every tab', async ({
  page,
  context,
  site,
  people,
}) => {
  const { reference, name } = portfolios.public;
  const list = '/tipster?sportId=0&portfolioType=0&period=6&tips=1';
  await page.goto(`/login?redirect_to=${encodeURIComponent(list)}`);
  await enterAs(page, 'other owner', people);
  const sent: string[] = [];
  page.on('request', (request) => request.url().includes('/api/user/following/') && sent.push(request.method()));
  const tip = await context.newPage();
  await tip.goto(`/tipster/${reference}/tips/${site.tips.won}`);
  await expect(tip.getByRole('button', { name: `Follow ${name}`, exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Follow ${name}`, exact: true }).dblclick();
  await expect(page.getByRole('button', { name: `Unfollow ${name}` })).toBeVisible();
  await expect(tip.getByRole('button', { name: `Unfollow ${name}` })).toBeVisible();
  // The second press came after the first was answered, or was not taken; either way the end is told in all tabs alike.
  expect(sent[0]).toBe('POST');
  expect(sent.length).toBe(1);
  const watchlist = await context.newPage();
  await watchlist.goto('/dashboard/watchlist');
  await whenKnown(watchlist, 'member');
  await expect(watchlist.getByRole('main').getByRole('link', { name, exact: true })).toBeVisible();
  await watchlist.getByRole('button', { name: `Unfollow ${name}` }).click();
  await expect(page.getByRole('button', { name: `Follow ${name}`, exact: true })).toBeVisible();
  await expect(tip.getByRole('button', { name: `Follow ${name}`, exact: true })).toBeVisible();
});

test('one’s own portfolio is not offered, and a tipster who has gone is said to have gone', async ({
  context,
  people,
}) => {
  const page = await context.newPage();
  await page.goto(`/login?redirect_to=${encodeURIComponent(`/tipster/${people.reference}`)}`);
  await enterAs(page, 'owner', people);
  await expect(page.getByText('Yours', { exact: true })).toBeVisible();
  await page.route('**/api/user/following/*', (route) =>
    route.fulfill({ status: 404, json: { status: 404, message: 'There is no such portfolio.' } }),
  );
  await page.goto(`/tipster/${portfolios.public.reference}`);
  await page.getByRole('button', { name: `Follow ${portfolios.public.name}`, exact: true }).click();
  await expect(page.getByText('There is no such portfolio.')).toBeVisible();
  await expect(page.getByRole('button', { name: `Follow ${portfolios.public.name}`, exact: true })).toBeEnabled();
});

test('a member’s page invites nobody to sign up or log in, also while its scripts have not come', async ({
  browser,
  site,
}) => {
  // Without a service worker, which would have the scripts; that they do not come is no fault here.
  const context = await browser.newContext({ baseURL: site.origin, serviceWorkers: 'block' });
  const page = await context.newPage();
  await signInAs(page, 'member');
  await context.route('**/_next/static/**/*.js', (route) => route.abort());
  for (const path of ['/', `/fixture/${site.references.soon}`, '/dashboard']) {
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const invitations = await page.getByRole('link', { name: /^(Sign up|Log in|Join free)$/ }).count();
    expect([path, await page.locator('html').getAttribute('data-viewer'), invitations]).toEqual([path, null, 0]);
  }
  await context.close();
});
