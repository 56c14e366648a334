import type { Page } from '@playwright/test';
import { barriersOn } from '../support/barriers';
import { people, sitePassword } from '../support/site-people';
import { portfolios } from '../support/site-tips';
import { expect, signInAs, test, whenKnown } from '../support/visitor';

const priceLink = (page: Page) =>
  page
    .getByRole('table')
    .first()
    .getByRole('link', { name: /price history/ })
    .first();
const mark = (page: Page) => page.locator('html[data-modal-open]');

test('a guest follows a selection to its price history on the page', async ({ page, site }) => {
  await page.goto(`/fixture/${site.references.soon}`);
  await whenKnown(page, 'guest');
  await priceLink(page).click();
  await expect(page).toHaveURL(/#history-\d+$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator(new URL(page.url()).hash).getByRole('table', { name: /^Price history/ })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a member opens the price history by key, stays in it and comes back, when it is ${colorScheme}`, async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(colorScheme === 'light' ? { width: 1440, height: 900 } : { width: 390, height: 844 });
    await signInAs(page, 'member');
    await page.goto(`/fixture/${site.references.soon}`);
    await whenKnown(page, 'member');
    const link = priceLink(page);
    await link.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Price history' });
    await expect(dialog.getByRole('table')).toBeVisible();
    await expect(dialog.getByRole('heading', { name: 'Price history' })).toBeFocused();
    await expect(mark(page)).toHaveCount(1);
    expect(await barriersOn(page, 'dialog')).toEqual([]);
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(mark(page)).toHaveCount(0);
    await expect(link).toBeFocused();
  });
}

test('a tipster shares a tip; nobody else is offered to', async ({ page, site }) => {
  const address = `/tipster/${portfolios.public.reference}/tips/${site.tips.open}`;
  await page.goto(address);
  await whenKnown(page, 'guest');
  const share = page.getByRole('button', { name: 'Share' });
  await expect(share).toBeHidden();
  await signInAs(page, 'owner');
  await page.goto(address);
  await share.click();
  const dialog = page.getByRole('dialog', { name: 'Share this tip' });
  await expect(dialog.getByLabel('Link to the tip')).toHaveValue(new URL(address, page.url()).href);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy the link' }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Link copied.' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(new URL(address, page.url()).href);
  await page.mouse.click(5, 5);
  await expect(dialog).toHaveCount(0);
});

test('a member reads what happened, new ones marked once', async ({ page }) => {
  await signInAs(page, 'otherOwner');
  const { token } = (await (
    await page.request.post('/api/auth/token', {
      data: { username: people.otherOwner.username, password: sitePassword },
    })
  ).json()) as { token: string };
  expect(
    (
      await page.request.post('/api/user/notifications/sample', {
        headers: { authorization: `Bearer ${token}` },
        data: { channel: 'app' },
      })
    ).status(),
  ).toBe(200);
  const open = async () => {
    await page.goto('/football');
    await whenKnown(page, 'member');
    await page.evaluate(() =>
      document
        .querySelector('main')
        ?.insertAdjacentHTML('afterbegin', '<button data-modal="notifications">Hear</button>'),
    );
    await page.getByRole('button', { name: 'Hear' }).click();
  };
  await open();
  const dialog = page.getByRole('dialog', { name: 'Notifications' });
  await expect(dialog.getByRole('link', { name: 'This is how Tipledger notifications look here' })).toBeVisible();
  await expect(dialog.getByText('New', { exact: true }).first()).toBeVisible();
  await open();
  await expect(dialog.getByRole('listitem').first()).toBeVisible();
  await expect(dialog.getByText('New', { exact: true })).toHaveCount(0);
});

test('who is signed in stays so where the browser keeps no database', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
  await signInAs(page, 'superAdmin');
  await page.goto('/football');
  await whenKnown(page, 'member');
  expect(await page.evaluate(() => Object.keys(localStorage).some((key) => key === 'tipledger:auth'))).toBe(true);
});

test('what a visitor presses is counted, and the site takes it', async ({ page, site }) => {
  // What a beacon carries cannot be read from outside.
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, body) => {
      if (body instanceof Blob) void body.text().then((text) => (document.documentElement.dataset.sent = text));
      return send(url, body);
    };
  });
  await page.goto(`/fixture/${site.references.soon}`);
  await whenKnown(page, 'guest');
  const taken = page.waitForResponse((response) => response.url().endsWith('/api/events'));
  // The page that is left takes what it sent with it.
  await page.evaluate(() => document.addEventListener('click', (event) => event.preventDefault()));
  await priceLink(page).click();
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect((await taken).status()).toBe(200);
  const sent = JSON.parse((await page.locator('html').getAttribute('data-sent')) ?? '{}') as unknown;
  expect(sent).toEqual({
    events: expect.arrayContaining([expect.objectContaining({ name: 'click', label: 'price-history', user_id: null })]),
  });
});
