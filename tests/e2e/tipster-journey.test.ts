import type { Browser, Page } from '@playwright/test';
import type { TipView } from '@/lib/tips/schema';
import { createPortfolio, signUp } from '../support/account-site';
import { onAddTipsSite, openMarket, priceButtons, publishButton, tipDialog } from '../support/add-tips-site';
import type { TippedFixture } from '../support/add-tips-world';
import { expect, test, watchFaults, whenAlive, whenKnown } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

const site = onAddTipsSite();

const dayMinutes = 24 * 60;

/** The price of this name in a market of the fixture's desk. */
async function priceOn(page: Page, fixture: TippedFixture, market: string, name: string) {
  await page.goto(site.desk(fixture));
  await whenKnown(page, 'member');
  return priceButtons(await openMarket(page, market))
    .filter({ hasText: name })
    .first();
}

/** Publishes what the form of a tip holds, at this stake. */
async function publish(page: Page, stake: string): Promise<void> {
  await tipDialog(page).getByLabel('Stake in units').fill(stake);
  await publishButton(page).click();
  await expect(tipDialog(page).getByText('Published in')).toBeVisible();
  await page.keyboard.press('Escape');
}

async function publishAccumulator(page: Page): Promise<void> {
  const first = await priceOn(page, 'tennis', 'To win the match', 'U. Vennick');
  await page.getByRole('button', { name: 'Add to bet slip' }).click();
  await first.click();
  await expect(first).toHaveAttribute('aria-pressed', 'true');
  const second = await priceOn(page, 'hockey', 'Moneyline', 'Zennor Bears');
  await second.click();
  await expect(page.locator('header [data-slip-count]')).toHaveText('2');
  await page.getByRole('link', { name: 'Bet slip' }).click();
  const slip = page.getByRole('dialog', { name: 'Bet slip' });
  await slip.getByRole('radio', { name: 'Double' }).check();
  await slip.getByLabel('Stake in units').fill('2');
  await slip.getByRole('button', { name: 'Publish 1 tip' }).click();
  await expect(slip.getByText('1 tip was published')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Publish a tip' }).click();
}

async function publishAll(page: Page): Promise<void> {
  await (await priceOn(page, 'match', 'Match result', 'Orchard Vale')).click();
  await publish(page, '1');
  await publishAccumulator(page);
  const runner = page.getByRole('row', { name: /Early Ferry/ });
  await page.goto(site.desk('race'));
  await priceButtons(runner).click();
  await tipDialog(page)
    .getByLabel(/^Each-way: 4 places at 1\/4/)
    .check();
  await publish(page, '4');
}

async function newVisitor(browser: Browser): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ baseURL: site.origin(), reducedMotion: 'reduce' });
  const page = await context.newPage();
  return { page, faults: watchFaults(page) };
}

test('somebody signs up and publishes on three sports; it is followed, locked at the start, settled by the jobs, and verified in the browser', async ({
  browser,
}) => {
  const [tipster, follower, guest] = [await newVisitor(browser), await newVisitor(browser), await newVisitor(browser)];
  const { name } = await signUp(tipster.page, site.origin());
  const portfolio = `Tips of ${name}`;
  await createPortfolio(tipster.page, portfolio);
  const home = new URL(tipster.page.url()).pathname.replace('/manage', '');
  const reference = home.replace('/tipster/', '');
  const tipsNow = async () =>
    ((await (await guest.page.request.get(`/api/portfolio/${reference}/tips`)).json()) as { items: TipView[] }).items;

  await signUp(follower.page, site.origin());
  await follower.page.goto(home);
  await whenKnown(follower.page, 'member');
  await follower.page.getByRole('button', { name: `Follow ${portfolio}` }).click();
  await expect(follower.page.getByRole('button', { name: `Unfollow ${portfolio}` })).toBeVisible();

  await publishAll(tipster.page);

  await guest.page.goto(`${home}/tips`);
  const rowOf = (page: Page, title: RegExp) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: title }) });
  const titles = [/^Orchard Vale, match result/, /^Double/, /^Early Ferry, winner/];
  for (const title of titles) await expect(rowOf(guest.page, title)).toContainText('Open');
  await expect(rowOf(guest.page, /^Early Ferry/)).toContainText('4.00 u each-way');
  await follower.page.goto('/dashboard');
  for (const title of titles) await expect(rowOf(follower.page, title).first()).toBeVisible();

  expect([tipster, follower, guest].flatMap(({ faults }) => faults)).toEqual([]);
  const before = await tipsNow();
  const played = await site.goAhead(dayMinutes);
  await expect(async () => {
    await tipster.page.goto(site.desk('match'));
    await expect(tipster.page.getByText('It has started')).toBeVisible({ timeout: 1_000 });
    await guest.page.goto(`${home}/tips`);
    for (const title of titles)
      await expect(rowOf(guest.page, title)).toContainText('Awaiting result', { timeout: 1_000 });
  }).toPass({ timeout: 30_000 });

  await site.run('play', played.toISOString());
  await site.goAhead(2 * dayMinutes);
  await expect
    .poll(async () => (await tipsNow()).filter(({ settlements }) => settlements.length > 0).length, { timeout: 60_000 })
    .toBe(3);
  await guest.page.goto(`${home}/tips`);
  for (const [title, outcome] of [
    [titles[0], /Won.*\+1\.15/],
    [titles[1], /Won.*\+5\.35/],
    [titles[2], /Placed.*\+2\.05/],
  ] as const)
    await expect(rowOf(guest.page, title as RegExp)).toContainText(outcome);
  // What was published is what was settled.
  const published = ({ reference: own, publishedAt, legs, stakeHundredths }: TipView) => [
    own,
    publishedAt,
    stakeHundredths,
    legs.map(({ selectionName, price, startsAt }) => [selectionName, price, startsAt]),
  ];
  expect((await tipsNow()).map(published)).toEqual(before.map(published));
  await guest.page.goto(home);
  await expect(guest.page.getByRole('main')).toContainText('+8.55');

  await site.goAhead(2 * dayMinutes + 5);
  const entries = async () =>
    ((await (await guest.page.request.get('/api/ledger/entries')).json()) as { items: { kind: string }[] }).items;
  const isSigned = async () =>
    (
      (await (await guest.page.request.get('/api/ledger/checkpoint')).json()) as { checkpoints: { sequence: number }[] }
    ).checkpoints.at(-1)?.sequence === (await entries()).length;
  await expect.poll(isSigned, { timeout: 60_000 }).toBe(true);
  // Under each checkpoint stands an entry that counts the portfolios; the tips have two each, and nothing else was recorded.
  const kinds = (await entries()).map(({ kind }) => kind);
  expect([
    kinds.filter((kind) => kind === 'tip-published').length,
    kinds.filter((kind) => kind === 'tip-settled').length,
    kinds.at(-1),
  ]).toEqual([3, 3, 'portfolios-counted']);
  expect(kinds.filter((kind) => kind !== 'portfolios-counted')).toHaveLength(6);
  await guest.page.goto('/ledger');
  await whenAlive(guest.page);
  await guest.page.getByRole('button', { name: 'Verify the whole record now' }).click();
  const verdict = guest.page.getByRole('status').filter({ hasText: 'Verified' });
  await expect(verdict).toContainText(`Verified: ${kinds.length} entries, none changed, missing or out of order.`);
  await expect(verdict).toContainText('3 published openly');
  await expect(verdict).toContainText(`${kinds.length} entries of ${kinds.length}`);
  expect(guest.faults).toEqual([]);
});
