import { enter, onAddTipsSite, openMarket, priceButtons, publishButton, tipDialog } from '../support/add-tips-site';
import { barriersOn } from '../support/barriers';
import { expect, logIn, test, whenKnown } from '../support/visitor';

const site = onAddTipsSite();

test('two presses publish from a fixture, and the tip and its place in the record are there', async ({ page }) => {
  await enter(page, site.origin(), 'otherOwner', site.desk('match'));
  const market = await openMarket(page, 'Match result');
  await priceButtons(market).first().click();
  await publishButton(page).dblclick();
  await expect(tipDialog(page).getByText('Published in Bob Publishes')).toBeVisible();
  const tip = tipDialog(page).getByRole('link', { name: 'See the tip' });
  const record = await tipDialog(page).getByRole('link', { name: 'See it in the record' }).getAttribute('href');
  await tip.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orchard Vale to beat Pembury Athletic');
  await page.goto(site.origin() + record);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('on the record');
  const { items } = (await (await page.request.get(`${site.origin()}/api/portfolio/bob-publishes/tips`)).json()) as {
    items: unknown[];
  };
  expect(items).toHaveLength(1);
});

test('two tabs with the same tip publish it once', async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const [one, two] = [await context.newPage(), await context.newPage()];
  await enter(one, site.origin(), 'otherOwner', site.desk('hockey'));
  await two.goto(site.origin() + site.desk('hockey'));
  // A tab that comes alive later brings back what is being written in the first.
  await whenKnown(two, 'member');
  for (const page of [one, two]) {
    await priceButtons(await openMarket(page, 'Moneyline'))
      .first()
      .click();
    await expect(publishButton(page)).toBeEnabled();
  }
  await Promise.all([publishButton(one).click(), publishButton(two).click()]);
  const links = await Promise.all(
    [one, two].map((page) => tipDialog(page).getByRole('link', { name: 'See the tip' }).getAttribute('href')),
  );
  expect(links[0]).toBe(links[1]);
  await context.close();
});

test('a price that moved is shown old and new, accepted or dropped, and nothing typed is lost', async ({ browser }) => {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await enter(page, site.origin(), 'otherOwner', site.desk('moving'));
  const market = await openMarket(page, 'Match result');
  await priceButtons(market).filter({ hasText: 'Quillington' }).click();
  await tipDialog(page).getByLabel('Analysis').fill('Typed before the price moved.');
  await tipDialog(page).getByLabel('Stake in units').fill('2.5');
  await site.run('move', 'copperlane', '2010');
  // The stream tells of it before anything is sent.
  const word = tipDialog(page).getByRole('alert');
  await expect(word).toContainText('The price moved: 2.15 → 2.01 at');
  await expect(publishButton(page)).toBeDisabled();
  await word.getByRole('button', { name: 'Accept 2.01' }).press('Enter');
  await expect(tipDialog(page).getByLabel('Analysis')).toHaveValue('Typed before the price moved.');
  await expect(tipDialog(page).getByLabel('Stake in units')).toHaveValue('2.5');
  await publishButton(page).click();
  await expect(tipDialog(page).getByText('Published in')).toContainText('Quillington at Copperlane.');
  await page.context().close();
});

test('a price that was withdrawn is said, and another bookmaker’s is one press away', async ({ browser }) => {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await enter(page, site.origin(), 'otherOwner', site.desk('moving'));
  const market = await openMarket(page, 'Match result');
  await priceButtons(market).filter({ hasText: 'Quillington' }).click();
  const bookmaker = await market.locator('button', { hasText: 'Quillington' }).getAttribute('data-bookmaker');
  expect(bookmaker).toBe('45');
  await site.run('move', 'tipledger-exchange', 'withdrawn');
  await expect(tipDialog(page).getByRole('alert')).toContainText('no longer offers');
  await tipDialog(page).getByRole('button', { name: 'Other bookmakers' }).click();
  const others = page.getByRole('dialog', { name: 'Change bookmaker' });
  await others.getByRole('button', { name: /at Harrow/ }).click();
  await expect(others).toHaveCount(0);
  await expect(tipDialog(page).locator('strong')).toHaveText('2.10');
  await publishButton(page).click();
  await expect(tipDialog(page).getByText('Published in')).toContainText('Harrow');
  await page.context().close();
});

test('a lost connection says so, and the same press publishes once it is back', async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await enter(page, site.origin(), 'otherOwner', site.desk('tennis'));
  await priceButtons(await openMarket(page, 'To win the match'))
    .last()
    .click();
  await tipDialog(page).getByLabel('Analysis').fill('Written on a train.');
  await context.setOffline(true);
  await publishButton(page).click();
  await expect(tipDialog(page).getByRole('alert').last()).toContainText(
    'The site cannot be reached. Check your connection, then try again.',
  );
  await context.setOffline(false);
  await publishButton(page).click();
  await expect(tipDialog(page).getByText('Published in')).toContainText('Published in Bob Publishes');
  await context.close();
});

test('a session that ended leads to the login and back to the tip as it was', async ({ browser }) => {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await enter(page, site.origin(), 'otherOwner', site.desk('tennis'));
  await priceButtons(await openMarket(page, 'Set betting'))
    .first()
    .click();
  await tipDialog(page).getByLabel('Analysis').fill('Written before the session ended.');
  await page.route('**/api/auth/refresh-token', (route) =>
    route.fulfill({ status: 400, json: { message: 'Sign in again.' } }),
  );
  await page.route('**/tips/add-tip', (route) => route.fulfill({ status: 401, json: { message: 'Forbidden' } }), {
    times: 1,
  });
  await publishButton(page).click();
  // It leaves for the dashboard first, as from every page, and is called back before it is there.
  await expect(page).toHaveURL(`${site.origin()}/login?redirect_to=${encodeURIComponent(site.desk('tennis'))}`);
  await page.unrouteAll();
  await logIn(page, 'otherOwner', site.desk('tennis'));
  await expect(tipDialog(page).getByLabel('Analysis')).toHaveValue('Written before the session ended.');
  await publishButton(page).click();
  await expect(tipDialog(page).getByText('Published in')).toContainText('Published in Bob Publishes');
  await page.context().close();
});

test('a fixture that has started is said, with the way back', async ({ browser }) => {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await enter(page, site.origin(), 'otherOwner', site.desk('starting'));
  await priceButtons(await openMarket(page, 'Match result'))
    .first()
    .click();
  await site.run('start', 'starting');
  await publishButton(page).click();
  await expect(tipDialog(page)).toContainText('Saxby Rovers v Tolworth has started');
  await tipDialog(page).getByRole('link', { name: 'Choose another fixture' }).click();
  await expect(page).toHaveURL(/\/add-tips\/football/);
  // What another program has changed stands on the pages after a moment.
  await expect(async () => {
    await page.goto(site.origin() + site.desk('starting'));
    await expect(page.getByText('It has started')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
  await page.context().close();
});

test('sport, days, favourites and the ways of working are kept on the device', async ({ page }) => {
  await enter(page, site.origin(), 'member', '/add-tips');
  await page.getByRole('button', { name: 'Favourite: Golf' }).click();
  await expect(page.getByRole('main').getByRole('list', { name: 'Sports' }).getByRole('link').first()).toHaveText(
    /Golf/,
  );
  await page.getByRole('link', { name: '3 days' }).click();
  await page.waitForURL(/days=3/);
  await page
    .getByRole('main')
    .getByRole('list', { name: 'Sports' })
    .getByRole('link', { name: /Football/ })
    .click();
  await page.getByRole('button', { name: 'Favourite: Orchard League' }).click();
  await page.goto(`${site.origin()}/add-tips`);
  await page.waitForURL(/days=3/);
  await expect(page.getByRole('main').getByRole('list', { name: 'Sports' }).getByRole('link').first()).toHaveText(
    /Golf/,
  );
  // Who has no portfolio has a bet slip.
  await page.goto(site.origin() + site.desk('match'));
  const market = await openMarket(page, 'Match result');
  const home = priceButtons(market).filter({ hasText: 'Orchard Vale' });
  await home.click();
  await expect(home).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Every bookmaker' }).click();
  await expect(page.getByRole('grid', { name: 'Match result at every bookmaker', exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('grid', { name: 'Match result at every bookmaker', exact: true })).toBeVisible();
  await expect(page.locator('button[data-selection][aria-pressed="true"]').first()).toBeVisible();
});

test('a guest is told why and where to sign in, without script too', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.origin()}/add-tips`);
  const main = page.getByRole('main');
  await main
    .getByRole('list', { name: 'Sports' })
    .getByRole('link', { name: /Football/ })
    .click();
  await main.getByRole('link', { name: /Orchard Vale v Pembury Athletic/ }).click();
  await expect(page.getByText('Log in to add a tip')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Markets on offer' }).getByRole('listitem')).toHaveCount(10);
  await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    `/login?redirect_to=${encodeURIComponent(site.desk('match'))}`,
  );
  await page.getByRole('link', { name: 'You can see every price without an account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Orchard Vale');
  await context.close();
});

test('nothing is wider than 320, 390 or 1440 px or wrong by axe', async ({ page }) => {
  test.setTimeout(180_000);
  const onEachScreen = async (look: (width: number) => Promise<void>) => {
    for (const [width, colorScheme] of [
      [320, 'light'],
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await look(width);
    }
  };
  await enter(page, site.origin(), 'owner', '/add-tips');
  for (const address of ['/add-tips', '/add-tips/football', site.desk('match'), site.desk('race')]) {
    await page.goto(site.origin() + address);
    if (address === site.desk('match')) await page.getByRole('switch', { name: 'Show all markets' }).check();
    if ([site.desk('match'), site.desk('race')].includes(address))
      await expect(priceButtons(page.getByRole('main')).first()).toBeVisible();
    await onEachScreen(async (width) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await barriersOn(page), address).toEqual([]);
    });
  }
  await priceButtons(page.getByRole('main')).first().click();
  await expect(tipDialog(page)).toBeVisible();
  await onEachScreen(async () => expect(await barriersOn(page, 'dialog')).toEqual([]));
});
