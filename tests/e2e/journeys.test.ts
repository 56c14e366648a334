import type { Page } from '@playwright/test';
import { fullLeague, longNames, matches } from '../support/site-matches';
import type { VisitedSite } from '../support/site-setup';
import { expect, test } from '../support/visitor';

test.use({ serviceWorkers: 'allow' });

const versus = ({ home, away }: { home: string; away: string }) => `${home} v ${away}`;
const linkOn = (page: Page, site: VisitedSite) => (name: keyof typeof matches) =>
  page.locator(`a[href="/fixture/${site.references[name]}"]`);
const results = (page: Page) => page.locator('section[aria-labelledby="results"]').getByRole('rowheader');

test('the home page has what comes, what was played, and the best price of each', async ({ page, site }) => {
  await page.goto('/');
  const link = linkOn(page, site);
  const row = (name: keyof typeof matches) => page.getByRole('row').filter({ has: link(name) });
  for (const name of ['soon', 'played', 'awaited'] as const) await expect(link(name)).toBeVisible();
  await expect(page.getByRole('link', { name: /^\d+ more fixtures in Football$/ })).toHaveAttribute(
    'href',
    '/football',
  );
  for (const name of ['unpriced', 'inTenDays'] as const) await expect(link(name)).toHaveCount(0);
  await expect(row('soon')).toContainText(`${matches.soon.home} ${matches.soon.away}`);
  await expect(row('soon').getByRole('cell', { name: /^[\d.]+$/ })).toHaveText(['2.73', '3.49', '3.16']);
  await expect(row('played')).toContainText(/Northwick\s*2\s*Southby\s*1/);
  await expect(row('awaited')).toContainText('Result awaited');
});

test('from the home page one comes to a fixture, its league, and back', async ({ page, site }) => {
  await page.goto('/');
  await linkOn(page, site)('soon').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(versus(matches.soon));
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'League One' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('League One');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(versus(matches.soon));
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tips you can verify');
});

test('a league is chosen from the sport, and only its fixtures are left', async ({ page }) => {
  await page.goto('/football');
  await page.getByRole('navigation', { name: 'Leagues' }).getByRole('link', { name: longNames.league }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(longNames.league);
  await expect(page.getByRole('rowheader')).toHaveCount(3);
  expect(new URL(page.url()).pathname).toMatch(/^\/football\/league\/[\w-]+$/);
});

test('more days bring fixtures that lie further ahead, and the choice is marked', async ({ page, site }) => {
  await page.goto('/football');
  const link = linkOn(page, site);
  const days = page.getByRole('navigation', { name: 'Days ahead' });
  await expect(link('inTenDays')).toHaveCount(0);
  await days.getByRole('link', { name: '14 days' }).click();
  await expect(link('inTenDays')).toBeVisible();
  await expect(link('inThreeWeeks')).toHaveCount(0);
  await days.getByRole('link', { name: '31 days' }).click();
  await expect(link('inThreeWeeks')).toBeVisible();
  await expect(days.getByRole('link', { name: '31 days' })).toHaveAttribute('aria-current', 'page');
});

test('the results of a league come page by page, none twice and none left out', async ({ page }) => {
  await page.goto(`/football/league/${fullLeague.reference}`);
  await expect(results(page)).toHaveCount(fullLeague.results / 2);
  const first = await results(page).allInnerTexts();
  await page.getByRole('link', { name: 'Earlier results' }).click();
  await expect(page.getByRole('link', { name: 'Latest results' })).toBeVisible();
  const second = await results(page).allInnerTexts();
  expect(new Set([...first, ...second]).size).toBe(fullLeague.results);
  await expect(page.getByRole('link', { name: 'Earlier results' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Latest results' }).click();
  await expect(page.getByRole('link', { name: 'Earlier results' })).toBeVisible();
  expect(await results(page).allInnerTexts()).toEqual(first);
});

test('odds are shown as decimals, fractions or in the US way, as one chooses', async ({ page, site }) => {
  await page.goto(`/fixture/${site.references.soon}`);
  const formats = page.getByRole('navigation', { name: 'Odds format' });
  const home = page
    .getByRole('table')
    .first()
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: matches.soon.home }) });
  const bet365 = home.getByRole('cell').filter({ hasText: /^2\.5$|^2\.50$|^6\/4$|^\+150$/ });
  await expect(bet365).toHaveText(['2.50']);
  await formats.getByRole('link', { name: 'Fractional' }).click();
  await expect(bet365.first()).toHaveText('6/4');
  await formats.getByRole('link', { name: 'US' }).click();
  await expect(bet365).toHaveText(['+150']);
  await formats.getByRole('link', { name: 'Decimal' }).click();
  await expect(bet365).toHaveText(['2.50']);
});

test('a played fixture shows its score, the half-time score and closing prices', async ({ page, site }) => {
  await page.goto(`/fixture/${site.references.played}`);
  await expect(page.getByText('Full time', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${matches.played.home} 2–1 ${matches.played.away}`);
  await expect(page.getByRole('main')).toContainText(/half.?time 1–0/i);
  await expect(page.getByRole('table').first()).toContainText('closing price');
});

test('a fixture that has started says that its result is awaited', async ({ page, site }) => {
  await page.goto(`/fixture/${site.references.awaited}`);
  await expect(page.getByText('Result awaited', { exact: true })).toBeVisible();
});

test('a fixture without prices says so', async ({ page, site }) => {
  await page.goto(`/fixture/${site.references.unpriced}`);
  await expect(page.getByRole('table')).toHaveCount(0);
  await expect(page.getByText('Prices appear here as soon as one is offered.')).toBeVisible();
});

test('a whole season is there match by match', async ({ page, site }) => {
  test.skip(!site.hasSeason, 'The season of football-data.co.uk is not in ../shared/data.');
  await page.goto('/football/league/england-premier-league');
  await expect(page.getByText('380 results', { exact: true })).toBeVisible();
  const seen = new Set<string>();
  for (;;) {
    const listed = await results(page)
      .getByRole('link')
      .evaluateAll((links) => links.map((each) => each.getAttribute('href') ?? ''));
    for (const href of listed) seen.add(href);
    const earlier = page.getByRole('link', { name: 'Earlier results' });
    if ((await earlier.count()) === 0) break;
    await page.goto((await earlier.getAttribute('href')) ?? '');
  }
  expect(seen.size).toBe(380);
  await page.goto('/fixture/west-ham-united-v-leeds-united-2026-05-24');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('West Ham United 3–0 Leeds United');
  await expect(page.getByRole('table').first().getByRole('columnheader')).toContainText([
    'Best',
    'bet365',
    'bwin',
    'Coral',
  ]);
});
