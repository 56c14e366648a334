import { chromium } from '@playwright/test';
import { memberCookieName } from '@/lib/accounts/schema';
import { BareBrowser, type BarePage } from '../support/bare-browser';
import { wholeBrowser } from '../support/chromium';
import { expect, test } from '../support/visitor';

const alive = "'alive' in document.documentElement.dataset";
const hasRules = `document.querySelector('script[type="speculationrules"]') !== null`;
const tennis = `[...document.querySelectorAll('nav a')].find(({ textContent }) => textContent.trim() === 'Tennis')`;

async function pointAt(browser: BareBrowser, page: BarePage): Promise<{ x: number; y: number }> {
  const place = await page.evaluate<{ x: number; y: number }>(
    `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(${tennis}.getBoundingClientRect())`,
  );
  // From where no link is: one that the pointer rests on for a moment is prerendered first, on a slow machine.
  const edge = await page.evaluate<{ x: number; y: number }>('({ x: innerWidth - 4, y: innerHeight / 2 })');
  expect(await page.evaluate(`document.elementFromPoint(${edge.x}, ${edge.y})?.closest('a') ?? null`)).toBeNull();
  await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...edge });
  await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...place });
  await browser.until(async () => browser.pages.length > 1);
  return place;
}

async function click(page: BarePage, place: { x: number; y: number }): Promise<void> {
  for (const type of ['mousePressed', 'mouseReleased'])
    await page.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', clickCount: 1 });
}

test('the page that one points at is prerendered, does nothing until it is shown, and knows by then who is signed in', async ({
  site,
}) => {
  const browser = await BareBrowser.open(wholeBrowser.executablePath ?? chromium.executablePath());
  try {
    const [shown] = browser.pages as [BarePage];
    await shown.send('Page.navigate', { url: `${site.origin}/football` });
    await browser.until(() =>
      shown.evaluate(`location.pathname === '/football' && ${alive} && ${hasRules}`).catch(() => false),
    );
    const place = await pointAt(browser, shown);
    const [, ahead] = browser.pages as [BarePage, BarePage];
    expect(ahead.isPrerendered).toBe(true);
    await browser.until(() => ahead.evaluate("location.pathname === '/tennis' && document.readyState === 'complete'"));
    await ahead.evaluate(`(() => {
      globalThis.known = [];
      const { documentElement } = document;
      new MutationObserver(() => known.push(documentElement.dataset.known ?? 'nobody')).observe(documentElement, { attributeFilter: ['data-known'] });
    })()`);
    expect(
      await ahead.evaluate(`[document.prerendering, ${alive}, document.documentElement.dataset.known ?? null]`),
    ).toEqual([true, false, null]);
    const asked = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/')).length`;
    expect(await ahead.evaluate(asked)).toBe(0);
    await shown.evaluate(`document.cookie = '${memberCookieName}=1; path=/'`);
    await click(shown, place);
    await browser.until(() => ahead.evaluate(`!document.prerendering && ${alive}`));
    expect(
      await ahead.evaluate("[location.pathname, performance.getEntriesByType('navigation')[0].activationStart > 0]"),
    ).toEqual(['/tennis', true]);
    expect((await ahead.evaluate<string[]>('globalThis.known'))[0]).toBe('member');
    // It asks for its own head, by which it is counted.
    const visits = `performance.getEntriesByType('resource').filter(({ name }) => name === location.href).length`;
    await browser.until(async () => (await ahead.evaluate(visits)) === 1);
  } finally {
    await browser.close();
  }
});
