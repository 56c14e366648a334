import { createHash } from 'node:crypto';
import { pageKinds } from '../support/page-kinds';
import { expect, test, whenAlive } from '../support/visitor';
import { ask } from '../support/wire';

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000',
};

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const hashesIn = (html: string) =>
  [
    ...html.matchAll(/<script\b(?![^>]*\bsrc=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>([\s\S]*?)<\/script>/g),
  ].map(([, text = '']) => hashOf(text));

test('every kind of page allows its own scripts and nothing else inline, for guests and members', async ({ site }) => {
  const { text: rules } = await ask(site.origin, '/speculation-rules.json');
  for (const { name, path } of pageKinds) {
    for (const headers of [{}, { cookie: 'tipledger_session=nobody' }]) {
      const answer = await ask(site.origin, path(site), headers);
      const policy = String(answer.headers['content-security-policy']);
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
      expect([name, answer.status, new Set(scripts)]).toEqual([
        name,
        200,
        new Set(["'self'", ...hashesIn(answer.text), hashOf(rules)]),
      ]);
      expect([name, policy.includes("style-src 'self';"), policy.includes('unsafe')]).toEqual([name, true, false]);
      expect([name, / style="/.exec(answer.text)?.index]).toEqual([name, undefined]);
      expect(answer.headers).toMatchObject(always);
    }
  }
});

test('what is missing, what is a file and what is a call have their headers too', async ({ site }) => {
  for (const [path, status] of [
    ['/no-such-page', 404],
    ['/fixture/nothing-v-nobody-2020-01-01', 404],
    ['/', 200],
  ] as const) {
    const { headers, status: given } = await ask(site.origin, path);
    expect([path, given]).toEqual([path, status]);
    expect(headers).toMatchObject({
      ...always,
      'content-security-policy': expect.stringMatching(/script-src 'self' 'sha256-/),
    });
  }
  for (const path of ['/api/edge/version', '/api/fixture/nothing', '/api/%', '/healthz', '/icon.svg']) {
    const { headers } = await ask(site.origin, path);
    expect([path, headers]).toEqual([
      path,
      expect.objectContaining({ ...always, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }),
    ]);
  }
});

test('a browser refuses what is slipped into a page', async ({ browser, site }) => {
  const context = await browser.newContext({ baseURL: site.origin });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await page.goto('/football');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.slippedIn = true';
    document.head.append(script);
    document.body.insertAdjacentHTML(
      'beforeend',
      '<p onclick="window.slippedIn = true" style="color: red">slipped in</p>',
    );
    (document.body.lastElementChild as HTMLElement).click();
  });
  expect(await page.evaluate(() => 'slippedIn' in window)).toBe(false);
  expect(refused.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(3);
  await context.close();
});

test('a browser runs the scripts of every page and refuses one that was injected into what the server sent', async ({
  browser,
  site,
}) => {
  const context = await browser.newContext({ baseURL: site.origin });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) said.push(message.text());
  });
  // The document as the server sends it, policy and all, with a script that got into its text.
  await page.route('**/football', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('</main>', '<script>window.slippedIn = true</script></main>');
    await route.fulfill({ response, body });
  });
  await page.goto('/football');
  await whenAlive(page);
  expect(await page.evaluate(() => 'slippedIn' in window)).toBe(false);
  expect(said).toHaveLength(1);
  await context.close();
});

test('no page of any kind breaks its own policy', async ({ browser, site }) => {
  const context = await browser.newContext({ baseURL: site.origin });
  const page = await context.newPage();
  const broken: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) broken.push(`${page.url()}: ${message.text()}`);
  });
  for (const path of [
    ...pageKinds.map((kind) => kind.path(site)),
    '/no-such-page',
    '/login',
    '/register',
    '/search?q=rovers',
    '/add-tips',
    '/~error',
    // The last, since it loads itself anew once it finds a connection.
    '/~offline',
  ]) {
    await page.goto(path);
    await page.waitForLoadState('load');
  }
  expect(broken).toEqual([]);
  await context.close();
});
