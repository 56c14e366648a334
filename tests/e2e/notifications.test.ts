import { newMember, test } from '../support/account-site';
import { expect } from '../support/visitor';

type Mail = { to: string; subject: string; text: string };

test('one chooses what reaches one, tries a channel, and stops mails by their link without script', async ({
  page,
  context,
  accountSite,
}) => {
  const { email } = await newMember(page, accountSite.origin);
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Notifications' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Notifications');
  const tips = page.getByRole('checkbox', { name: 'A new tip, E-mail' });
  await tips.uncheck();
  await expect(page.getByText('Saved.')).toBeVisible();
  // What comes after the page has looked and before its stream stands is told as that opens.
  const sent = page.waitForResponse(/\/api\/user\/notifications\/sample$/);
  await page.route(/\/api\/stream\?/, async (route) => {
    await sent;
    await route.continue();
  });
  const looked = page.waitForResponse(/\/api\/user$/);
  await page.reload();
  await expect(tips).not.toBeChecked();
  await looked;
  await page.getByRole('button', { name: 'Send a test: In the list' }).click();
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  await page.getByRole('button', { name: 'Send a test: E-mail' }).click();
  await expect(page.getByText('A test is on its way: E-mail.')).toBeVisible();
  const mails = (await (await page.request.get(`${accountSite.origin}/api/outbox`)).json()) as Mail[];
  const link = /\S+\/unsubscribe\/[0-9a-f-]{36}/.exec(
    mails.find(({ to, subject }) => to === email && subject.startsWith('This is how'))?.text ?? '',
  );
  const plain = await context.browser()?.newContext({ javaScriptEnabled: false });
  if (!plain || !link) throw new Error('There is no browser, or no link in the mail.');
  const still = await plain.newPage();
  await still.goto(`${accountSite.origin}${new URL(link[0]).pathname}`);
  await expect(still.getByRole('heading', { level: 1 })).toHaveText('E-mails from Tipledger');
  await still.getByRole('button', { name: 'Stop all of them' }).click();
  await expect(still.getByText('You will no longer get these e-mails.')).toBeVisible();
  await still.getByRole('button', { name: 'Send them again' }).click();
  await expect(still.getByRole('button', { name: 'Stop all of them' })).toBeVisible();
  await plain.close();
});

test('the address without the link of an e-mail says where that is found, and leads to the choices', async ({
  page,
  accountSite,
}) => {
  const address = `${accountSite.origin}/unsubscribe`;
  expect((await page.goto(address))?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribe');
  await expect(page.locator('meta[name="robots"]').first()).toHaveAttribute('content', /noindex/);
  await expect(page.getByText('“Unsubscribe or get fewer e-mails”')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Your notifications' }).click();
  await expect(page).toHaveURL(/\/login\?redirect_to=%2Fdashboard%2Fnotifications$/);
});
