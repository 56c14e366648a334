import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { renamed } from '../support/season-matches';
import { newDataFolder, type RunningSite, runProgram, startSite } from '../support/site';
import type { SeasonSite } from '../support/site-season';
import { expect, showFactor, signInAs, test as base } from '../support/visitor';

type Season = SeasonSite & Pick<RunningSite, 'origin'> & { dataFolder: string };

// A site of its own, whose season no other test touches.
const test = base.extend<{ baseURL: string }, { season: Season }>({
  season: [
    async ({ browserName: _ }, give) => {
      const folder = newDataFolder();
      const dataFolder = path.join(folder, 'data');
      const file = path.join(folder, 'season.json');
      try {
        await runProgram(dataFolder, 'tests/support/site-season.ts', [file]);
        const site = await startSite({ TIPLEDGER_DATA: dataFolder, TIPLEDGER_PROXIES: '1' });
        await give({ ...(JSON.parse(readFileSync(file, 'utf8')) as SeasonSite), origin: site.origin, dataFolder });
        expect(await site.end()).toBe(0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: ({ season }, give) => give(season.origin),
});

type Entry = { kind: string; tip?: string; content: { outcome?: string; actor?: string } };

/** Fills in an action of staff and has it say what it changes. */
async function tried(page: Page, title: string, reason: string, fields: Record<string, string> = {}): Promise<Locator> {
  const form = page.locator('details').filter({ has: page.getByText(title, { exact: true }) });
  await form.getByText(title, { exact: true }).click();
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value);
  await form.getByLabel('Why').fill(reason);
  await form.getByRole('button', { name: 'Show what changes' }).click();
  return form;
}

/** Confirms what was tried, and waits until the page is read anew. */
async function confirmed(page: Page, form: Locator, title: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await form.getByRole('button', { name: `Confirm: ${title}` }).click();
  await loaded;
}

async function openFixture(page: Page, reference: string): Promise<void> {
  await page.goto(`/admin/fixtures?q=${reference}`);
  await page.getByRole('link', { name: / v / }).first().click();
  await page.getByRole('button', { name: 'Edit the fixture' }).click();
}

/** A row of the versions of a result: its number, the result, who gave it, when and why. */
const version = (page: Page, says: RegExp) =>
  page.getByRole('table', { name: 'Versions of the result' }).getByRole('row', { name: says });

/** Waits until the page of a tip says this of its outcome. */
async function settled(page: Page, tip: string, outcome: string): Promise<void> {
  await expect(async () => {
    await page.goto(`/admin/tips/${tip}`);
    await expect(page.locator('dt', { hasText: 'Outcome' }).locator('+ dd')).toHaveText(outcome, { timeout: 500 });
  }).toPass({ timeout: 40_000 });
}

test('a season with a renamed club, two postponed, an abandoned and a wrongly scored match is put right from /admin alone', async ({
  page,
  season,
}) => {
  test.setTimeout(90_000);
  await signInAs(page, 'admin');
  await showFactor(page);
  await settled(page, season.tips.wronglyScored, 'lost');

  await page.goto('/admin/names');
  await page.getByRole('link', { name: renamed.to }).click();
  const name = page.locator('details');
  await name.getByText('Say who is meant by a name', { exact: true }).click();
  await name.getByLabel('Means').selectOption({ label: 'Ashcombe (ashcombe)' });
  await name.getByLabel('Why').fill('The club took a longer name.');
  await name.getByRole('button', { name: 'Show what changes' }).click();
  await confirmed(page, name, 'Say who is meant by a name');
  await expect(page.locator('dt', { hasText: 'Rows that wait for it' }).locator('+ dd')).toHaveText('0');

  const start = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  for (const fault of ['postponed', 'postponedToo'] as const) {
    await openFixture(page, season.fixtures[fault]);
    const moved = await tried(page, 'Move the start of a fixture', 'The pitch was frozen.', {
      Start: `${start}T15:00`,
    });
    if (fault === 'postponed') await expect(moved.getByRole('table', { name: 'Tips' })).toContainText('void');
    await confirmed(page, moved, 'Move the start of a fixture');
    await expect(page.getByRole('row', { name: /Move the start of a fixture.*The pitch was frozen/ })).toBeVisible();
  }

  await openFixture(page, season.fixtures.abandoned);
  const abandoned = await tried(page, 'Say that a fixture was abandoned', 'Floodlights failed.', {
    Home: '1',
    Away: '0',
  });
  await expect(abandoned.getByRole('table', { name: 'Tips' })).toContainText('void');
  await confirmed(page, abandoned, 'Say that a fixture was abandoned');
  await expect(version(page, /^1 abandoned at 1–0 sara .* Floodlights failed\.$/)).toBeVisible();

  await openFixture(page, season.fixtures.wronglyScored);
  const scored = await tried(page, 'Enter the result of a fixture', 'The feed had the score the wrong way round.', {
    Home: '3',
    Away: '1',
  });
  await expect(scored.getByRole('table', { name: 'Tips' }).getByRole('row').last()).toContainText(
    /Ann Football.*lost, −1.*won, \+1\.1/s,
  );
  await expect(scored.getByRole('table', { name: 'Record of Ann Football, all time' })).toContainText('Profit (units)');
  await expect(scored.getByRole('table', { name: 'Who is told' })).toContainText('A settlement was corrected');
  await confirmed(page, scored, 'Enter the result of a fixture');
  await expect(version(page, /^2 3–1 sara .* The feed had the score the wrong way round\.$/)).toBeVisible();
  await expect(version(page, /^1 1–3 football-data .* –$/)).toBeVisible();

  await settled(page, season.tips.postponed, 'void');
  await settled(page, season.tips.wronglyScored, 'won');
  await settled(page, season.tips.abandoned, 'void');
  await page.goto('/admin/log');
  for (const reason of ['took a longer name', 'pitch was frozen', 'Floodlights failed', 'the wrong way round'])
    await expect(page.getByRole('row', { name: new RegExp(`sara.*${reason}`) }).first()).toBeVisible();

  const { items } = (await (await page.request.get('/api/ledger/entries')).json()) as { items: Entry[] };
  expect(
    items
      .filter(({ tip }) => tip === season.tips.wronglyScored)
      .map(({ kind, content }) => [kind, content.outcome, content.actor]),
  ).toEqual([
    ['tip-published', undefined, undefined],
    ['tip-settled', 'lost', undefined],
    ['tip-corrected', 'won', 'system'],
  ]);
  // A signature over the newest entries is a minute away at most.
  await expect(async () => {
    expect(await runProgram(season.dataFolder, 'scripts/ledger-verify.ts', [season.origin])).toMatch(/\S/);
  }).toPass({ timeout: 40_000 });
});
