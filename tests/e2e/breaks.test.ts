import { newMember, test } from '../support/account-site';
import { barriersOn } from '../support/barriers';
import { expect, whenKnown } from '../support/visitor';

const sizes = [
  [390, 'light'],
  [390, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
] as const;

test('one takes a break from betting by keyboard, cannot end it, and reads on every page who helps in their country', async ({
  page,
  accountSite,
}) => {
  await newMember(page, accountSite.origin);
  await page.goto('/dashboard/settings');
  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await expect(page.getByText('Country updated')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Take a break' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('This cannot be undone.').locator('..')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.getByLabel('From now on, for').selectOption('week');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const said = page.getByText(/^You are taking a break until/);
  await expect(said).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Check dein Spiel' })).toBeVisible();
  await page.reload();
  await expect(said).toBeVisible();
  await page.getByRole('button', { name: 'Make it longer' }).click();
  await expect(page.getByLabel('From now on, for').getByRole('option')).toHaveCount(4);
  for (const [width, colorScheme] of sizes) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath(`settings-${width}-${colorScheme}.png`), fullPage: true });
  }
  await page.goto('/safer-gambling');
  await whenKnown(page, 'member');
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Check dein Spiel' })).toHaveAttribute(
    'href',
    'https://www.check-dein-spiel.de/',
  );
  await expect(page.getByRole('contentinfo').getByRole('link', { name: '0800 1372700' })).toHaveAttribute(
    'href',
    'tel:08001372700',
  );
});

test('a guest reads who helps in each country, also without script, and nothing of the page moves', async ({
  page,
  context,
  accountSite,
}) => {
  const plain = await context.browser()?.newContext({ javaScriptEnabled: false });
  if (!plain) throw new Error('The browser has gone.');
  const bare = await plain.newPage();
  await bare.goto(`${accountSite.origin}/safer-gambling`);
  await expect(bare.getByRole('contentinfo').getByRole('link', { name: 'National Gambling Helpline' })).toBeVisible();
  await expect(bare.getByRole('row', { name: /France.*Joueurs Info Service.*09 74 75 13 13/ })).toBeVisible();
  await plain.close();
  await page.goto('/safer-gambling');
  for (const [width, colorScheme] of sizes) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath(`safer-${width}-${colorScheme}.png`), fullPage: true });
  }
});
