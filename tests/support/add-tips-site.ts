import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { AddTipsWorld, TippedFixture } from './add-tips-world';
import { newDataFolder, type RunningSite, runProgram, startSite } from './site';
import type { Person } from './site-people';
import { expect, signInAs, test } from './visitor';

/** A site of its own to add tips on, for all tests of a file in their order; `goAhead` puts its clock ahead of the machine's, and gives the time that it shows then. */
export type AddTipsSite = {
  origin(): string;
  desk(fixture: TippedFixture): string;
  run(...args: string[]): Promise<string>;
  goAhead(minutes: number): Promise<Date>;
};

/** Fills and starts it before the tests of the file that calls this, and ends it after them. */
export function onAddTipsSite(): AddTipsSite {
  const folder = newDataFolder();
  const dataFolder = path.join(folder, 'data');
  let own: RunningSite | undefined;
  let world: AddTipsWorld | undefined;
  const run = (...args: string[]) => runProgram(dataFolder, 'tests/support/site-add-tips.ts', args);
  const goAhead = async (minutes: number) => {
    await run('ahead', String(minutes * 60));
    return new Date(Date.now() + minutes * 60_000);
  };

  test.describe.configure({ mode: 'default' });
  test.beforeAll(async () => {
    test.setTimeout(400_000);
    const file = path.join(folder, 'world.json');
    await run('fill', file);
    world = JSON.parse(readFileSync(file, 'utf8')) as AddTipsWorld;
    own = await startSite({ TIPLEDGER_DATA: dataFolder, TIPLEDGER_OUTBOX: 'on', TIPLEDGER_PROXIES: '1' });
  });
  test.afterAll(async () => {
    await own?.end();
    rmSync(folder, { recursive: true, force: true });
  });
  return { origin: () => own?.origin ?? '', desk: (fixture) => `/add-tips/${world?.[fixture]}`, run, goAhead };
}

/** Signs somebody in and goes to an address. */
export async function enter(page: Page, origin: string, person: Person, address: string): Promise<void> {
  await signInAs(page, person, origin);
  await page.goto(origin + address);
  await page.locator('html[data-viewer="member"]').waitFor({ state: 'attached' });
}

/** The form of a tip. */
export const tipDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Add a tip' });

/** What publishes the tip. */
export const publishButton = (page: Page): Locator => tipDialog(page).getByRole('button', { name: /^Publish in / });

/** The prices to choose in a part of the page. */
export const priceButtons = (within: Locator): Locator => within.locator('button[data-selection]');

/** The market under this heading, opened. */
export async function openMarket(page: Page, name: string): Promise<Locator> {
  const market = page.locator('details', { has: page.getByRole('heading', { name, exact: true }) });
  await market.waitFor();
  if ((await market.getAttribute('open')) === null) await market.locator('summary').click();
  await expect(priceButtons(market).first()).toBeVisible();
  return market;
}
