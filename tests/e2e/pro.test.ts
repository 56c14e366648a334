import { newMember, test } from '../support/account-site';
import { expect } from '../support/visitor';

test('the pages of Pro and of affiliates lead a member to what is theirs', async ({ page, accountSite }) => {
  await page.goto(`${accountSite.origin}/pro`);
  await expect(page.getByRole('heading', { name: 'Portfolios that take part' })).toBeVisible();
  await newMember(page, accountSite.origin);
  await page.goto('/affiliates');
  await page.getByRole('link', { name: 'Your link and your commissions' }).click();
  await page.getByRole('button', { name: 'Become an affiliate' }).click();
  await expect(page.getByText(/\?ref-a=/).first()).toBeVisible();
  await page.goto('/dashboard/checkout');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Join Tipledger Pro');
});
