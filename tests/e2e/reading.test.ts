import { createPortfolio, newMember, test } from '../support/account-site';
import { expect, whenKnown } from '../support/visitor';

test('a members’ post is open to its owner on its own page, to nobody else, and a new follower is welcomed', async ({
  page,
  browser,
  accountSite,
  request,
}) => {
  // Two people sign up on the way.
  test.slow();
  const { name } = await newMember(page, accountSite.origin);
  await createPortfolio(page, `Reading of ${name}`, 'Premium: you choose which tips and posts are for members only');
  const profile = page.url().replace('/manage', '');
  await whenKnown(page, 'member');
  await page.getByLabel('Description', { exact: true }).fill('I back **home sides**.');
  await page.getByLabel('Welcome to followers', { exact: true }).fill('Good that you *follow*.');
  await page.getByRole('button', { name: 'Save the portfolio' }).click();
  await expect(page.getByText('The portfolio was saved.')).toBeVisible();
  await page.goto(`${profile}/posts/add-post`);
  await whenKnown(page, 'member');
  await page.getByLabel('Title', { exact: true }).fill('For my members');
  await page.getByLabel('Text', { exact: true }).fill('Nobody else may read the *word* xylophone.');
  await page.getByLabel(/^For members only/).check();
  await page.getByRole('button', { name: 'Publish the post' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('For my members');
  await expect(page.getByText('xylophone')).toBeVisible();
  await expect(page.getByText('This post is for members')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Edit the post' })).toHaveAttribute('href', /\/edit$/);
  const address = page.url();
  await page.goto(`${profile}/posts`);
  await expect(page.getByText('xylophone')).toBeVisible();
  await page.goto(profile);
  await expect(page.locator('strong', { hasText: 'home sides' })).toBeVisible();

  for (const read of [address, `${profile}/posts`])
    expect(await (await request.get(read)).text()).not.toContain('xylophone');

  const plain = await browser.newContext({
    baseURL: accountSite.origin,
    javaScriptEnabled: false,
    storageState: { cookies: await page.context().cookies(), origins: [] },
  });
  const reader = await plain.newPage();
  await reader.goto(address);
  await reader.getByRole('link', { name: 'read it on a page of your own' }).click();
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('For my members');
  await expect(reader.getByText('xylophone')).toBeVisible();
  await plain.clearCookies();
  await reader.reload();
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Log in');
  await plain.close();

  const other = await (await browser.newContext({ baseURL: accountSite.origin })).newPage();
  await newMember(other, accountSite.origin);
  const answered = other.waitForResponse(/\/api\/portfolio\/[^/]+\/posts\/[^/]+$/);
  await other.goto(address);
  expect(await (await answered).text()).not.toContain('xylophone');
  await expect(other.getByText('This post is for members')).toBeVisible();
  await other.getByRole('button', { name: `Follow Reading of ${name}` }).click();
  const welcome = other.getByRole('complementary', { name: `A welcome from Reading of ${name}` });
  await expect(welcome).toContainText('Good that you follow.');
  await welcome.getByRole('button', { name: 'Close the welcome' }).click();
  await expect(welcome).toHaveCount(0);
  await other.goto('/dashboard/watchlist');
  await other.getByText('Welcome to followers').click();
  await expect(other.getByText('Good that you follow.')).toBeVisible();
  await other.context().close();
});

test('a personal portfolio and its posts are there for its owner, and missing for everybody else', async ({
  page,
  accountSite,
  request,
}) => {
  const { name } = await newMember(page, accountSite.origin);
  await createPortfolio(page, `Diary of ${name}`, 'Personal: only you can see it');
  const profile = page.url().replace('/manage', '');
  await page.goto(`${profile}/posts/add-post`);
  await whenKnown(page, 'member');
  await expect(page.getByText('You alone can read this post')).toBeVisible();
  await page.getByLabel('Title', { exact: true }).fill('Dear diary');
  await page.getByLabel('Text', { exact: true }).fill('Only *mine*.');
  await page.getByRole('button', { name: 'Publish the post' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dear diary');
  const addresses = [page.url(), profile, ...['stats', 'results', 'tips', 'posts'].map((sub) => `${profile}/${sub}`)];
  for (const address of addresses) {
    expect((await page.goto(address))?.status()).toBe(200);
    expect((await request.get(address)).status()).toBe(404);
  }
  await page.getByRole('link', { name: 'Dear diary' }).click();
  await page.getByRole('link', { name: 'Edit the post' }).click();
  await expect(page.getByLabel('Text', { exact: true })).toHaveValue('Only *mine*.');
});
