import type { BrowserContext } from '@playwright/test';
import { codeFor, fillSignUp, logIn, newMember, newPerson, signUp, test } from '../support/account-site';
import { barriersOn } from '../support/barriers';
import { payloads } from '../support/redirect-payloads';
import { expect, whenKnown } from '../support/visitor';

const withoutScript = (context: BrowserContext) =>
  context.browser()?.newContext({ javaScriptEnabled: false }) ?? Promise.reject(new Error('The browser has gone.'));

test('one signs up, confirms the address, changes settings, logs out and in again', async ({ page, accountSite }) => {
  const { name } = await signUp(page, accountSite.origin);
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await page.getByLabel('Odds format').selectOption('US');
  await expect(page.getByText('Odds format updated')).toBeVisible();
  await expect(page.getByText('Your odds display format has been set to US')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Odds format')).toHaveValue('US');
  await page.getByRole('button', { name: `Your account, ${name}` }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/dashboard/settings');
  await expect(page).toHaveURL('/login?redirect_to=%2Fdashboard%2Fsettings');
  await logIn(page, name);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
});

test('one signs up and logs in without script, and what was typed is kept when it is refused', async ({
  context,
  accountSite,
}) => {
  const plain = await withoutScript(context);
  const page = await plain.newPage();
  const person = newPerson();
  await page.goto(`${accountSite.origin}/register`);
  await fillSignUp(page, person);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your address');
  await page.getByLabel('Six-digit code').fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('alert')).toContainText('The code is wrong or has expired');
  await page.getByLabel('Six-digit code').fill(await codeFor(accountSite.origin, person.email));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Dashboard');
  await plain.clearCookies();
  await page.goto(`${accountSite.origin}/dashboard/watchlist`);
  await page.getByLabel('Username or e-mail address').fill(person.name);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Username or e-mail address')).toHaveValue(person.name);
  await logIn(page, person.name);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Watchlist');
  await plain.close();
});

test('who signed in without script, or whose stored tokens are gone, is a member on every page', async ({
  context,
  page,
  accountSite,
}) => {
  const plain = await withoutScript(context);
  const first = await plain.newPage();
  const { name } = await signUp(first, accountSite.origin);
  await context.addCookies(await plain.cookies());
  await plain.close();
  const account = page.getByRole('button', { name: `Your account, ${name}` });
  await page.goto(accountSite.origin);
  await expect(account).toBeVisible();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
    indexedDB.deleteDatabase('tipledger');
  });
  await page.goto(`${accountSite.origin}/football`);
  await expect(account).toBeVisible();
  await account.click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.waitForURL(`${accountSite.origin}/`);
  await expect(account).toBeHidden();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
});

test('a login that is told to go on elsewhere stays on this site', async ({ page, accountSite }) => {
  const { name } = await newMember(page, accountSite.origin);
  for (const target of [
    '//evil.example/',
    'https://evil.example/',
    '/\\evil.example',
    '/%2F/evil.example',
    'javascript:alert(1)',
  ]) {
    await page.context().clearCookies();
    await page.evaluate(() => indexedDB.deleteDatabase('tipledger'));
    await page.goto(`/login?redirect_to=${encodeURIComponent(target)}`);
    await logIn(page, name);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Dashboard');
    expect(new URL(page.url()).origin).toBe(accountSite.origin);
  }
});

test('the pages with a redirect parameter hand on none that leads elsewhere', async ({ request }) => {
  const sample = [...payloads].filter((_, place) => place % 80 === 0);
  for (const address of ['/login?redirect_to=', '/register?redirect_to=', '/register/verify?redirect_after_verify=']) {
    const handsOn = async (payload: string) => {
      const html = await (
        await request.get(`${address}${encodeURIComponent(payload.replace(/\p{Cs}/gu, '\ufffd'))}`)
      ).text();
      return /name="redirect_(?:to|after_verify)"|href="[^"]*(?:evil|redirect_to=)/.test(
        html.replace(/<script[\s\S]*?<\/script>/g, ''),
      );
    };
    expect(await handsOn('/tipster/ann?period=2'), address).toBe(true);
    const found: string[] = [];
    for (const payload of sample) if (await handsOn(payload)) found.push(payload);
    expect(found, address).toEqual([]);
  }
});

test('five tabs whose access token is refused at once stay signed in', async ({ page, context, accountSite }) => {
  const { name } = await newMember(page, accountSite.origin);
  const renewals: number[] = [];
  await context.route('**/api/auth/refresh-token', async (route) => {
    const response = await route.fetch();
    renewals.push(response.status());
    await route.fulfill({ response });
  });
  const tabs = await Promise.all(Array.from({ length: 5 }, () => context.newPage()));
  for (const tab of tabs)
    await tab.route('**/api/user', (route) => route.fulfill({ status: 401, json: { message: 'Forbidden' } }), {
      times: 1,
    });
  await Promise.all(tabs.map((tab) => tab.goto(`${accountSite.origin}/dashboard`)));
  for (const tab of tabs) await expect(tab.getByRole('button', { name: `Your account, ${name}` })).toBeVisible();
  await expect.poll(() => renewals.length).toBeGreaterThan(0);
  for (const tab of [...tabs, page]) {
    await tab.reload({ waitUntil: 'networkidle' });
    await expect(tab.getByRole('button', { name: `Your account, ${name}` })).toBeVisible();
  }
  expect(renewals.filter((status) => status !== 200)).toEqual([]);
});

test('a logout in one tab is a logout in the others', async ({ page, context, accountSite }) => {
  const { name } = await newMember(page, accountSite.origin);
  const other = await context.newPage();
  await other.goto(`${accountSite.origin}/dashboard/settings`);
  await expect(other.getByRole('button', { name: `Your account, ${name}` })).toBeVisible();
  await page.getByRole('button', { name: `Your account, ${name}` }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveURL('/');
  await expect(other).toHaveURL(/\/login\?redirect_to=%2Fdashboard%2Fsettings$/);
});

test('a logout that cannot reach the server closes the private pages at once, and reaches it later', async ({
  context,
  accountSite,
}) => {
  // Not the page that reports every failed request: here they are meant to fail.
  const page = await context.newPage();
  const { name } = await newMember(page, accountSite.origin);
  await context.route('**/api/auth/logout', (route) => route.abort());
  await page.getByRole('button', { name: `Your account, ${name}` }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.waitForURL(`${accountSite.origin}/`);
  const hasSession = async () => (await context.cookies()).some((cookie) => cookie.name === 'tipledger_session');
  expect(await hasSession()).toBe(true);
  await page.goto('/dashboard/settings');
  await expect(page).toHaveURL('/login?redirect_to=%2Fdashboard%2Fsettings');
  await context.unroute('**/api/auth/logout');
  const told = page.waitForResponse('**/api/auth/logout');
  await page.goto('/football');
  await page.keyboard.press('Tab');
  expect((await told).status()).toBe(200);
  // Also for whoever says that this is still a member's browser.
  await context.addCookies([{ name: 'tipledger_member', value: '1', url: accountSite.origin }]);
  await page.goto('/dashboard/settings');
  await expect(page).toHaveURL('/login?redirect_to=%2Fdashboard%2Fsettings');
});

test('somebody else who signs in in one tab is shown in the others, with nothing of whoever was there before', async ({
  page,
  context,
  accountSite,
}) => {
  const leaveAll = async () => {
    await context.clearCookies();
    await page.evaluate(() => indexedDB.deleteDatabase('tipledger'));
  };
  const second = await newMember(page, accountSite.origin);
  await leaveAll();
  const first = await newMember(page, accountSite.origin);
  await leaveAll();
  await page.goto('/login');
  await whenKnown(page, 'guest');
  const other = await context.newPage();
  await other.goto('/login?redirect_to=%2Fdashboard%2Fsettings');
  await logIn(other, first.name);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await expect(other.getByRole('button', { name: `Your account, ${first.name}` })).toBeVisible();
  const madeAnew = other.waitForEvent('load');
  await logIn(page, second.name);
  await madeAnew;
  await expect(other.getByRole('button', { name: `Your account, ${second.name}` })).toBeVisible();
  await expect(other.getByText(first.email)).toBeHidden();
});

test('a forgotten password is changed with the code of a mail', async ({ page, accountSite }) => {
  const { email, name } = await newMember(page, accountSite.origin);
  const before = await codeFor(accountSite.origin, email);
  await page.goto('/forgotten-password');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByRole('status').filter({ hasText: email })).toBeVisible();
  await page.getByLabel('Six-digit code').fill(await codeFor(accountSite.origin, email, before));
  await page.getByLabel('New password').fill('seven quiet herons');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await expect(page.getByText('Your password has been changed')).toBeVisible();
  await page.goto('/login');
  await page.getByLabel('Username or e-mail address').fill(name);
  await page.getByLabel('Password', { exact: true }).fill('seven quiet herons');
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Dashboard');
});

test('an account is deleted in two steps, and its login ends', async ({ page, context, accountSite }) => {
  const { name } = await newMember(page, accountSite.origin);
  await page.goto('/dashboard/settings');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await page.getByLabel('Delete my account and everything that is mine alone.').check();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page).toHaveURL('/');
  // Not the page of the fixture, which takes the refusal of its own call for a fault.
  const other = await context.newPage();
  await other.goto(`${accountSite.origin}/login`);
  await logIn(other, name);
  await expect(other.getByText('Wrong username or password.').first()).toBeVisible();
});

test('the pages of an account have no finding of axe', async ({ page, accountSite }) => {
  for (const path of ['/login', '/register', '/forgotten-password']) {
    await page.goto(path);
    expect(await barriersOn(page), path).toEqual([]);
  }
  await newMember(page, accountSite.origin);
  for (const path of ['', '/watchlist', '/services', '/memberships', '/notifications', '/settings']) {
    await page.goto(`/dashboard${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await whenKnown(page, 'member');
    expect(await barriersOn(page), path).toEqual([]);
  }
});
