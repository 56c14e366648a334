import { pageKinds } from '../support/page-kinds';
import { longNames, matches } from '../support/site-matches';
import { expect, test } from '../support/visitor';

test.use({ javaScriptEnabled: false });

const readable = pageKinds.filter(({ own, alike }, place) => !alike && own !== pageKinds[place - 1]?.own);
const atOnce = 15;

// Many in one browser window, one after the other: to open a window takes longer than to read a page.
for (let first = 0; first < readable.length; first += atOnce) {
  const group = readable.slice(first, first + atOnce);
  test(`from ${group[0]?.name} to ${group.at(-1)?.name} every page is readable without script`, async ({
    page,
    site,
  }) => {
    for (const { name, heading, path } of group) {
      await test.step(name, async () => {
        await page.goto(path(site));
        const main = page.getByRole('main');
        await expect(main.getByRole('heading', { level: 1 })).toHaveText(heading);
        await expect(main.getByRole('heading', { level: 2 }).or(main.getByRole('paragraph')).first()).toBeVisible();
        await expect(page.getByRole('contentinfo')).toContainText('18+');
        await expect(
          page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Football', exact: true }),
        ).toBeVisible();
      });
    }
  });
}

test('one finds a fixture and its prices by links alone', async ({ page, site }) => {
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Football', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Football');
  await page.locator(`main a[href="/fixture/${site.references.soon}"]`).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${matches.soon.home} v ${matches.soon.away}`);
  await expect(page.getByRole('table').first().getByRole('columnheader', { name: 'bet365' })).toBeVisible();
  await page.getByRole('link', { name: 'Fractional' }).click();
  await expect(page.getByRole('table').first()).toContainText(/\d+\/\d+/);
});

test('the menu of a phone opens, leads on and closes without script', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(menu).toBeVisible();
  await page.getByRole('button', { name: 'Close the menu' }).click();
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await menu.getByRole('link', { name: 'Volleyball' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Volleyball');
});

test('a missing page is readable and leads on without script', async ({ page }) => {
  expect((await page.goto('/fixture/nobody-v-nobody-2020-01-01'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no page at this address');
  await page.getByRole('main').getByRole('link', { name: 'Tennis' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tennis');
});

test('names as long as they come are all there', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/fixture/${site.references.long}`);
  await expect(page.getByText(longNames.home, { exact: true }).first()).toBeVisible();
  await expect(page.getByText(longNames.away, { exact: true }).first()).toBeVisible();
});
