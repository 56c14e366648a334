import type { Locator, Page } from '@playwright/test';
import type { TippedFixture } from '../support/add-tips-world';
import { enter, onAddTipsSite, openMarket, priceButtons, publishButton, tipDialog } from '../support/add-tips-site';
import { expect, test } from '../support/visitor';

const site = onAddTipsSite();

type Way = { width: number; by: 'pointer' | 'keyboard' };
const ways: readonly Way[] = [390, 1440].flatMap((width) => (['pointer', 'keyboard'] as const).map((by) => ({ width, by })));

const selectorsOf: readonly { fixture: TippedFixture; heading: string; count: number }[] = [
  { fixture: 'match', heading: 'Match result', count: 3 },
  { fixture: 'match', heading: 'Over/under', count: 24 },
  { fixture: 'match', heading: 'Asian handicap', count: 26 },
  { fixture: 'match', heading: 'Both teams to score', count: 2 },
  { fixture: 'match', heading: 'Double chance', count: 3 },
  { fixture: 'match', heading: 'Draw no bet', count: 2 },
  { fixture: 'match', heading: 'European handicap', count: 9 },
  { fixture: 'match', heading: 'Half-time/full-time', count: 9 },
  { fixture: 'match', heading: 'Correct score', count: 21 },
  { fixture: 'match', heading: 'Goalscorer', count: 14 },
  { fixture: 'hockey', heading: 'Moneyline', count: 2 },
  { fixture: 'tennis', heading: 'Set betting', count: 6 },
  { fixture: 'race', heading: 'Winner', count: 19 },
];

/** The prices of a market in the order in which the keys go through them: in a grid by arrows along its rows, in a list by Tab. */
async function* byKeyboard(page: Page, market: Locator): AsyncGenerator<string> {
  const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.selection ?? null);
  const first = priceButtons(market).and(page.locator(':not([tabindex="-1"])'));
  const inGrid = (await market.getByRole('grid').count()) > 0;
  await first.first().focus();
  for (let at = await focused(); at; ) {
    yield at;
    const next = async (key: string) => {
      await page.keyboard.press(key);
      const now = await focused();
      return now === at ? null : now;
    };
    if (!inGrid || !(await page.evaluate(() => document.activeElement?.closest('[role="grid"]') !== null))) {
      at = await next('Tab');
      continue;
    }
    const along: string | null = await next('ArrowRight');
    if (along) {
      at = along;
      continue;
    }
    await page.keyboard.press('Home');
    at = (await focused()) ?? '';
    const below = await next('ArrowDown');
    // What has no cell stands below the grid.
    at = below ?? (await next('Tab'));
  }
}

for (const { width, by } of ways) {
  test.describe(`at ${width} px, by ${by}`, () => {
    test('each selector publishes what it shows', async ({ page }) => {
      test.setTimeout(300_000);
      await page.setViewportSize({ width, height: 900 });
      await enter(page, site.origin(), 'owner', site.desk('match'));
      for (const { fixture, heading, count } of selectorsOf) {
        if (!page.url().endsWith(site.desk(fixture))) await page.goto(site.origin() + site.desk(fixture));
        const market = await openMarket(page, heading);
        await expect(priceButtons(market)).toHaveCount(count);
        const ids = await priceButtons(market).evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset.selection ?? ''));
        expect(new Set(ids).size).toBe(count);
        const seen: string[] = [];
        const check = async (id: string) => {
          const button = market.locator(`button[data-selection="${id}"]`);
          const lines = (await button.innerText()).split('\n').map((line) => line.trim());
          const odds = lines.find((line) => /^\d+\.\d\d$/.test(line)) ?? 'none';
          if (by === 'keyboard') await page.keyboard.press('Enter');
          else await button.click();
          await expect(tipDialog(page).locator('strong')).toHaveText(odds);
          seen.push(id);
          if (seen.length === count) {
            await publishButton(page).click();
            await expect(tipDialog(page).getByRole('status').filter({ hasText: 'Published in' })).toBeVisible();
          }
          await page.keyboard.press('Escape');
          await expect(tipDialog(page)).toHaveCount(0);
        };
        if (by === 'pointer') for (const id of ids) await check(id);
        else {
          for await (const id of byKeyboard(page, market)) {
            if (!seen.includes(id)) await check(id);
            if (seen.length === count) break;
          }
        }
        expect(seen.toSorted()).toEqual(ids.toSorted());
      }
    });
  });
}
