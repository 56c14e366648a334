import { createPortfolio, newMember } from '../support/account-site';
import { onAddTipsSite } from '../support/add-tips-site';
import { expect, test, watchFaults } from '../support/visitor';

const site = onAddTipsSite();

test('a tipster makes a coupon; a bettor enters it before the button, pays the lower price, and finds it on the receipt', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const newPage = async () => (await browser.newContext({ baseURL: site.origin(), reducedMotion: 'reduce' })).newPage();
  const [tipster, bettor] = [await newPage(), await newPage()];
  const faults = [...watchFaults(tipster), ...watchFaults(bettor)];
  const { name } = await newMember(tipster, site.origin());
  await createPortfolio(tipster, `Coupons of ${name}`);
  await tipster
    .getByLabel('Kind')
    .selectOption({ label: 'Premium: you choose which tips and posts are for members only' });
  await tipster.getByRole('button', { name: 'Save the portfolio' }).click();
  await expect(tipster.getByText('The portfolio was saved.')).toBeVisible();
  await tipster.getByLabel('Monthly price').fill('20');
  await tipster.getByLabel('Monthly on sale').check();
  await tipster.getByRole('button', { name: 'Save plans' }).click();
  await expect(tipster.getByText('Your plans were saved.')).toBeVisible();
  await tipster.getByLabel('Code', { exact: true }).fill('spring');
  await tipster.getByLabel('Discount', { exact: true }).fill('25');
  await tipster.getByRole('button', { name: 'Make coupon' }).click();
  await expect(tipster.getByText('The coupon SPRING was made.')).toBeVisible();
  const reference = new URL(tipster.url()).pathname.split('/')[2] ?? '';

  await newMember(bettor, site.origin());
  await bettor.goto(`/dashboard/checkout/${reference}`);
  await bettor.getByLabel('Coupon').fill('summer');
  await bettor.getByRole('button', { name: 'Apply' }).click();
  await expect(bettor.getByText('There is no such coupon here.')).toBeVisible();
  await bettor.getByLabel('Coupon').fill('spring');
  await bettor.getByRole('button', { name: 'Apply' }).click();
  await bettor.getByRole('button', { name: 'Join and pay £15.00' }).click();
  await bettor.getByRole('button', { name: 'Pay £15.00' }).click();
  await expect(bettor.getByText(`You are a member of Coupons of ${name}.`)).toBeVisible();
  await bettor.goto('/dashboard/memberships');
  await bettor
    .getByRole('link', { name: /^No\. / })
    .first()
    .click();
  await expect(bettor.getByText('Discount by coupon SPRING')).toBeVisible();
  expect(faults).toEqual([]);
});
