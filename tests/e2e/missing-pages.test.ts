import http from 'node:http';
import { fullLeague } from '../support/site-matches';
import { expect, signInAs, test } from '../support/visitor';

type Raw = { status: number; headers: http.IncomingHttpHeaders; body: string };

/** Sends a path as it stands; fetch and the browser would tidy it first. */
function ask(origin: string, path: string): Promise<Raw> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = http.get({ hostname, port, path, agent: false }, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => (body += chunk))
        .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', reject);
  });
}

const paths: readonly [what: string, path: string][] = [
  ['an unknown path', '/no-such-page'],
  ['an unknown path of several parts', '/no/such/page'],
  ['a sport that is disabled', '/australian-rules'],
  ['a page under a sport', '/football/no-such-page'],
  ['an unknown fixture', '/fixture/rovers-v-nobody-2020-01-01'],
  ['a page under a fixture', '/fixture/rovers-v-nobody-2020-01-01/odds'],
  ['a path that looks like a file', '/index.php'],
  ['a file that begins with a dot', '/.env'],
  ['a fixture that looks like a file', '/fixture/rovers.json'],
  ['a repository', '/.git/config'],
  ['a NUL', '/%00'],
  ['a NUL in a reference', '/fixture/%00'],
  ['an encoded line break', '/football%0d%0aset-cookie:%20a=b'],
  ['an encoded path upwards', '/%2e%2e/%2e%2e/etc/passwd'],
  ['two encoded dots', '/%2e%2e'],
  ['a path upwards', '/../../etc/passwd'],
  ['encoded slashes upwards', '/fixture/..%2f..%2fetc%2fpasswd'],
  ['another host', '//evil.example'],
  ['another host with a path', '//evil.example/football'],
  ['another host by backslash', '/\\evil.example'],
  ['another host by encoded slashes', '/%2f%2fevil.example'],
  ['a percent sign alone', '/%'],
  ['an encoding that is cut off', '/%E0%A4%A'],
  ['bytes that are not UTF-8', '/football%ff'],
  ['a key of every object', '/__proto__'],
  ['a key of every object as a fixture', '/fixture/constructor'],
  ['markup', '/%3Cscript%3Ealert(1)%3C/script%3E'],
  ['a very long path', `/${'a'.repeat(9_000)}`],
  ['a very long reference', `/fixture/${'a-'.repeat(4_000)}a`],
];

for (const [what, path] of paths) {
  test(`${what} answers that there is no such page, with the whole page around it`, async ({ site }) => {
    const { status, headers, body } = await ask(site.origin, path);
    expect([400, 404]).toContain(status);
    expect(headers.location).toBeUndefined();
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['set-cookie']).toBeUndefined();
    expect(body).toMatch(/<main [^>]*id="content"/);
    expect(body).toMatch(/<h1>There is no page at this address<\/h1>/);
    expect(body).toMatch(/<nav [^>]*aria-label="Main"/);
    expect(body).toMatch(/<footer/);
    expect(body).not.toContain('<script>alert(1)</script>');
  });
}

test('the address of the page for a fault answers with it, as a fault does', async ({ page, site }) => {
  const { status, headers, body } = await ask(site.origin, '/500');
  expect([status, headers['cache-control'], headers['content-type']]).toEqual([
    500,
    'no-store',
    'text/html; charset=utf-8',
  ]);
  expect(body).toMatch(/<h1>This page could not be loaded<\/h1>/);
  expect(body).toMatch(/<nav [^>]*aria-label="Main"/);
  expect(body).toMatch(/<footer/);
  expect((await page.goto('/500'))?.status()).toBe(500);
  await expect(page).toHaveTitle('Something went wrong · Tipledger');
  expect(page.url()).toBe(`${site.origin}/500`);
  expect((await ask(site.origin, '/404')).status).toBe(404);
});

test('a path longer than any header may be is refused without harm', async ({ site }) => {
  const { status } = await ask(site.origin, `/${'a'.repeat(40_000)}`);
  expect(status).toBe(431);
  expect((await ask(site.origin, '/healthz')).status).toBe(200);
});

test('a call at a path that cannot be read is refused in JSON', async ({ site }) => {
  const { status, headers, body } = await ask(site.origin, '/api/fixture/%');
  expect(status).toBe(400);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(body)).toEqual({ status: 400, message: expect.stringMatching(/address/) });
});

for (const [what, path] of [
  ['without a value', '/football?league=&days=&before='],
  ['unknown', '/football?days=99&before=yesterday&colour=red'],
  ['twice', '/football?days=14&days=31&league=a&league=b'],
  ['hostile', '/football?league=%00&before=%ff&days=%'],
  ['unknown on the home page', '/?x=%'],
] as const) {
  test(`parameters that are ${what} are left aside`, async ({ site }) => {
    const { status, body } = await ask(site.origin, path);
    expect(status).toBe(200);
    expect(body).toMatch(/<main [^>]*id="content"/);
  });
}

for (const [from, to] of [
  ['/football?league=nowhere&days=14', '/football/league/nowhere?days=14'],
  ['/Football', '/football'],
  ['/FOOTBALL/league/Nowhere', '/football/league/nowhere'],
] as const) {
  test(`${from} leads to ${to} for good`, async ({ site }) => {
    const { status, headers } = await ask(site.origin, from);
    expect([status, String(headers.location).replace(site.origin, '')]).toEqual([301, to]);
  });
}

for (const path of [
  '/football/league/nowhere',
  '/football/team/nobody',
  `/tennis/league/${fullLeague.reference}`,
  '/football/league/%2e%2e',
  '/football/team/x%27',
]) {
  test(`there is nothing at ${path}`, async ({ site }) => {
    expect((await ask(site.origin, path)).status).toBe(404);
  });
}

test('a missing page keeps its address in the browser and leads on', async ({ page, site }) => {
  const response = await page.goto('/no-such-page?from=here');
  expect(response?.status()).toBe(404);
  expect(page.url()).toBe(`${site.origin}/no-such-page?from=here`);
  await expect(page).toHaveTitle('Page not found · Tipledger');
  await expect(page.locator('meta[name="robots"]').first()).toHaveAttribute('content', /noindex/);
  await page
    .getByRole('navigation', { name: 'Where to go next' })
    .getByRole('link', { name: 'Football', exact: true })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Football');
});

test('where the router meets what is missing, the server is asked for the whole page that says so, once', async ({
  page,
  site,
}) => {
  await signInAs(page, 'member');
  await page.goto('/dashboard');
  await page.waitForFunction(() => 'router' in ((window as { next?: object }).next ?? {}));
  const documents: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && documents.push(new URL(request.url()).pathname));
  await page.evaluate(() =>
    (window as unknown as { next: { router: { push(path: string): void } } }).next.router.push(
      '/dashboard/orders/no-such-order',
    ),
  );
  await expect(page).toHaveTitle('Page not found · Tipledger');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no page at this address');
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(1);
  await expect(page.getByRole('contentinfo')).toHaveCount(1);
  expect(page.url()).toBe(`${site.origin}/dashboard/orders/no-such-order`);
  await page.waitForLoadState('load');
  expect(documents).toEqual(['/dashboard/orders/no-such-order']);
});
