import type { Page } from '@playwright/test';
import { createPortfolio, setMonthlyPlan } from './account-site';
import { openMarket, priceButtons, publishButton, tipDialog } from './add-tips-site';
import { expect, whenKnown } from './visitor';

/** Makes a portfolio that sells months at this price through its forms; ends on the page where it is managed, and gives the portfolio's address. */
export async function openShop(page: Page, { name, price }: { name: string; price: string }): Promise<string> {
  await createPortfolio(page, name);
  await page
    .getByLabel('Kind')
    .selectOption({ label: 'Premium: you choose which tips and posts are for members only' });
  await page.getByRole('button', { name: 'Save the portfolio' }).click();
  await expect(page.getByText('The portfolio was saved.')).toBeVisible();
  await setMonthlyPlan(page, price);
  return new URL(page.url()).pathname.replace('/manage', '');
}

/** Publishes a tip for members only whose analysis says the secret. */
export async function publishLocked(page: Page, { desk, secret }: { desk: string; secret: string }): Promise<void> {
  await page.goto(desk);
  await whenKnown(page, 'member');
  await priceButtons(await openMarket(page, 'Match result'))
    .filter({ hasText: 'Orchard Vale' })
    .first()
    .click();
  await tipDialog(page).getByLabel('Stake in units').fill('1');
  await tipDialog(page)
    .getByLabel(/Analysis/)
    .fill(secret);
  await tipDialog(page).getByLabel('For members only until the start').check();
  await publishButton(page).click();
  await expect(tipDialog(page).getByText('Published in')).toBeVisible();
}
