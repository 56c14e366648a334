import type { VisitedSite } from '../support/site-setup';
import { matches } from '../support/site-matches';
import { portfolios } from '../support/site-tips';
import { expect, test } from '../support/visitor';

const fixture = ({ references }: VisitedSite, name: keyof VisitedSite['references']) => `/fixture/${references[name]}`;
const firstPrice = 'main [data-slip]:visible';

for (const path of ['/football', 'the fixture'] as const) {
  test(`on a phone the first price of ${path} stands within the first screen`, async ({ page, site }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path === '/football' ? path : fixture(site, 'soon'));
    const price = page.locator(path === '/football' ? 'main td data[data-odds]' : firstPrice).first();
    const box = await price.boundingBox();
    expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  });
}

test('the first price is a few tabs from the start of the content, and says what it is', async ({ page, site }) => {
  await page.goto(fixture(site, 'soon'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  let tabs = 0;
  for (; tabs < 12; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.matches('[data-slip]') ?? false)) break;
  }
  expect(tabs).toBeLessThan(10);
  const name = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(name).toMatch(new RegExp(`^${matches.soon.home} \\d+\\.\\d\\d at \\w`));
});

test('a fixture lists the tips on it, and of locked ones the number alone', async ({ page, site }) => {
  await page.goto(fixture(site, 'soon'));
  const tips = page.getByRole('region', { name: /^Tips: / });
  await expect(page.getByRole('heading', { name: 'Tips on this match' })).toBeVisible();
  await expect(tips.getByRole('link', { name: portfolios.public.name }).first()).toBeVisible();
  await expect(page.getByText(/for members until the start|hidden until the start/)).toBeVisible();
  const html = await page.content();
  for (const locked of [site.tips.hidden, site.tips.members]) expect(html).not.toContain(locked);
});

test('the side menu marks the sport of a fixture, and nothing else', async ({ page, site }) => {
  await page.goto(fixture(site, 'soon'));
  const marked = page.getByRole('navigation', { name: 'Main', includeHidden: true }).locator('a[aria-current="page"]');
  await expect(marked).toHaveText(['Football']);
});

test('from a fixture one comes to its league and its teams', async ({ page, site }) => {
  await page.goto(fixture(site, 'played'));
  await page.getByRole('heading', { level: 1 }).getByRole('link', { name: matches.played.home }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(matches.played.home);
  await expect(page.getByRole('heading', { name: 'Results' })).toBeVisible();
  await page.goBack();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').last().click();
  await expect(page).toHaveURL(/\/football\/league\//);
});
