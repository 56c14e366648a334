import type { Locator, Page } from '@playwright/test';
import type { TippedFixture } from '../support/add-tips-world';
import { enter, onAddTipsSite, openMarket, priceButtons, publishButton, tipDialog } from '../support/add-tips-site';
import { expect, test } from '../support/visitor';

const site = onAddTipsSite();

type Way = 'pointer' | 'keyboard';

/** At each width every selection is chosen in one way, and one of each market in the other. */
const widths: readonly { width: number; every: Way; one: Way }[] = [
  { width: 390, every: 'keyboard', one: 'pointer' },
  { width: 1440, every: 'pointer', one: 'keyboard' },
];

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

/** Chooses the price that is focused or clicked, finds it in the form, publishes it where asked, and closes the form. */
async function check(page: Page, button: Locator, way: Way, publishes: boolean): Promise<void> {
  const lines = (await button.innerText()).split('\n').map((line) => line.trim());
  const odds = lines.find((line) => /^\d+\.\d\d$/.test(line)) ?? 'none';
  if (way === 'keyboard') await page.keyboard.press('Enter');
  else await button.click();
  const shown = tipDialog(page).locator('strong');
  await shown.waitFor();
  await expect(shown).toHaveText(odds);
  if (publishes) {
    await publishButton(page).click();
    await expect(tipDialog(page).getByRole('status').filter({ hasText: 'Published in' })).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await tipDialog(page).waitFor({ state: 'detached' });
}

for (const { width, every, one } of widths) {
  test(`each selector publishes what it shows at ${width} px, every selection chosen by ${every} and one of each market by ${one}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width, height: 900 });
    await enter(page, site.origin(), 'owner', site.desk('match'));
    for (const { fixture, heading, count } of selectorsOf) {
      if (!page.url().endsWith(site.desk(fixture))) await page.goto(site.origin() + site.desk(fixture));
      const market = await openMarket(page, heading);
      await expect(priceButtons(market)).toHaveCount(count);
      const ids = await priceButtons(market).evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset.selection ?? ''));
      expect(new Set(ids).size).toBe(count);
      const choose = async (way: Way, wanted: readonly string[]) => {
        const seen: string[] = [];
        for await (const id of way === 'keyboard' ? byKeyboard(page, market) : wanted) {
          if (seen.includes(id) || !wanted.includes(id)) continue;
          seen.push(id);
          await check(page, market.locator(`button[data-selection="${id}"]`), way, seen.length === wanted.length);
          if (seen.length === wanted.length) break;
        }
        expect(seen.toSorted()).toEqual(wanted.toSorted());
      };
      await choose(every, ids);
      await choose(one, ids.slice(-1));
    }
  });
}
