import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { type AccessPeople, accessPassword, nameOfKind, type Visitor } from './access-kinds';
import { runProgram } from './site';
import type { VisitedSite } from './site-setup';
import { test as base, whenKnown } from './visitor';

/** Playwright's test on the site that is visited, with somebody of each kind who is met by no other test; one set for all tests of a worker. */
export const test = base.extend<object, { people: AccessPeople }>({
  people: [
    async ({ browserName: _ }, give) => {
      const { dataFolder } = JSON.parse(process.env.TIPLEDGER_VISITED_SITE ?? '{}') as VisitedSite;
      const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-access-'));
      const file = path.join(folder, 'people.json');
      await runProgram(dataFolder, 'tests/support/access-people.ts', [file, String(process.pid)]);
      await give(JSON.parse(readFileSync(file, 'utf8')) as AccessPeople);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** The name of somebody of this kind. */
export const nameOf = (visitor: Visitor, { mark }: AccessPeople): string => nameOfKind(visitor, mark);

/** Fills the form of the page that is open and waits until the browser knows the member. */
export async function enterAs(page: Page, visitor: Visitor, people: AccessPeople): Promise<void> {
  await page.getByLabel('Username or e-mail address').fill(nameOf(visitor, people));
  await page.getByLabel('Password', { exact: true }).fill(accessPassword);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await whenKnown(page, 'member');
}
