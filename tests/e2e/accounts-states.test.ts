import type { APIRequestContext, Page } from '@playwright/test';
import { Role } from '@/lib/reference/schema';
import {
  type AccountSite,
  codeFor,
  fillSignUp,
  logIn,
  newMember,
  newPerson,
  password,
  signUp,
  test,
} from '../support/account-site';
import { runProgram } from '../support/site';
import { expect, whenKnown } from '../support/visitor';

const hourMilliseconds = 3_600_000;

// What ends here is refused with 401 or 409 by the site on purpose, which a browser notes in its console.
const isRefusal = (text: string) => /the server responded with a status of (400|401|403|409)/.test(text);

const quiet = test.extend({
  page: async ({ context }, give) => {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on(
      'console',
      (message) => message.type() === 'error' && !isRefusal(message.text()) && faults.push(message.text()),
    );
    await give(page);
    expect(faults).toEqual([]);
  },
});

const setRole = ({ dataFolder }: AccountSite, name: string, role: Role) =>
  runProgram(dataFolder, 'tests/support/set-role.ts', [name, String(role)]);

/** Another device of the same member. */
async function bearerOf(
  request: APIRequestContext,
  username: string,
  secret = password,
): Promise<Record<string, string>> {
  const { token } = (await (
    await request.post('/api/auth/token', { data: { username, password: secret } })
  ).json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

/** Types a max stake on the page of settings and sends it; whatever the page then does, it was typed. */
async function setMaxStake(page: Page, amount: string): Promise<void> {
  await page.getByLabel(/^Default max stake/).fill(amount);
  await page.getByRole('button', { name: 'Set' }).first().click();
}

quiet(
  'an unverified member is sent to confirm the address from every page, and left alone on the contact page until going on',
  async ({ page, accountSite }) => {
    const person = newPerson();
    await page.goto('/register');
    await fillSignUp(page, person);
    await expect(page).toHaveURL('/register/verify?redirect_after_verify=%2Fdashboard');
    await page.goto('/tipster?sportId=16');
    await expect(page).toHaveURL('/register/verify?redirect_after_verify=%2Ftipster%3FsportId%3D16');
    await page.goto('/login');
    await expect(page).toHaveURL('/register/verify?redirect_after_verify=%2Fdashboard');
    await page.goto('/contact-us');
    await whenKnown(page, 'member');
    await page.waitForTimeout(2_000);
    await expect(page).toHaveURL('/contact-us');
    await page.getByRole('contentinfo').getByRole('link').first().click();
    await expect(page).toHaveURL('/register/verify?redirect_after_verify=%2Fdashboard');
    // A private page is led away from by the server, which knows by the Referer alone where one comes from.
    await page.goto('/dashboard/settings');
    await expect(page).toHaveURL('/register/verify?redirect_after_verify=%2Fdashboard%2Fsettings');
    await page.goto('/dashboard/settings', { referer: `${accountSite.origin}/contact-us` });
    await expect(page).toHaveURL('/register/verify?redirect_after_verify=%2Fdashboard');
    await page.getByLabel('Six-digit code').fill(await codeFor(accountSite.origin, person.email));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Dashboard');
    await page.goto('/tipster');
    await whenKnown(page, 'member');
    await expect(page).toHaveURL('/tipster');
  },
);

quiet(
  'somebody whose account is deleted on another device is signed out at their next step',
  async ({ page, request, accountSite }) => {
    const { name } = await newMember(page, accountSite.origin);
    await page.goto('/dashboard/settings');
    await whenKnown(page, 'member');
    const headers = await bearerOf(request, name);
    expect((await request.delete('/api/account/delete', { headers })).status()).toBe(200);
    await setMaxStake(page, '37');
    await expect(page).toHaveURL('/login?redirect_to=%2Fdashboard%2Fsettings');
    await whenKnown(page, 'guest');
    await logIn(page, name);
    await expect(page.getByText('Wrong username or password.').first()).toBeVisible();
    await expect(page.getByLabel('Username or e-mail address')).toHaveValue(name);
  },
);

quiet(
  'an admin whose role is lowered is no admin at the next page, and is shown as none once the token is renewed',
  async ({ page, accountSite }) => {
    const { name } = await newMember(page, accountSite.origin);
    await setRole(accountSite, name, Role.admin);
    // A member is led away from the login at once.
    await page.goto('/about-us');
    await page.context().clearCookies();
    await page.evaluate(() => indexedDB.deleteDatabase('tipledger'));
    await page.goto('/login?redirect_to=%2Fadmin');
    await logIn(page, name);
    await expect(page).toHaveURL('/admin/second-factor?redirect_to=%2Fadmin');
    await whenKnown(page, 'member');
    await page.getByRole('button', { name: `Your account, ${name}` }).click();
    await expect(page.getByRole('link', { name: 'Admin', exact: true })).toBeVisible();
    await setRole(accountSite, name, Role.user);
    // The call is refused as it is when the token's ten minutes are over.
    await page.route(
      '**/api/user',
      (route) => route.fulfill({ status: 401, json: { status: 401, message: 'Forbidden' } }),
      { times: 1 },
    );
    await page.goto('/admin');
    await expect(page).toHaveURL('/dashboard');
    await whenKnown(page, 'member');
    await page.getByRole('button', { name: `Your account, ${name}` }).click();
    await expect(page.getByRole('link', { name: 'Account Dashboard' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Admin', exact: true })).toHaveCount(0);
  },
);

quiet(
  'somebody whose password is changed elsewhere signs in anew, and finds what they had typed',
  async ({ page, request, accountSite }) => {
    const { name, email } = await newMember(page, accountSite.origin);
    await page.goto('/dashboard/settings');
    await whenKnown(page, 'member');
    const before = await codeFor(accountSite.origin, email);
    const other = await page.context().browser()?.newContext({ baseURL: accountSite.origin });
    const elsewhere = await other?.newPage();
    if (!other || !elsewhere) throw new Error('The browser has gone.');
    await elsewhere.goto('/forgotten-password');
    await elsewhere.getByLabel('E-mail address').fill(email);
    await elsewhere.getByRole('button', { name: 'Send me a code' }).click();
    await elsewhere.getByLabel('Six-digit code').fill(await codeFor(accountSite.origin, email, before));
    await elsewhere.getByLabel('New password').fill('seven quiet herons');
    await elsewhere.getByRole('button', { name: 'Change the password' }).click();
    await expect(elsewhere.getByText('Your password has been changed')).toBeVisible();
    await other.close();
    await setMaxStake(page, '37.5');
    await expect(page).toHaveURL('/login?redirect_to=%2Fdashboard%2Fsettings');
    await logIn(page, name, 'seven quiet herons');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
    await expect(page.getByLabel(/^Default max stake/)).toHaveValue('37.5');
    await page.getByRole('button', { name: 'Set' }).first().click();
    await expect(page.getByText('Your default max stake has been set to')).toBeVisible();
    const settings = (await (
      await request.get('/api/user', { headers: await bearerOf(request, name, 'seven quiet herons') })
    ).json()) as { settings: { maxStake: number } };
    expect(settings.settings.maxStake).toBe(37.5);
  },
);

for (const [words, offset] of [
  ['fast', hourMilliseconds],
  ['slow', -hourMilliseconds],
] as const) {
  quiet(
    `a clock that is an hour ${words} changes nothing: one signs up, changes a setting and stays signed in`,
    async ({ page, accountSite }) => {
      await page.addInitScript((milliseconds) => {
        globalThis.Date = new Proxy(Date, {
          construct: (real, given: unknown[]) =>
            Reflect.construct(real, given.length === 0 ? [real.now() + milliseconds] : given) as Date,
          get: (real, name) =>
            name === 'now' ? () => real.now() + milliseconds : (Reflect.get(real, name) as unknown),
        });
      }, offset);
      const { name } = await signUp(page, accountSite.origin);
      const skew = await page.evaluate(() => Date.now());
      expect(Math.abs(skew - Date.now() - offset)).toBeLessThan(60_000);
      await page.goto('/dashboard/settings');
      await whenKnown(page, 'member');
      await page.getByLabel('Odds format', { exact: true }).selectOption('US');
      await expect(page.getByText('Odds format updated')).toBeVisible();
      await page.reload();
      await expect(page.getByLabel('Odds format', { exact: true })).toHaveValue('US');
      await expect(page.getByRole('button', { name: `Your account, ${name}` })).toBeVisible();
    },
  );
}
