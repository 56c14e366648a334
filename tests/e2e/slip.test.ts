import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { BetView } from '@/lib/bets/schema';
import type { MarketsView } from '@/lib/fixtures/schema';
import type { VisitedSite } from '../support/site-setup';
import { people, sitePassword } from '../support/site-people';
import { callAs, expect, signInAs, test, visitKept, watchFaults, whenKnown, whenStarted } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

type Bets = { items: BetView[]; count: number };

const fixture = ({ references }: VisitedSite, name: keyof VisitedSite['references']) => `/fixture/${references[name]}`;
/** A market that is live stands beside what the server wrote of it, which is hidden; the best price, which is one of them again, stands before them. */
const prices = (page: Page) => page.locator('td + td [data-slip]:visible');
const count = (page: Page) => page.locator('header [data-slip-count]');
const selections = (page: Page) => page.getByRole('list', { name: 'Selections' }).getByRole('listitem');
const betsOf = (context: BrowserContext) => callAs<Bets>(context.request, 'member', 'GET', '/user/bets');

async function visiting(
  browser: Browser,
  { origin }: VisitedSite,
  body: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: origin });
  try {
    await body(context);
  } finally {
    await context.close();
  }
}

async function add(page: Page, path: string, place = 0): Promise<void> {
  await page.goto(path);
  await whenStarted(page);
  await prices(page).nth(place).click();
  await expect(prices(page).nth(place)).toHaveAttribute('aria-pressed', 'true');
}

/** Makes the prices of the page what they were when somebody's older copy of it was made. */
const asOnAnOlderPage = (page: Page, change: { odds?: number; slip?: string }) =>
  page.evaluate(({ odds, slip }) => {
    const button = document.querySelector<HTMLElement>('td + td [data-slip]:not([aria-pressed="true"])');
    if (slip) button?.setAttribute('data-slip', slip);
    if (odds) button?.querySelector('[data-odds]')?.setAttribute('data-odds', String(odds));
  }, change);

// They share what one member has recorded.
test.describe.configure({ mode: 'default' });

test('a guest’s slip is kept over reload and without a connection, opens on the page, survives signing in, and is recorded as a double by a double click', async ({
  browser,
  site,
}) => {
  await visiting(browser, site, async (context) => {
    const page = await visitKept(context, fixture(site, 'soon'));
    const faults = watchFaults(page);
    await prices(page).first().click();
    await expect(count(page)).toHaveText('1');
    await add(page, fixture(site, 'long'));
    await expect(count(page)).toHaveText('2');
    await page.reload();
    await expect(count(page)).toHaveText('2');

    expect(faults).toEqual([]);
    await context.setOffline(true);
    await prices(page).nth(1).click();
    await expect(prices(page).nth(1)).toHaveAttribute('aria-pressed', 'true');
    await prices(page).nth(1).click();
    await context.setOffline(false);
    await expect(count(page)).toHaveText('1');
    // The market goes live as the connection is back, maybe under the pointer.
    await expect(() => prices(page).first().click({ timeout: 1_000 })).toPass({ timeout: 10_000 });
    await expect(count(page)).toHaveText('2');
    // What a page asks for without a connection fails, and the browser says so.
    faults.splice(0);

    await page.getByRole('link', { name: 'Bet slip' }).click();
    const here = page.url();
    await expect(selections(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Log in to record' }).click();
    const login = page.getByRole('dialog', { name: 'Log in' });
    await login.getByLabel('Username or e-mail address').fill(people.member.username);
    await login.getByLabel('Password', { exact: true }).fill(sitePassword);
    await login.getByRole('button', { name: 'Log in' }).click();
    await whenKnown(page, 'member');
    await expect(selections(page)).toHaveCount(2);
    expect(page.url()).toBe(here);

    await page.getByRole('radio', { name: 'Double' }).check();
    await page.getByLabel('Stake in units').fill('2.5');
    const before = (await betsOf(context)).count;
    await page.getByRole('button', { name: 'Record 1 bet' }).dblclick();
    await expect(page.getByText('1 bet is in your record')).toBeVisible();
    await expect(count(page)).toBeHidden();
    const { items, count: after } = await betsOf(context);
    expect([after - before, items[0]?.legs.length, items[0]?.stakeMinor]).toEqual([1, 2, 250]);
    expect(faults).toEqual([]);
  });
});

test('a price that moved is accepted, a fixture that has started is dropped with a word', async ({ browser, site }) => {
  await visiting(browser, site, async (context) => {
    const page = await context.newPage();
    await signInAs(page, 'member');
    const { markets } = (await (
      await context.request.get(`/api/fixture/${site.references.awaited}/markets?showAll=true&pinnacleOnly=false`)
    ).json()) as MarketsView;
    const begun = markets[0]?.selections[0];
    await page.goto(fixture(site, 'soon'));
    await whenKnown(page, 'member');
    await asOnAnOlderPage(page, { odds: 9990 });
    await prices(page).first().click();
    await expect(count(page)).toHaveText('1');
    await asOnAnOlderPage(page, { slip: `${begun?.id}:${begun?.odds[0]?.bookmakerId}` });
    await page.locator(`td + td [data-slip="${begun?.id}:${begun?.odds[0]?.bookmakerId}"]`).click();
    await expect(count(page)).toHaveText('2');

    await page.goto('/dashboard/bets');
    await whenKnown(page, 'member');
    await expect(page.getByText(/was removed: .* has started\./)).toBeVisible();
    await expect(selections(page)).toHaveCount(1);
    await expect(page.getByText(/The price is shorter now/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Record 1 bet' })).toBeDisabled();
    await page.getByRole('button', { name: /^Accept/ }).click();
    await page.getByRole('button', { name: 'Record 1 bet' }).click();
    await expect(page.getByText('1 bet is in your record')).toBeVisible();
  });
});

test('two tabs show one slip, and place it once though both are pressed', async ({ browser, site }) => {
  await visiting(browser, site, async (context) => {
    const page = await context.newPage();
    await signInAs(page, 'member');
    await add(page, fixture(site, 'inTenDays'));
    const other = await context.newPage();
    await other.goto('/dashboard/bets');
    await page.goto('/dashboard/bets');
    for (const tab of [page, other]) {
      await whenKnown(tab, 'member');
      await expect(selections(tab)).toHaveCount(1);
    }
    await page.getByLabel('Stake in units').fill('3');
    await expect(other.getByLabel('Stake in units')).toHaveValue('3');
    const before = (await betsOf(context)).count;
    // At one moment of the machine: a tab that is later finds the button gone.
    const at = Date.now() + 1_000;
    const pressAt = (tab: Page) =>
      tab
        .getByRole('button', { name: 'Record 1 bet' })
        .evaluate(
          (button: HTMLElement, moment) =>
            new Promise<void>((pressed) => setTimeout(() => pressed(button.click()), moment - Date.now())),
          at,
        );
    await Promise.all([page, other].map(pressAt));
    for (const tab of [page, other]) await expect(selections(tab)).toHaveCount(0);
    expect((await betsOf(context)).count - before).toBe(1);
  });
});

test('a tipster opens the slip as a modal on any page and publishes its accumulator as a tip', async ({
  browser,
  site,
}) => {
  await visiting(browser, site, async (context) => {
    const page = await context.newPage();
    await signInAs(page, 'owner');
    await add(page, fixture(site, 'soon'));
    await add(page, fixture(site, 'inTenDays'));
    await page.getByRole('link', { name: 'Bet slip' }).click();
    const slip = page.getByRole('dialog', { name: 'Bet slip' });
    await slip.getByRole('radio', { name: 'Double' }).check();
    await slip.getByLabel('Analysis').fill('Both are priced too long.');
    await slip.getByRole('button', { name: 'Publish 1 tip' }).click();
    await slip.getByRole('link', { name: 'Double' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Double by');
    await expect(page.getByText('Both are priced too long.')).toBeVisible();
    await expect(count(page)).toBeHidden();
  });
});

test('a member notes at which price they took a tip, and takes the note out again', async ({ browser, site }) => {
  await visiting(browser, site, async (context) => {
    const page = await context.newPage();
    await signInAs(page, 'member');
    await page.goto(`/tipster/ann-football/tips/${site.tips.open}`);
    await whenKnown(page, 'member');
    await page.getByRole('link', { name: 'Log my price' }).click();
    await page.waitForURL(/\/dashboard\/bets\?/);
    await whenKnown(page, 'member');
    await page.getByLabel(/^My price: /).fill('7.5');
    await page.getByRole('combobox', { name: 'Bookmaker' }).selectOption('Another bookmaker');
    await page.getByLabel('Bookmaker’s name').fill('The corner shop');
    await page.getByRole('button', { name: 'Record my bet' }).click();
    await expect(page.getByText('Your bet is in your record: show it.')).toBeVisible();
    await page.getByRole('link', { name: 'show it' }).click();
    await page.waitForURL(/\/dashboard\/bets\?bet=/);
    await whenKnown(page, 'member');
    const row = page.getByRole('listitem').filter({ hasText: 'The corner shop' }).first();
    await expect(row.getByText('Own price').first()).toBeVisible();
    const before = (await betsOf(context)).count;
    await page
      .getByRole('button', { name: /^Remove bet: / })
      .first()
      .click();
    await page.getByRole('button', { name: /^Remove (?!bet)/ }).click();
    await expect.poll(async () => (await betsOf(context)).count).toBe(before - 1);
  });
});
