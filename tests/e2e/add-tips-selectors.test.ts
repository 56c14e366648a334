import type { Locator, Page } from '@playwright/test';
import type { TippedFixture } from '../support/add-tips-world';
import { enter, onAddTipsSite, openMarket, priceButtons, publishButton, tipDialog } from '../support/add-tips-site';
import { expect, test } from '../support/visitor';

const site = onAddTipsSite();

type Way = 'pointer' | 'keyboard';

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

/** One selector of each layout: a row, a ladder of lines, a grid, a list and a race card; in these, something is published in either way at either width. */
const laidOut: readonly string[] = ['Match result', 'Asian handicap', 'Correct score', 'Double chance', 'Winner'];

const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.selection ?? '');

/** The selections that keys come to, in their order: in a grid by arrows along its rows, in a list by Tab. */
async function byKeyboard(page: Page, market: Locator): Promise<string[]> {
  const seen: string[] = [];
  const press = async (key: string) => {
    await page.keyboard.press(key);
    return focused(page);
  };
  await priceButtons(market).and(page.locator(':not([tabindex="-1"])')).first().focus();
  // A grid keeps its place; from its corner the keys go through all of it.
  for (let at = await press('Control+Home'); at && !seen.includes(at); ) {
    seen.push(at);
    const next = await press('ArrowRight');
    if (next !== at) {
      at = next;
      continue;
    }
    if (await page.evaluate(() => document.activeElement?.closest('[role="grid"]') !== null)) {
      const first = await press('Home');
      const below = await press('ArrowDown');
      if (below !== first) {
        at = below;
        continue;
      }
    }
    // What has no cell stands below the grid.
    at = await press('Tab');
  }
  return seen;
}

/** The selections that a pointer meets: each price, brought into sight, is what lies on top in its middle, and large enough. */
function byPointer(market: Locator): Promise<string[]> {
  return priceButtons(market).evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      button.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, top, width, height } = button.getBoundingClientRect();
      const met = document.elementFromPoint(left + width / 2, top + height / 2);
      return width >= 24 && height >= 24 && met && button.contains(met) ? [(button as HTMLElement).dataset.selection ?? ''] : [];
    }),
  );
}

/** Chooses a price, finds it in the form, publishes it, and closes the form. */
async function publish(page: Page, market: Locator, selection: string, way: Way): Promise<void> {
  const button = market.locator(`button[data-selection="${selection}"]`);
  const odds = (await button.innerText()).split('\n').find((line) => /^\d+\.\d\d$/.test(line.trim())) ?? 'none';
  if (way === 'pointer') await button.click();
  else {
    await button.focus();
    await page.keyboard.press('Enter');
  }
  await expect(tipDialog(page).locator('strong')).toHaveText(odds.trim());
  if (way === 'pointer') await publishButton(page).click();
  else {
    await publishButton(page).focus();
    await page.keyboard.press('Enter');
  }
  await expect(tipDialog(page).getByRole('status').filter({ hasText: 'Published in' })).toBeVisible();
  await page.keyboard.press('Escape');
  await tipDialog(page).waitFor({ state: 'detached' });
}

// That each selection goes to the call as it is shown is held by the tests of components, and that the call takes each by those of the API; here, that a visitor can get at each.
test('pointer and keys come to each selection of each selector on a phone and on a wide screen, and publish with either', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, site.origin(), 'owner', site.desk('match'));
  for (const { fixture, heading, count } of selectorsOf) {
    if (!page.url().endsWith(site.desk(fixture))) await page.goto(site.origin() + site.desk(fixture));
    const market = await openMarket(page, heading);
    await expect(priceButtons(market)).toHaveCount(count);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const met = await byPointer(market);
      expect(new Set(met).size, `${heading} by pointer at ${width} px`).toBe(count);
      expect((await byKeyboard(page, market)).toSorted(), `${heading} by keyboard at ${width} px`).toEqual(met.toSorted());
      const isWide = width === 1440;
      await publish(page, market, met.at(isWide ? -1 : 0) ?? '', isWide ? 'pointer' : 'keyboard');
      if (laidOut.includes(heading)) await publish(page, market, met.at(isWide ? -2 : 1) ?? '', isWide ? 'keyboard' : 'pointer');
    }
  }
});
