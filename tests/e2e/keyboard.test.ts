import { barriersOn } from '../support/barriers';
import { expect, test, whenAlive } from '../support/visitor';

test('the first key leads past the menu to the content', async ({ page }) => {
  await page.goto('/football');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});

test('every key stop on the way down is visible and shows that it has the focus', async ({ page }) => {
  await page.goto('/');
  await whenAlive(page);
  const stops: string[] = [];
  for (let stop = 0; stop < 25; stop += 1) {
    await page.keyboard.press('Tab');
    const seen = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      return {
        name: element.textContent || element.getAttribute('aria-label') || element.tagName,
        marked: (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
        sized: width > 0 && height > 0,
      };
    });
    expect(seen).not.toBeNull();
    expect(seen, seen?.name).toMatchObject({ marked: true, sized: true });
    stops.push(seen?.name ?? '');
  }
  expect(new Set(stops).size).toBeGreaterThan(15);
});

test.describe('on a large screen', () => {
  test.use({ viewport: { width: 1600, height: 900 } });

  test('More options shows the other entries, and they are put away again on the next page', async ({ page }) => {
    await page.goto('/');
    await whenAlive(page);
    const menu = page.getByRole('navigation', { name: 'Main' });
    await expect(menu.getByRole('link', { name: 'Greyhounds' })).toBeHidden();
    await expect(menu.getByRole('link', { name: 'Account Dashboard' })).toBeHidden();
    await menu.getByRole('button', { name: 'More options' }).focus();
    await page.keyboard.press('Enter');
    await menu.getByRole('link', { name: 'Greyhounds' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Greyhounds');
    await expect(menu.getByRole('link', { name: 'Greyhounds' })).toHaveAttribute('aria-current', 'page');
    await expect(menu.getByRole('link', { name: 'Volleyball' })).toBeHidden();
  });

  test('the side menu is put away by its button and brought back', async ({ page }) => {
    await page.goto('/football');
    await whenAlive(page);
    const menu = page.getByRole('navigation', { name: 'Main' });
    const toggle = page.getByRole('button', { name: 'Side menu' });
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect(menu).toBeHidden();
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await page.reload();
    await whenAlive(page);
    await expect(menu).toBeHidden();
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect(menu).toBeVisible();
  });

  test('a link to the page that is shown loads it anew', async ({ page }) => {
    await page.goto('/football');
    await whenAlive(page);
    await page.evaluate(() => Object.assign(window, { before: true }));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Football', exact: true }).click();
    await page.waitForFunction(() => !('before' in window));
    await whenAlive(page);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the menu opens by key, gives its focus back on Escape, and leads on', async ({ page }) => {
    await page.goto('/');
    await whenAlive(page);
    const button = page.getByRole('button', { name: 'Menu', exact: true });
    const menu = page.getByRole('navigation', { name: 'Main' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await menu.getByRole('link', { name: 'Tennis' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tennis');
    await expect(menu).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
  });

  test('from the open menu Tab goes into it, and its last link leads back to its start', async ({ page }) => {
    await page.goto('/');
    await whenAlive(page);
    await page.getByRole('button', { name: 'Menu', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Close the menu' })).toBeFocused();
    const back = page.getByRole('link', { name: 'Back to the start of the menu' });
    await back.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeFocused();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the open menu has no barrier that axe can find when it is ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto('/football');
      await whenAlive(page);
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await expect(
        page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Greyhounds' }),
      ).toBeVisible();
      expect(await barriersOn(page, '#side-menu')).toEqual([]);
    });
  }

  test('the menu closes when one taps beside it', async ({ page }) => {
    await page.goto('/');
    await whenAlive(page);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const menu = page.getByRole('navigation', { name: 'Main' });
    await expect(menu).toBeVisible();
    await page.mouse.click(385, 800);
    await expect(menu).toBeHidden();
  });
});
