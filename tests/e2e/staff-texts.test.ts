import { expect, signInAs, test } from '../support/visitor';

test('the foot of a page says where help is, as staff keep it', async ({ page }) => {
  await page.goto('/betting-guides');
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'National Gambling Helpline' })).toHaveAttribute(
    'href',
    'https://www.gamcare.org.uk/',
  );
});

test('pages of feeds, names, texts and bookmakers ask staff for their second factor first, and nobody else sees them', async ({
  page,
}) => {
  await page.goto('/admin/content');
  await expect(page).toHaveURL(/\/login\?redirect_to=%2Fadmin%2Fcontent/);
  await signInAs(page, 'admin');
  for (const path of ['feeds', 'names', 'due-results', 'content', 'bookmakers', 'help-lines']) {
    await page.goto(`/admin/${path}`);
    await expect(page).toHaveURL(new RegExp(`/admin/second-factor\\?redirect_to=%2Fadmin%2F${path}$`));
  }
});
