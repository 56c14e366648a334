import type { Page } from '@playwright/test';
import { createPortfolio, newMember, password, test } from '../support/account-site';
import { expect, whenAlive, whenKnown } from '../support/visitor';
import { allVectors } from '../unit/content/more-vectors';

test('one creates a portfolio, writes a post that survives a reload, edits it, and abandons the portfolio', async ({
  page,
  accountSite,
}) => {
  const { name } = await newMember(page, accountSite.origin);
  await page.goto('/dashboard/services');
  await page.getByRole('main').getByRole('link', { name: 'Create a portfolio' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create a portfolio');
  await page.getByLabel('Name', { exact: true }).fill(`Tips of ${name}`);
  await page.getByLabel('Description', { exact: true }).fill('I back **home sides**.');
  await page.getByRole('button', { name: 'Preview: Description' }).click();
  await expect(page.getByRole('region', { name: 'Description, as it will be shown' }).locator('strong')).toHaveText(
    'home sides',
  );
  await page.getByRole('button', { name: 'Create the portfolio' }).click();
  await expect(page).toHaveURL(`/tipster/tips-of-${name}/manage`);
  await page.getByRole('main').getByRole('link', { name: 'Write a post' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`New post: Tips of ${name}`);
  await whenKnown(page, 'member');
  await page.getByLabel('Title', { exact: true }).fill('The week ahead');
  await page.getByLabel('Text', { exact: true }).fill('Some *words*.');
  // Longer than what is typed takes to be kept.
  await page.waitForTimeout(1_500);
  await page.reload();
  await whenKnown(page, 'member');
  await expect(page.getByText('was restored')).toBeVisible();
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('The week ahead');
  await page.getByRole('button', { name: 'Publish the post' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The week ahead');
  const address = page.url();
  await page.goto(`${address}/edit`);
  await page.getByLabel('Title', { exact: true }).fill('The week behind');
  await page.getByRole('button', { name: 'Publish the change' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The week behind');
  await expect(page.getByText(/· edited/)).toBeVisible();
  await page.goto(`${address}/edit`);
  await page.getByText(/^Version 1 of/).click();
  await expect(page.getByText('The week ahead')).toBeVisible();
  await page.goto(`/tipster/tips-of-${name}/manage`);
  await whenAlive(page);
  await page.getByRole('button', { name: 'Close this portfolio' }).click();
  await page.getByLabel(/^Type its name/).fill('something else');
  await page.getByRole('button', { name: 'Close for good' }).click();
  await expect(page.getByText(/This is not the name/)).toBeVisible();
  await page.getByLabel(/^Type its name/).fill(`Tips of ${name}`);
  await page.getByRole('button', { name: 'Close for good' }).click();
  await expect(page.getByText(`Tips of ${name} was closed.`)).toBeVisible();
  await page.goto(`/tipster/tips-of-${name}`);
  await expect(page.getByText('Closed')).toBeVisible();
});

test('nothing that hostile texts hold runs or is asked for in a browser', async ({ page, accountSite, request }) => {
  test.setTimeout(300_000);
  const { name } = await newMember(page, accountSite.origin);
  const tripped: string[] = [];
  page.on('dialog', (dialog) => {
    tripped.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (asked) => {
    if (!asked.url().startsWith(accountSite.origin) && !asked.url().startsWith('data:')) tripped.push(asked.url());
  });
  await page.exposeFunction('tripwire', (what: string) => void tripped.push(what));
  await page.addInitScript(() => {
    const trip = (what: string) => (window as unknown as { tripwire: (what: string) => void }).tripwire(what);
    for (const wire of ['alert', 'confirm', 'prompt', 'print'])
      Object.assign(window, { [wire]: (what: unknown) => trip(`${wire} ${String(what)}`) });
    // The test's own questions are evaluated too: what it is asked for runs, and whatever is not of its making is told.
    const { eval: evaluate } = window;
    Object.assign(window, {
      eval: (what: unknown) => {
        if (!new Error().stack?.includes('UtilityScript')) trip(`eval ${String(what)}`);
        return evaluate(what as string);
      },
    });
  });
  const { token } = (await (await request.post('/api/auth/token', { data: { username: name, password } })).json()) as {
    token: string;
  };
  let key = 0;
  const send = async (method: 'POST' | 'PUT', path: string, data: object) => {
    key += 1;
    const response = await request.fetch(`/api/user/portfolio${path}`, {
      method,
      data,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': `vector-${key}` },
    });
    return { status: response.status(), view: (await response.json()) as { reference: string } };
  };
  const { view: portfolio } = await send('POST', '', { name: `Vectors of ${name}` });
  const texts = allVectors.filter((text) => /^(?:\P{Cc}|[\n\t\r])*$/u.test(text));
  expect(texts.length).toBeGreaterThan(223);
  const aPage = 60;
  const addresses: string[] = [];
  for (let from = 0; from < texts.length; from += aPage) {
    const body = texts.slice(from, from + aPage).join('\n\nand\n\n');
    const { status, view } = await send('POST', `/${portfolio.reference}/posts/add-post`, {
      title: `Texts from ${from}`,
      body,
    });
    expect(status).toBe(201);
    const words = texts
      .slice(from, from + aPage / 2)
      .join('\n\n')
      .slice(0, 2_000);
    expect(
      (
        await send('PUT', '', {
          reference: portfolio.reference,
          description: words,
          welcomeMessage: words,
          premiumWelcomeMessage: words,
        })
      ).status,
    ).toBe(200);
    addresses.push(
      `/tipster/${portfolio.reference}/posts/${view.reference}`,
      `/tipster/${portfolio.reference}/manage`,
      `/tipster/${portfolio.reference}`,
    );
    for (const address of addresses.splice(0)) {
      await page.goto(address);
      await whenAlive(page);
      const links = page.locator('article a[href], section a[href]');
      for (const href of await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol)))
        expect(['https:', 'http:']).toContain(href);
      // Whatever waits for a pointer or for the keyboard.
      for (const element of await page.locator('article p, article li').all())
        await element.dispatchEvent('pointerover');
    }
  }
  expect(tripped).toEqual([]);
});

test('two windows that write a post keep their texts apart', async ({ page, context, accountSite }) => {
  const { name } = await newMember(page, accountSite.origin);
  await createPortfolio(page, `Windows of ${name}`);
  const address = page.url().replace('manage', 'posts/add-post');
  const other = await context.newPage();
  for (const [window, text] of [
    [page, 'One'],
    [other, 'Two'],
  ] as const) {
    await window.goto(address);
    await whenKnown(window, 'member');
    await window.getByLabel('Title', { exact: true }).fill(`${text} window`);
    await window.waitForTimeout(1_500);
  }
  await expect(other.getByText('You are writing here in another window too.')).toBeVisible();
  await other.close();
  await page.getByLabel('Text', { exact: true }).fill('What the first window says.');
  await page.getByRole('button', { name: 'Publish the post' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One window');
  await page.goto(address);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Two window');
});

test('a picture is put into a post from its form, and its author sees it on the post’s own page, though it is for members', async ({
  page,
  accountSite,
}) => {
  const { name } = await newMember(page, accountSite.origin);
  await createPortfolio(page, `Pictures of ${name}`, 'Premium: you choose which tips and posts are for members only');
  const desk = page.url();
  await page.goto(desk.replace('manage', 'posts/add-post'));
  await whenKnown(page, 'member');
  await page.getByLabel('Title', { exact: true }).fill('With a picture');
  const text = page.getByLabel('Text', { exact: true });
  await text.fill('Look:');
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 60, height: 40 } });
  await page.getByLabel('A picture for the text').setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer });
  await expect(text).toHaveValue(/^Look:\s+!\[What the picture shows\]\(\/api\/images\/\S+\)\s*$/);
  await page.getByRole('button', { name: 'Preview: Text' }).click();
  await expect(page.getByRole('img', { name: 'What the picture shows' })).toHaveJSProperty('naturalWidth', 60);
  await page.getByLabel(/^For members only/).check();
  await page.getByRole('button', { name: 'Publish the post' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('With a picture');
  await expect(page.getByRole('img', { name: 'What the picture shows' })).toBeVisible();
  await page.goto(desk);
  await expect(page.getByRole('row', { name: /With a picture/ })).toContainText('Members');
});

test('the current portfolio is chosen for every window, and the next one follows when it is abandoned', async ({
  page,
  context,
  accountSite,
}) => {
  const { name } = await newMember(page, accountSite.origin);
  const [first, second] = [`First of ${name}`, `Second of ${name}`];
  await createPortfolio(page, first);
  await createPortfolio(page, second);
  const desk = page.url();
  const rowOf = (window: Page, portfolio: string) =>
    window.getByRole('row').filter({ has: window.getByRole('rowheader', { name: portfolio }) });
  const other = await context.newPage();
  for (const window of [page, other]) {
    await window.goto('/dashboard/services');
    await whenKnown(window, 'member');
    // The one that was made last is the one to go on with.
    await expect(rowOf(window, second).getByText('Current', { exact: true })).toBeVisible();
  }
  for (const chosen of [first, second]) {
    await page.getByRole('button', { name: `Make ${chosen} the current portfolio` }).click();
    for (const window of [page, other])
      await expect(rowOf(window, chosen).getByText('Current', { exact: true })).toBeVisible();
  }
  await page.goto(desk);
  await whenAlive(page);
  await page.getByRole('button', { name: 'Close this portfolio' }).click();
  await expect(page.getByText(`${first} will be your current portfolio.`)).toBeVisible();
  await page.getByLabel(/^Type its name/).fill(second);
  await page.getByRole('button', { name: 'Close for good' }).click();
  await expect(page.getByText(`${second} was closed.`)).toBeVisible();
  await expect(rowOf(page, first).getByText('Current', { exact: true })).toBeVisible();
  await expect(rowOf(page, second)).toHaveCount(0);
});
