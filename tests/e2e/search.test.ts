import { barriersOn } from '../support/barriers';
import { analyses, portfolios } from '../support/site-tips';
import { matches } from '../support/site-matches';
import { expect, test, whenAlive } from '../support/visitor';

const { soon } = matches;
const versus = `${soon.home} v ${soon.away}`;

// The index is made by the clock after the site has started.
test.beforeEach(async ({ request }) => {
  const total = async () =>
    (
      (await (await request.get(`/api/search?q=${encodeURIComponent(portfolios.public.name)}`)).json()) as {
        total: number;
      }
    ).total;
  await expect.poll(total, { timeout: 90_000 }).toBeGreaterThan(0);
});

test('what is typed is suggested, by keyboard alone, from any page', async ({ page }) => {
  await page.goto('/tipster');
  await whenAlive(page);
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search the site' });
  await expect(field).toBeFocused();
  await page.keyboard.type(soon.home.slice(0, 5).toLowerCase());
  const option = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: versus });
  await expect(option).toBeVisible();
  await expect(option.locator('mark').first()).toHaveText(soon.home.slice(0, 5));
  expect(await barriersOn(page, '[role=search]')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(option).toBeHidden();
  await expect(field).toHaveValue(soon.home.slice(0, 5).toLowerCase());
  await page.keyboard.press('ArrowDown');
  await expect(field).toHaveAttribute('aria-activedescendant', /.+/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Tipsters compared');
});

test('a search is kept and offered again', async ({ page }) => {
  await page.goto('/');
  await whenAlive(page);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search the site' });
  await expect(field).toBeFocused();
  await page.keyboard.type(portfolios.public.name);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=Ann\+Football$/);
  await expect(
    page.getByRole('list', { name: 'Tipsters' }).getByRole('link', { name: new RegExp(`^${portfolios.public.name}`) }),
  ).toBeVisible();
  // Another document, whose field suggests once it is used.
  await page.getByRole('searchbox', { name: 'Search the site' }).focus();
  await expect(field).toBeFocused();
  await expect(
    page.getByRole('group', { name: 'Recent searches' }).getByRole('option', { name: portfolios.public.name }),
  ).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('a button opens the field, and Escape gives the focus back', async ({ page }) => {
    await page.goto('/');
    await whenAlive(page);
    const button = page.getByRole('button', { name: 'Open the search' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Search the site')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Search the site')).toBeHidden();
    await expect(button).toBeFocused();
  });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the form of the header leads to what is found, by kinds, and on', async ({ page, site }) => {
    await page.goto('/');
    await page.getByRole('searchbox', { name: 'Search the site' }).fill(`${soon.home} ${soon.away}`);
    await page.getByRole('searchbox', { name: 'Search the site' }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search');
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
    await expect(page.getByRole('searchbox', { name: 'What to look for' })).toHaveValue(`${soon.home} ${soon.away}`);
    await page
      .getByRole('navigation', { name: 'Kinds of results' })
      .getByRole('link', { name: /^Fixtures/ })
      .click();
    await page.getByRole('list', { name: 'Fixtures' }).getByRole('link', { name: versus }).click();
    await expect(page).toHaveURL(`${site.origin}/fixture/${site.references.soon}`);
  });

  test('the field of a phone is opened by a button', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/');
    const field = page.getByRole('searchbox', { name: 'Search the site' });
    await expect(field).toBeHidden();
    await page.getByRole('button', { name: 'Open the search' }).click();
    await field.fill('tennis');
    await field.press('Enter');
    await expect(page.getByRole('list', { name: 'Sports' }).getByRole('link', { name: 'Tennis' })).toHaveAttribute(
      'href',
      '/tennis',
    );
  });

  test('where nothing is found there are ideas, and hostile words are only words', async ({ page }) => {
    await page.goto(`/search?q=${encodeURIComponent('<zzyzxq>zzyzxw</zzyzxq> zzyzx')}`);
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
    await expect(page.getByText('No results for “<zzyzxq>zzyzxw</zzyzxq> zzyzx”')).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Tennis' })).toBeVisible();
    await page.getByRole('link', { name: 'zzyzx', exact: true }).click();
    await expect(page.getByText('No results for “zzyzx”')).toBeVisible();
  });
});

test('nothing of what only some may read is found', async ({ request }) => {
  for (const text of [
    portfolios.personal.name,
    ...Object.values(analyses).map((analysis) => analysis.split(': ')[1] ?? ''),
  ]) {
    const answer = await (
      await request.get(`/api/search?q=${encodeURIComponent(text.replace('.', ''))}&limit=50`)
    ).text();
    expect(answer).not.toContain(portfolios.personal.reference);
  }
});
