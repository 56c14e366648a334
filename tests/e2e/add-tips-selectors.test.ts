import type { Browser, Locator, Page } from '@playwright/test';
import type { TipView } from '@/lib/tips/schema';
import type { TippedFixture } from '../support/add-tips-world';
import { enter, onAddTipsSite, openMarket, priceButtons, publishButton, tipDialog } from '../support/add-tips-site';
import { people, sitePassword } from '../support/site-people';
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

const focused = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.selection ?? '');

/** The selections that keys come to, in their order: in a grid by arrows along its rows, in a list by Tab. What is done at each leaves the focus on it. */
async function byKeyboard(
  page: Page,
  market: Locator,
  atEach: (selection: string) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  const press = async (key: string) => {
    await page.keyboard.press(key);
    return focused(page);
  };
  await priceButtons(market).and(page.locator(':not([tabindex="-1"])')).first().focus();
  // A grid keeps its place; from its corner the keys go through all of it.
  for (let at = await press('Control+Home'); at && !seen.includes(at); ) {
    seen.push(at);
    await atEach(at);
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
      return width >= 24 && height >= 24 && met && button.contains(met)
        ? [(button as HTMLElement).dataset.selection ?? '']
        : [];
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
test('pointer and keys come to each selection of each selector on a phone and on a wide screen, and publish with either', async ({
  page,
}) => {
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
      expect((await byKeyboard(page, market)).toSorted(), `${heading} by keyboard at ${width} px`).toEqual(
        met.toSorted(),
      );
      const isWide = width === 1440;
      await publish(page, market, met.at(isWide ? -1 : 0) ?? '', isWide ? 'pointer' : 'keyboard');
      if (laidOut.includes(heading))
        await publish(page, market, met.at(isWide ? -2 : 1) ?? '', isWide ? 'keyboard' : 'pointer');
    }
  }
});

// Every selection in every way, some minutes long; the daily test publishes some of each.
const isFull = process.env.TIPLEDGER_WALK === 'full';

/** The same tip twice in one portfolio is one tip, so each way takes another. Each is known by its first letter. */
const turns = ['Alder', 'Birch', 'Cedar', 'Elder', 'Hazel', 'Maple'];

/** A selection as the desk shows it, and as its tip says it. */
type Told = { selection: string; name: string; market: string; odds: string; bookmaker: string };

/** Gives the member the portfolios. */
async function givePortfolios(browser: Browser): Promise<void> {
  const context = await browser.newContext({ baseURL: site.origin() });
  const signedIn = await context.request.post('/api/auth/token', {
    data: { username: people.member.username, password: sitePassword },
  });
  const { token } = (await signedIn.json()) as { token: string };
  for (const name of turns) {
    const made = await context.request.post('/api/user/portfolio', {
      data: { name },
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': `portfolio-${name}` },
    });
    expect(made.status()).toBe(201);
  }
  await context.close();
}

/** What a price says of itself to who cannot see it, and its line by the heading of its row. */
const spokenBy = (button: Locator) =>
  button.evaluate((element) => {
    const spoken = element.cloneNode(true) as HTMLElement;
    for (const drawn of spoken.querySelectorAll('[aria-hidden]')) drawn.remove();
    const row = element.closest('table[role="grid"]') && element.closest('tr')?.querySelector('th');
    return { text: spoken.textContent, row: row?.firstChild?.textContent ?? null };
  });

/** The selection that a price is for, in the words that are shown. */
async function shownBy(button: Locator, selection: string): Promise<Omit<Told, 'market'> & { row: string | null }> {
  const { text, row } = await spokenBy(button);
  const [, name = '', odds = '', bookmaker = ''] =
    /^(.+?) ?, (\d+\.\d\d)(?:, .+ from [\d.]+)? at (.+)$/.exec(text ?? '') ?? [];
  return { selection, name, odds, bookmaker, row };
}

/** Goes on by Tab until something has the focus; in the list of portfolios the letter of one chooses it, as a hand would. */
async function tabTo(page: Page, wanted: Locator, letter: string): Promise<void> {
  const isThere = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);
  for (let presses = 0; !(await isThere(wanted)); presses += 1) {
    expect(presses, 'Tab comes to what publishes').toBeLessThan(20);
    await page.keyboard.press('Tab');
    if (await isThere(tipDialog(page).getByLabel('Portfolio'))) await page.keyboard.press(letter);
  }
}

/** Publishes the price that was chosen and goes on to the next; gives the selection as the form said it, and the tip's path. */
async function publishIn(portfolio: string, page: Page, way: Way): Promise<{ said: string; tip: string }> {
  const form = tipDialog(page);
  await expect(publishButton(page)).toBeVisible();
  const said = (await form.locator('form').innerText()).replaceAll(/\s+/g, ' ');
  if (way === 'pointer') {
    await form.getByLabel('Portfolio').selectOption({ label: portfolio });
    await publishButton(page).click();
  } else {
    await tabTo(page, publishButton(page), portfolio.charAt(0));
    await page.keyboard.press('Enter');
  }
  await expect(form.getByRole('status').filter({ hasText: `Published in ${portfolio}:` })).toBeVisible();
  const tip = (await form.getByRole('link', { name: 'See the tip' }).getAttribute('href')) ?? '';
  if (way === 'pointer') await form.getByRole('button', { name: 'Add another' }).click();
  else await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  return { said, tip };
}

/** The tip as everybody reads it. */
async function readBack(page: Page, tip: string): Promise<Told> {
  const response = await page.request.get(`${site.origin()}/api${tip.replace('/tipster/', '/portfolio/')}`);
  const { legs } = (await response.json()) as TipView;
  const [leg] = legs;
  if (legs.length !== 1 || !leg) throw new Error(`${tip} has ${legs.length} legs.`);
  return {
    selection: String(leg.selectionId),
    name: leg.selectionName,
    market: leg.marketName,
    odds: (leg.price.oddsThousandths / 1000).toFixed(2),
    bookmaker: leg.bookmakerName,
  };
}

if (isFull) {
  test.describe('each selection of each selector', () => {
    test.beforeAll(({ browser }) => givePortfolios(browser));

    for (const [place, { fixture, heading, count }] of selectorsOf.entries()) {
      test(`${heading}: is published by pointer and by keyboard, on a phone and on a wide screen, and is read back as it was shown`, async ({
        page,
      }) => {
        test.setTimeout(count * 60_000);
        await page.setViewportSize({ width: 1440, height: 900 });
        await enter(page, site.origin(), 'member', site.desk(fixture));
        const market = await openMarket(page, heading);
        await expect(priceButtons(market)).toHaveCount(count);
        const order = await priceButtons(market).evaluateAll((buttons) =>
          buttons.map((button) => (button as HTMLElement).dataset.selection ?? ''),
        );
        const tips = new Set<string>();
        const ways = [390, 1440].flatMap((width) => (['pointer', 'keyboard'] as const).map((way) => ({ width, way })));
        for (const [turn, { width, way }] of ways.entries()) {
          await page.setViewportSize({ width, height: 900 });
          // An address may publish sixty tips a minute.
          await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': `10.250.${place}.${turn}` });
          const publishThis = async (selection: string) => {
            const button = market.locator(`button[data-selection="${selection}"]`);
            const { row, ...shown } = await shownBy(button, selection);
            await (way === 'pointer' ? button.click() : page.keyboard.press('Enter'));
            const { said, tip } = await publishIn(
              turns[(order.indexOf(selection) + turn) % turns.length] ?? '',
              page,
              way,
            );
            const told = await readBack(page, tip);
            const at = `${heading}, ${shown.name} by ${way} at ${width} px`;
            expect(told, at).toEqual({ ...shown, name: told.name, market: told.market });
            // A selector may say more of a selection than its name: 'Yes, both score'.
            expect(`${shown.name}, `, at).toContain(`${told.name}, `);
            expect(said, at).toContain(`${told.name} ${told.market} · `);
            expect(told.market, at).toContain(heading);
            if (row !== null) expect(`${told.market} ${told.name}`, at).toContain(row.replace(/^[+−]/, ''));
            tips.add(tip);
          };
          if (way === 'keyboard')
            expect(
              (await byKeyboard(page, market, publishThis)).toSorted(),
              `${heading} by keyboard at ${width} px`,
            ).toEqual(order.toSorted());
          else for (const selection of order) await publishThis(selection);
        }
        expect(tips.size).toBe(count * ways.length);
      });
    }
  });
}
