import { rmSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { defaultTimeZone } from '@/lib/reference/schema';
import { newDataFolder, type RunningSite, startSite } from './site';
import { expect, test as base, whenKnown } from './visitor';

type Mail = { to: string; subject: string };

/** Somebody who signs up: a name that nobody else has, and an address. */
export type Newcomer = { name: string; email: string };

/** A site of the tests of accounts: its folder of data, beside what every running site has. */
export type AccountSite = RunningSite & { dataFolder: string };

/** The password of everybody who signs up. */
export const password = 'plum river lantern';

let people = 0;

/** Playwright's test on a site of its own whose mails can be read; one for all tests of a worker. */
export const test = base.extend<{ baseURL: string }, { accountSite: AccountSite }>({
  accountSite: [
    async ({ browserName: _ }, give) => {
      const dataFolder = newDataFolder();
      const site = await startSite({ TIPLEDGER_DATA: dataFolder, TIPLEDGER_OUTBOX: 'on' });
      await give({ ...site, dataFolder });
      await site.end();
      rmSync(dataFolder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: ({ accountSite }, give) => give(accountSite.origin),
});

/** Somebody new. */
export function newPerson(): Newcomer {
  people += 1;
  const name = `visitor-${process.pid}-${people}`;
  return { name, email: `${name}@example.com` };
}

/** The code of the newest mail to an address, once there is one that is not `old`. */
export async function codeFor(origin: string, email: string, old?: string): Promise<string> {
  let code: string | undefined;
  const read = async () => {
    const mails = (await (await fetch(`${origin}/api/outbox`)).json()) as Mail[];
    code = mails.flatMap(({ to, subject }) => (to === email ? (/\b\d{6}\b/.exec(subject) ?? []) : []))[0];
    return code !== undefined && code !== old;
  };
  await expect.poll(read, { timeout: 60_000 }).toBe(true);
  return code ?? '';
}

/** Fills the form of the page /register and sends it. */
export async function fillSignUp(page: Page, { name, email }: Newcomer): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel(/^I am 18 or older/).check();
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
}

/** Signs somebody new up by the forms, their address confirmed; ends on the dashboard. */
export async function signUp(page: Page, origin: string): Promise<Newcomer> {
  const person = newPerson();
  await page.goto('/register');
  await fillSignUp(page, person);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your address');
  await page.getByLabel('Six-digit code').fill(await codeFor(origin, person.email));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Dashboard');
  return person;
}

/** Makes the browser that of somebody new, their address confirmed, by the calls that the forms make; ends on the dashboard. */
export async function newMember(page: Page, origin: string): Promise<Newcomer> {
  const person = newPerson();
  const call = async (path: string, data: object) => {
    const response = await page.request.post(`${origin}/api/account/${path}`, { data });
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
  };
  const { name: username, email } = person;
  const challenge = (await (await page.request.get(`${origin}/api/account/challenge`)).json()) as Challenge;
  const token = btoa(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) }));
  await call('register', { email, username, password, timezoneId: defaultTimeZone.id, terms: true, token });
  await call('verify-code', { emailAddress: email, code: await codeFor(origin, email) });
  await page.goto(`${origin}/dashboard`);
  await whenKnown(page, 'member');
  return person;
}

/** Creates a portfolio through the form; ends on the page where it is managed. */
export async function createPortfolio(page: Page, name: string, kind = 'Public: everyone can see it'): Promise<void> {
  await page.goto('/tipster/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Kind').selectOption(kind);
  await page.getByRole('button', { name: 'Create the portfolio' }).click();
  await expect(page).toHaveURL(/\/manage$/);
  if (kind.startsWith('Premium')) await setMonthlyPlan(page);
}

/** Puts a monthly plan on sale on the page where a portfolio is managed, without which nothing in it is locked. */
export async function setMonthlyPlan(page: Page, price = '20'): Promise<void> {
  await page.getByLabel('Monthly price').fill(price);
  await page.getByLabel('Monthly on sale').check();
  await page.getByRole('button', { name: 'Save plans' }).click();
  await expect(page.getByText('Your plans were saved.')).toBeVisible();
}

/** Fills the form of the page /login and sends it. */
export async function logIn(page: Page, name: string, secret: string = password): Promise<void> {
  await page.getByLabel('Username or e-mail address').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
}
