import type { Page } from '@playwright/test';
import { expect, signInAs, test, whenKnown } from '../support/visitor';

test.use({ viewport: { width: 390, height: 500 } });

/** How far from the top of the screen the last heading of a list of fixtures stands, once the page has come to rest. */
async function placeOfLast(page: Page): Promise<number> {
  const place = () =>
    page.evaluate(() => [...document.querySelectorAll('main h3')].at(-1)?.getBoundingClientRect().top ?? Number.NaN);
  let before = Number.NaN;
  await expect
    .poll(async () => {
      const now = await place();
      const isStill = now === before;
      before = now;
      return isStill;
    })
    .toBe(true);
  return before;
}

/** Reads down to the last list, a screen at a time. */
async function goDown(page: Page): Promise<number> {
  for (let place = await placeOfLast(page); place > 400; place = await placeOfLast(page))
    await page.mouse.wheel(0, Math.min(400, place - 300));
  return placeOfLast(page);
}

test('a guest on a phone finds the place again after loading anew and after a step back', async ({ page }) => {
  await page.goto('/football');
  const lists = page.locator('main section:has(> h3)');
  expect(await lists.last().evaluate((list) => getComputedStyle(list).contentVisibility)).toBe('auto');
  const place = await goDown(page);
  await page.reload();
  await expect.poll(() => placeOfLast(page)).toBeCloseTo(place, 0);
  expect(await lists.last().evaluate((list) => getComputedStyle(list).contentVisibility)).toBe('visible');
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: 'About us' })
    .evaluate((link: HTMLElement) => link.click());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/About/);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Football');
  await expect.poll(() => placeOfLast(page)).toBeCloseTo(place, 0);
});

test('so does a member', async ({ page }) => {
  await signInAs(page, 'member');
  await page.goto('/football');
  await whenKnown(page, 'member');
  const place = await goDown(page);
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: 'About us' })
    .evaluate((link: HTMLElement) => link.click());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/About/);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Football');
  await expect.poll(() => placeOfLast(page)).toBeCloseTo(place, 0);
});
