import type { APIRequestContext } from '@playwright/test';
import fc from 'fast-check';
import { portfolios, tips } from '../support/site-tips';
import { expect, test } from '../support/visitor';

type Attempt = { path: string; method: string; data: unknown };

const attempts = 2_000;

async function recordOf(request: APIRequestContext): Promise<string> {
  const parts = await Promise.all(
    ['/api/ledger/entries?after=0', '/api/ledger/export?format=json'].map(async (path) =>
      (await request.get(path)).text(),
    ),
  );
  return parts.join('\n');
}

const bodies = fc.oneof(
  fc.record(
    {
      stakeHundredths: fc.integer(),
      oddsThousandths: fc.integer(),
      outcome: fc.constantFrom('won', 'lost', 'void'),
      profit: fc.double(),
    },
    { requiredKeys: [] },
  ),
  fc.record({
    legs: fc.array(fc.record({ selectionId: fc.nat(), oddsThousandths: fc.nat() })),
    publishedAt: fc.constant('2020-01-01T00:00:00Z'),
  }),
  fc.array(fc.jsonValue(), { maxLength: 4 }),
  fc.jsonValue(),
);

test('no call alters or removes a tip, an entry of the record or a checkpoint', async ({ request, site }) => {
  test.setTimeout(240_000);
  const names = Object.keys(tips) as (keyof typeof tips)[];
  const paths = names.flatMap((name) => {
    const { reference } = portfolios[tips[name].portfolio];
    return [
      `/api/portfolio/${reference}/tips/${site.tips[name]}`,
      `/api/portfolio/${reference}/tips/cached/${site.tips[name]}`,
      `/api/ledger/tip/${site.tips[name]}`,
      `/tipster/${reference}/tips/${site.tips[name]}`,
    ];
  });
  const attempt = fc.record<Attempt>({
    path: fc.constantFrom(
      ...paths,
      '/api/ledger/entries',
      '/api/ledger/entries?after=1',
      '/api/ledger/checkpoint',
      '/api/ledger/export',
      `/api/portfolio/${portfolios.public.reference}`,
      `/portfolio/${portfolios.public.reference}/ledger`,
    ),
    method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'post', 'MERGE'),
    data: bodies,
  });
  const before = await recordOf(request);
  const shown = await Promise.all(
    names.map(async (name) => (await request.get(`/api/ledger/tip/${site.tips[name]}`)).json() as Promise<unknown>),
  );
  const tried = fc.sample(attempt, attempts);
  for (let first = 0; first < tried.length; first += 20) {
    const answers = await Promise.all(
      tried.slice(first, first + 20).map(async ({ path, method, data }) => {
        const response = await request.fetch(path, {
          method,
          data: JSON.stringify(data),
          headers: { 'content-type': 'application/json', 'x-http-method-override': 'PUT' },
          maxRedirects: 0,
        });
        return `${method} ${path} ${response.status() >= 400 && response.status() < 500 ? 'refused' : response.status()}`;
      }),
    );
    expect(answers.filter((line) => !line.endsWith(' refused'))).toEqual([]);
  }
  const after = await recordOf(request);
  // The site goes on; what stood there stands, and is only added to.
  const hashes = before.match(/"hash":"[0-9a-f]{64}"/g) ?? [];
  expect(hashes.length).toBeGreaterThan(names.length);
  for (const hash of hashes) expect(after).toContain(hash);
  expect(
    await Promise.all(
      names.map(async (name) => (await request.get(`/api/ledger/tip/${site.tips[name]}`)).json() as Promise<unknown>),
    ),
  ).toEqual(shown);
});
