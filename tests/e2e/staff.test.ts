import { callAs, expect, showFactor, signInAs, test } from '../support/visitor';

test('an admin shows the second factor, finds a member, and sees what an action changes before it is done', async ({
  page,
  request,
}) => {
  // A login that there is to end.
  await callAs(request, 'member', 'GET', '/user');
  await signInAs(page, 'admin');
  await page.goto('/admin/users?q=mia');
  await expect(page).toHaveURL(/\/admin\/second-factor\?redirect_to=/);
  await showFactor(page);
  await expect(page.getByRole('heading', { name: 'To do now' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' }).click();
  await page.getByLabel('Search', { exact: true }).last().fill('mia');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: 'mia' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'mia' })).toBeVisible();
  await page.getByText('End the logins of a member', { exact: true }).click();
  await page.getByLabel('Why').filter({ visible: true }).fill('A test of the staff’s room.');
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await expect(page.getByRole('table', { name: 'What changes' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave it' }).click();
  await page.goto('/admin/log');
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
});

test('an admin sees what Pro costs and what affiliates earn, and what a new price changes before it is set', async ({
  page,
}) => {
  await signInAs(page, 'admin');
  await showFactor(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pro and affiliates' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pro and affiliates' })).toBeVisible();
  await page.getByText('Set what affiliates earn', { exact: true }).click();
  await page.getByLabel('Fee in EUR').fill('4.50');
  await page.getByLabel('Why').filter({ visible: true }).fill('A test of the fees.');
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await expect(page.getByRole('row', { name: 'Fee in EUR – €4.50' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave it' }).click();
});

test('a super admin sees what a rate of tax changes before it is set', async ({ page }) => {
  await signInAs(page, 'superAdmin');
  await showFactor(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tax rates' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tax rates' })).toBeVisible();
  await page.getByText('Set a rate of tax', { exact: true }).click();
  await page.getByLabel('Country').selectOption('Germany');
  await page.getByLabel('Per cent').fill('19');
  await page.getByLabel('Why').filter({ visible: true }).fill('A test of the rates.');
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await expect(page.getByRole('row', { name: 'Rate now 0% 19%' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave it' }).click();
});

test('an admin sees the queues of news, and what stopping mail to an address changes before it is done', async ({
  page,
}) => {
  await signInAs(page, 'admin');
  await showFactor(page);
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Notifications' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'The queues now' }).getByRole('row')).toHaveCount(8);
  await menu.getByRole('link', { name: 'Bounces' }).click();
  await page.getByText('Stop news by mail to an address', { exact: true }).click();
  await page.getByLabel('Address', { exact: true }).fill('mia@example.org');
  await page.getByLabel('Why').filter({ visible: true }).fill('A test of the queues.');
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await expect(page.getByRole('row', { name: 'news by mail go out stopped' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave it' }).click();
});

test('a member is shown the dashboard instead, and a guest the way in', async ({ page }) => {
  await page.goto('/admin/payouts');
  await expect(page).toHaveURL(/\/login\?redirect_to=%2Fadmin%2Fpayouts/);
  await signInAs(page, 'member');
  await page.goto('/admin/payouts');
  await expect(page).toHaveURL('/dashboard');
});
