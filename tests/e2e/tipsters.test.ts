import type { APIRequestContext, Page } from '@playwright/test';
import { breakdownKinds } from '@/lib/stats/schema';
import { pageKinds } from '../support/page-kinds';
import { matches } from '../support/site-matches';
import type { VisitedSite } from '../support/site-setup';
import { analyses, portfolios, postForMembers } from '../support/site-tips';
import { expect, test, whenAlive } from '../support/visitor';

type Answer = { address: string; status: number; body: string };
type Operation = { parameters?: { name: string; in: 'path' | 'query'; required: boolean }[] };

const lastWord = (sentence: string) => /(\w+)\.$/.exec(sentence)?.[1] ?? sentence;

/** Words of analyses and posts that no guest may be sent before, or ever. */
const secrets = [analyses.members, analyses.membersSettled, analyses.hidden, analyses.personal, postForMembers].map(
  lastWord,
);

const personal = portfolios.personal.reference;
const ask = async (
  request: APIRequestContext,
  address: string,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const response = await request.get(address, { headers });
  return { address, status: response.status(), body: await response.text() };
};

/** Every address that a path of the API stands for on this site. */
function addressesOf(path: string, { parameters = [] }: Operation, site: VisitedSite): string[] {
  const values: Record<string, readonly string[]> = {
    reference: /^\/(fixture|edge)/.test(path)
      ? Object.values(site.references)
      : Object.values(portfolios).map(({ reference }) => reference),
    tip: Object.values(site.tips),
    tipReference: Object.values(site.tips),
    kind: breakdownKinds,
    post: [...Object.values(site.posts), 'abcdefghjk'],
    period: ['6'],
    sportId: ['1'],
    format: ['csv', 'json', 'ndjson'],
  };
  const filled = [...path.matchAll(/\{(\w+)\}/g)].reduce(
    (paths, [whole, name = '']) =>
      paths.flatMap((each) => (values[name] ?? ['1']).map((value) => each.replace(whole, value))),
    [path],
  );
  const asked = parameters.filter(
    (parameter) => parameter.in === 'query' && (parameter.required || parameter.name === 'format'),
  );
  const queries = asked.reduce(
    (sofar, { name }) =>
      sofar.flatMap((query) => (values[name] ?? ['1']).map((value) => `${query}${query && '&'}${name}=${value}`)),
    [''],
  );
  return filled.flatMap((each) => queries.map((query) => `/api${each}${query && `?${query}`}`));
}

async function walkApi(request: APIRequestContext, site: VisitedSite): Promise<Answer[]> {
  const { paths } = (await (await request.get('/api/openapi.json')).json()) as {
    paths: Record<string, { get?: Operation }>;
  };
  const described = Object.entries(paths).flatMap(([path, { get }]) => (get ? addressesOf(path, get, site) : []));
  const more = [
    '/api/portfolio?sportId=0&portfolioType=0&period=6&tips=1',
    ...Object.values(portfolios).flatMap(({ reference }) =>
      ['csv', 'json', 'ndjson'].map((format) => `/portfolio/${reference}/ledger?format=${format}`),
    ),
  ];
  const answers: Answer[] = [];
  for (const address of [...described, ...more]) answers.push(await ask(request, address));
  return answers;
}

test('no page and no answer that a guest gets has a word of what is for members, hidden or personal, and no call knows of a personal portfolio', async ({
  request,
  site,
}) => {
  const pages: Answer[] = [];
  for (const { path } of pageKinds)
    pages.push(await ask(request, path(site)), await ask(request, path(site), { rsc: '1' }));
  const calls = await walkApi(request, site);
  const answers = [...pages, ...calls];
  expect(calls.length).toBeGreaterThan(100);
  expect(
    answers
      .filter(({ status }) => ![200, 400, 401, 404].includes(status))
      .map(({ address, status }) => `${status} ${address}`),
  ).toEqual([]);
  expect(
    secrets.flatMap((word) =>
      answers.filter(({ body }) => body.includes(word)).map(({ address }) => `${word} at ${address}`),
    ),
  ).toEqual([]);
  const ofPersonal = answers.filter(
    ({ address, body }) =>
      !address.includes(personal) &&
      [personal, portfolios.personal.name, site.tips.personal].some(
        (name) => body.includes(name) && !address.includes(name),
      ),
  );
  expect(ofPersonal.map(({ address }) => address)).toEqual([]);
  const ofPersonalCalls = calls.filter(
    ({ address }) => /^(\/api)?\/portfolio\//.test(address) && address.includes(personal),
  );
  expect(ofPersonalCalls.length).toBeGreaterThan(20);
  // A call for members answers a guest alike whether the portfolio is there or not.
  const unlikeMissing: string[] = [];
  for (const { address, status, body } of ofPersonalCalls.filter((call) => call.status !== 404)) {
    const missing = await ask(request, address.replace(personal, 'nobody-has-this-name'));
    if (status !== 401 || missing.status !== 401 || missing.body !== body) unlikeMissing.push(`${status} ${address}`);
  }
  expect(unlikeMissing).toEqual([]);
  const word = lastWord(analyses.open);
  const tells = answers.filter(({ body }) => body.includes(word)).map(({ address }) => address);
  expect(tells).toEqual(
    expect.arrayContaining([
      `/tipster/${portfolios.public.reference}/tips/${site.tips.won}`,
      `/api/portfolio/${portfolios.public.reference}/tips/${site.tips.won}`,
    ]),
  );
});

for (const [kind, reason, owner] of [
  ['members', 'This tip is for members until its start', portfolios.premium],
  ['hidden', 'This tip is hidden until its start', portfolios.public],
] as const) {
  test(`a tip that is ${kind === 'members' ? 'for members' : 'hidden'} says so, and tells nothing of its match`, async ({
    page,
    request,
    site,
  }) => {
    const path = `/tipster/${owner.reference}/tips/${site.tips[kind]}`;
    for (const address of [path, `/api/portfolio/${owner.reference}/tips/${site.tips[kind]}`]) {
      const { status, body } = await ask(request, address);
      expect(status).toBe(200);
      for (const told of [matches.soon.home, matches.soon.away, site.references.soon, 'Tipledger Exchange'])
        expect(body, `${told} at ${address}`).not.toContain(told);
    }
    await page.goto(path);
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByRole('table')).toHaveCount(0);
  });
}

test('a personal portfolio does not exist for guests, on any page', async ({ page, request, site }) => {
  for (const part of ['', '/stats', '/results', '/tips', `/tips/${site.tips.personal}`]) {
    expect((await ask(request, `/tipster/${personal}${part}`)).status, part).toBe(404);
  }
  expect((await ask(request, `/ledger?tip=${site.tips.personal}`)).status).toBe(404);
  expect((await page.goto(`/tipster/${personal}`))?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no page at this address');
});

test('from the comparison one comes to a record, its tips, one of them, and its place in the ledger', async ({
  page,
  site,
}) => {
  await page.goto('/tipster?sportId=0&portfolioType=0&period=6&tips=1');
  await page.getByRole('rowheader').getByRole('link', { name: portfolios.public.name }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(portfolios.public.name);
  await expect(page.getByText('Too few to judge')).toBeVisible();
  await page.getByRole('navigation', { name: portfolios.public.name }).getByRole('link', { name: 'Results' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Results' })).toBeVisible();
  const settled = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: /, match result|Double/ });
  await expect(settled).toHaveText([
    /^Double.*Won.*\+2\.7[56]$/,
    /^Southby, match result.*Lost.*−2\.00$/,
    /^Northwick, match result.*Won.*\+1\.10$/,
  ]);
  await settled.first().getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Double by ${portfolios.public.name}`);
  await expect(page.getByRole('table', { name: 'Legs' }).getByRole('row')).toHaveCount(3);
  await page.getByRole('button', { name: 'Verify this tip now' }).click();
  await expect(page.getByText(`of the tip ${site.tips.accumulator}, in order`)).toContainText(/^Verified/);
  await expect(page.getByRole('link', { name: 'Download all of this tip' })).toBeVisible();
  await page.getByRole('link', { name: 'read it in the record' }).click();
  await expect(page).toHaveURL(`${site.origin}/ledger?tip=${site.tips.accumulator}`);
});

async function entriesOf(request: APIRequestContext): Promise<number> {
  const { items, next } = (await (await request.get('/api/ledger/entries')).json()) as {
    items: { sequence: number }[];
    next: number | null;
  };
  expect(next).toBeNull();
  return items.at(-1)?.sequence ?? 0;
}

test('the browser verifies the whole record, up to its last entry', async ({ page, request }) => {
  // Others publish meanwhile.
  const before = await entriesOf(request);
  expect(before).toBeGreaterThanOrEqual(13);
  await page.goto('/ledger');
  await whenAlive(page);
  await page.getByRole('button', { name: 'Verify the whole record now' }).click();
  const verdict = page.getByText(/^Verified: /);
  await expect(verdict).toHaveText(/^Verified: \d+ entries, none changed, missing or out of order\.$/, {
    timeout: 30_000,
  });
  const verified = Number((await verdict.textContent())?.match(/\d+/)?.[0]);
  expect(verified).toBeGreaterThanOrEqual(before);
  expect(verified).toBeLessThanOrEqual(await entriesOf(request));
  await expect(page.getByRole('button', { name: 'Verify again' })).toBeVisible();
});

test('the browser verifies one tip, sealed and settled', async ({ page, site }) => {
  await page.goto(`/ledger?tip=${site.tips.membersSettled}`);
  await whenAlive(page);
  await page.getByRole('button', { name: 'Verify this tip now' }).click();
  await expect(page.getByText(/^Verified: /)).toContainText(
    `3 entries of the tip ${site.tips.membersSettled}, in order`,
  );
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  const found = (page: Page) =>
    page.getByRole('table', { name: 'Portfolios compared' }).getByRole('rowheader').getByRole('link');

  test('the comparison opens with everybody, and a form sends its fields as an address', async ({ page }) => {
    const choose = (name: string, title: string) => page.getByRole('combobox', { name }).selectOption({ label: title });
    const show = () => page.getByRole('button', { name: 'Show' }).click();
    await page.goto('/tipster');
    await expect(found(page)).toHaveText([portfolios.public.name, portfolios.premium.name]);
    await expect(page.getByText('At advised stakes, past 12 months', { exact: true })).toBeVisible();
    await page.getByText('Filter', { exact: true }).click();
    await choose('Kind', 'Premium');
    await page.getByRole('spinbutton', { name: 'Min. tips' }).fill('2');
    await show();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      sportId: '0',
      period: '5',
      portfolioType: '2',
      tips: '2',
    });
    await expect(page.getByText('No tipsters match this filter')).toBeVisible();
    await expect(page.getByText('Only those with 2+ tips.')).toBeVisible();
    await page.getByText('Filter', { exact: true }).click();
    await expect(page.getByRole('combobox', { name: 'Kind' })).toHaveValue('2');
    await page.getByRole('spinbutton', { name: 'Min. tips' }).fill('');
    await show();
    await expect(found(page)).toHaveText([portfolios.premium.name]);
    await page.goto('/tipster?sportId=16');
    await expect(page.getByText('No tipsters match this filter')).toBeVisible();
    await page.getByRole('link', { name: 'Show all tipsters' }).click();
    await expect(found(page)).toHaveText([portfolios.public.name, portfolios.premium.name]);
  });

  test('a head orders by its column, and the other way round when it does already', async ({ page }) => {
    const head = (name: string) => page.getByRole('columnheader', { name });
    await page.goto('/tipster');
    await head('Tipster').getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tipsters from A to Z, past 12 months');
    const names = await found(page).allTextContents();
    expect(names).toEqual(names.toSorted());
    await expect(head('Tipster')).toHaveAttribute('aria-sort', 'ascending');
    await head('Tipster').getByRole('link').click();
    await expect(head('Tipster')).toHaveAttribute('aria-sort', 'descending');
    await expect(found(page)).toHaveText(names.toReversed());
  });

  test('two tipsters stand side by side after three interactions', async ({ page }) => {
    await page.goto('/tipster');
    for (const { name } of [portfolios.public, portfolios.premium])
      await page.getByRole('checkbox', { name: `Compare ${name}` }).check();
    await page.getByRole('button', { name: 'Compare side by side' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      `${portfolios.public.name} v ${portfolios.premium.name}`,
    );
    const table = page.getByRole('table', { name: 'Side by side, at advised stakes' });
    await expect(table.getByRole('columnheader')).toHaveCount(3);
    await expect(page.getByRole('heading', { name: 'Tips in common' })).toBeVisible();
    await page.getByRole('link', { name: `Remove ${portfolios.premium.name}` }).click();
    await expect(page).toHaveURL(`/tipster/compare?with=${portfolios.public.reference}`);
    await expect(page.getByRole('heading', { name: 'Choose at least one more' })).toBeVisible();
  });

  test('a personal portfolio, and one that is none, stand beside nobody', async ({ request }) => {
    for (const reference of [personal, 'nobody-has-this-name'])
      expect((await ask(request, `/tipster/compare?with=${portfolios.public.reference},${reference}`)).status).toBe(
        404,
      );
  });
});
