import { readFileSync } from 'node:fs';
import { sections } from '@/lib/content/schema';
import { routes } from '@/lib/routes';
import { minTipsToJudge } from '@/lib/stats/schema';
import { filledSections, ownPages } from '../support/content-pages';
import { expect, test, whenAlive } from '../support/visitor';

type Statement = { '@type': string } & Record<string, unknown>;

const statementsIn = (html: string): Statement[] =>
  [...html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].flatMap(
    ([, json = '[]']) => JSON.parse(json) as Statement[],
  );

const types: Partial<Record<string, string>> = { 'bookmaker-reviews': 'Review', 'betting-terms': 'DefinedTerm' };

const pages = filledSections.flatMap((kind) => ownPages(kind));

test('every section has pages, and every page of every section answers with its title and what it is', async ({
  request,
  site,
}) => {
  expect(filledSections.toSorted()).toEqual(Object.keys(sections).toSorted());
  for (const { kind, reference, title } of pages) {
    const path = routes.content(kind, reference);
    const response = await request.get(path);
    const html = await response.text();
    expect(response.status(), path).toBe(200);
    const [trail, own] = statementsIn(html);
    expect(trail, path).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [
        { position: 1 },
        { position: 2, name: sections[kind].title },
        { position: 3, name: title, item: `${site.siteUrl}${path}` },
      ],
    });
    expect(own?.['@type'], path).toBe(types[kind] ?? 'Article');
    expect(html, path).toContain('<meta property="og:type" content="article"/>');
  }
});

test('every link in a text leads to a page', async ({ request }) => {
  const links = new Set(
    [...pages, ...ownPages('pages')].flatMap(({ body }) =>
      [...body.matchAll(/\]\((\/[^)\s#]*)/g)].map(([, address = '']) => address),
    ),
  );
  const answers: string[] = [];
  for (const link of links) answers.push(`${(await request.get(link)).status()} ${link}`);
  // Pages behind a sign-in are as good as there: what is missing, broken or moved is not.
  expect(answers.filter((answer) => !answer.startsWith('200 '))).toEqual([]);
});

for (const section of Object.keys(sections)) {
  test(`an unknown page of ${section} is missing, under its own address`, async ({ page }) => {
    const path = `/${section}/there-is-no-such-page`;
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no page at this address');
  });
}

test('the table of contents of a long text leads to its part, clear of the header', async ({ page }) => {
  const long = ownPages('betting-guides').find(({ body }) => (body.match(/^## /gm) ?? []).length >= 3);
  if (!long) throw new Error('No guide has three parts.');
  await page.goto(routes.content(long.kind, long.reference));
  await whenAlive(page);
  const last = page.getByRole('navigation', { name: 'On this page' }).getByRole('link').last();
  const title = (await last.textContent()) ?? '';
  await last.click();
  await expect(page.getByRole('heading', { level: 2, name: title, exact: true })).toBeInViewport();
});

test('the review of a bookmaker has its terms beside the offer, says that it is fictional, and marks its link as paid for', async ({
  page,
}) => {
  const reviewed = ownPages('bookmaker-reviews').find(({ facts }) => facts.bookmakerId === 6);
  if (!reviewed) throw new Error('Bookmaker 6 has no review.');
  await page.goto(routes.content(reviewed.kind, reviewed.reference));
  await expect(page.getByRole('main').getByText('Demo data', { exact: true })).toBeVisible();
  await expect(page.getByText('Free bet stakes are not returned.', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'penhallow-sports.example' })).toHaveAttribute(
    'rel',
    'sponsored nofollow noopener',
  );
  await expect(page.getByText(/is an affiliate link/)).toBeVisible();
});

test('the tip of the day follows its rule: tipsters with too few tips give none, and the page says so', async ({
  page,
}) => {
  await page.goto(routes.section('tip-of-the-day'));
  await expect(page.getByText(`needs at least ${minTipsToJudge} settled tips and a profit`)).toBeVisible();
  await expect(page.getByText('No tip meets the rule at the moment')).toBeVisible();
});

test('the licences name every package that the project asks for', async ({ page }) => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  await page.goto(routes.content('pages', 'licences'));
  for (const [name, version] of Object.entries(dependencies))
    await expect(
      page.getByRole('row', {
        name: new RegExp(`^${name.replace(/[/.]/g, '\\$&')} ${version.replaceAll('.', '\\.')} `),
      }),
    ).toBeVisible();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('one looks a term up by its letter and reads on from page to page', async ({ page }) => {
    await page.goto(routes.section('betting-terms'));
    await page.getByRole('navigation', { name: 'Letters' }).getByRole('link', { name: 'O', exact: true }).click();
    await page
      .getByRole('region', { name: 'O', exact: true })
      .getByRole('link', { name: 'Overround', exact: true })
      .click();
    await expect(page).toHaveURL(/\/betting-terms\/overround$/);
    const next = page.getByRole('navigation', { name: 'Betting terms' }).getByRole('link', { name: /^Next/ });
    const address = await next.getAttribute('href');
    await next.click();
    await expect(page).toHaveURL((url) => url.pathname === address);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Betting terms' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Betting terms');
  });
});
