import type { Browser, BrowserContext, Page } from '@playwright/test';
import { barriersOn } from '../support/barriers';
import { type RunningSite, startSite } from '../support/site';
import { type Advertiser, startAdvertiser } from '../support/site-advertiser';
import { portfolios } from '../support/site-tips';
import { expect, logIn, test as base, whenKnown } from '../support/visitor';

type Shown = { context: BrowserContext; page: Page; advertiser: Advertiser; ownHost: string };

// The tests' site once more, by a program that advertising is configured for.
const test = base.extend<{ baseURL: string }, { advertised: RunningSite }>({
  advertised: [
    async ({ browserName: _ }, give) => {
      const { dataFolder } = JSON.parse(process.env.TIPLEDGER_VISITED_SITE ?? '{}') as { dataFolder: string };
      const site = await startSite({
        TIPLEDGER_DATA: dataFolder,
        TIPLEDGER_ADS_SCRIPT: 'https://advertiser.example/ads.js',
        TIPLEDGER_TAGS_SCRIPT: 'https://advertiser.example/tags.js',
      });
      await give(site);
      await site.end();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: ({ advertised }, give) => give(advertised.origin),
});

test.use({ serviceWorkers: 'allow' });

const page = `/tipster/${portfolios.public.reference}`;
const others = ['/', '/football', '/ledger'];

/** A browser whose every request goes through the proxy of the test. */
async function asVisitor(
  browser: Browser,
  { origin }: RunningSite,
  body: (shown: Shown) => Promise<void>,
): Promise<void> {
  const advertiser = await startAdvertiser();
  const context = await browser.newContext({ baseURL: origin, proxy: advertiser.proxy, ignoreHTTPSErrors: true });
  // What asks leaves browsers alone that say that a program drives them.
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }));
  try {
    await body({ context, page: await context.newPage(), advertiser, ownHost: new URL(origin).host });
  } finally {
    await context.close();
    await advertiser.end();
  }
}

const banner = (at: Page) => at.getByRole('dialog', { name: 'Your choice' });
const choices = (at: Page) => at.getByRole('dialog', { name: 'What may be loaded' });
const slot = (at: Page) => at.locator('main [data-ad-slot="tipster"]');
const adhesion = (at: Page) => at.getByRole('complementary', { name: 'Advertisement' });

/** Goes on by Tab until the focus is on what is looked for, as somebody without a pointer does. */
async function tabTo(at: Page, target: ReturnType<Page['getByRole']>): Promise<void> {
  for (let step = 0; step < 24; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await at.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test('before anything is chosen nothing leaves the browser but to this site, on no page and by no script or worker', async ({
  browser,
  advertised,
}) => {
  await asVisitor(browser, advertised, async ({ page: at, advertiser, ownHost }) => {
    for (const path of [page, ...others]) {
      await at.goto(path);
      await whenKnown(at, 'guest');
      await expect(banner(at)).toBeVisible();
      await at.mouse.wheel(0, 2_000);
    }
    await at.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
    await at.goto(page);
    await expect(banner(at)).toBeVisible();
    await expect(slot(at)).toBeHidden();
    await expect(adhesion(at)).toHaveCount(0);
    expect(await barriersOn(at)).toEqual([]);
    expect(advertiser.hosts.length).toBeGreaterThan(50);
    expect([...new Set(advertiser.hosts)]).toEqual([ownHost]);
  });
});

test('by keyboard one refuses, changes one’s mind for advertising alone, and closes the one that sticks to the window for the session', async ({
  browser,
  advertised,
}) => {
  await asVisitor(browser, advertised, async ({ context, page: at, advertiser, ownHost }) => {
    await at.goto(page);
    await whenKnown(at, 'guest');
    await tabTo(at, banner(at).getByRole('button', { name: 'Refuse all' }));
    await at.keyboard.press('Enter');
    await expect(banner(at)).toBeHidden();
    await at.reload();
    await whenKnown(at, 'guest');
    await expect(banner(at)).toBeHidden();
    await expect(slot(at)).toBeHidden();
    expect([...new Set(advertiser.hosts)]).toEqual([ownHost]);

    await at.getByRole('contentinfo').locator('[data-cc="show-preferencesModal"]').focus();
    await at.keyboard.press('Enter');
    await expect(choices(at)).toBeVisible();
    expect(await barriersOn(at, '#cc-main')).toEqual([]);
    const advertising = choices(at).getByRole('checkbox', { name: 'Advertising' });
    await tabTo(at, advertising);
    await at.keyboard.press('Space');
    // On a slow machine the library takes the focus to the window's top once more, after a moment.
    await expect(async () => {
      await tabTo(at, choices(at).getByRole('button', { name: 'Save my choice' }));
      await at.keyboard.press('Enter');
      await expect(choices(at)).toBeHidden({ timeout: 2_000 });
    }).toPass();
    await expect(slot(at)).toHaveText('Buy tipster');
    expect(advertiser.asked).toEqual(['/ads.js']);

    const close = adhesion(at).getByRole('button', { name: 'Close the advertisement' });
    await close.focus();
    await at.keyboard.press('Enter');
    await expect(adhesion(at)).toHaveCount(0);
    await at.reload();
    await expect(slot(at)).toHaveText('Buy tipster');
    await expect(adhesion(at)).toHaveCount(0);
    const later = await context.newPage();
    await later.goto(page);
    await expect(adhesion(later)).toBeVisible();
  });
});

test('by pointer one accepts all: each script is asked for once a page, what was chosen holds on the next page, and nobody else is told', async ({
  browser,
  advertised,
}) => {
  await asVisitor(browser, advertised, async ({ page: at, advertiser, ownHost }) => {
    await at.goto(page);
    await whenKnown(at, 'guest');
    await banner(at).getByRole('button', { name: 'Accept all' }).click();
    await expect(slot(at)).toHaveText('Buy tipster');
    await expect(adhesion(at)).toBeVisible();
    await expect.poll(() => advertiser.asked.toSorted()).toEqual(['/ads.js', '/tags.js']);
    await at.goto('/football');
    await expect(at.locator('html[data-ads="on"]')).toBeAttached();
    await expect(banner(at)).toBeHidden();
    await at.goto('/ledger');
    await whenKnown(at, 'guest');
    await expect(adhesion(at)).toBeHidden();
    expect(new Set(advertiser.hosts)).toEqual(new Set([ownHost, 'advertiser.example:443']));
  });
});

test('whoever asks not to be tracked is neither asked nor shown anything, and nobody is told of them', async ({
  browser,
  advertised,
}) => {
  await asVisitor(browser, advertised, async ({ context, page: at, advertiser, ownHost }) => {
    await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' }));
    for (const path of [page, '/football']) {
      await at.goto(path);
      await whenKnown(at, 'guest');
      // What asks is fetched right after the page is known; a moment later it would stand there.
      await at.waitForLoadState('networkidle');
      await expect(at.locator('#cc-main')).toHaveCount(0);
      await expect(at.locator('html[data-ads="on"]')).toHaveCount(0);
    }
    expect([...new Set(advertiser.hosts)]).toEqual([ownHost]);
  });
});

test('staff see no advertising though they accept it, and a member who pays for nothing does', async ({
  browser,
  advertised,
}) => {
  for (const [person, seesIt] of [
    ['admin', false],
    ['member', true],
  ] as const) {
    await asVisitor(browser, advertised, async ({ page: at, advertiser }) => {
      // By the form: a call of the test cannot go through the advertiser's proxy.
      await at.goto(`/login?redirect_to=${encodeURIComponent(page)}`);
      await logIn(at, person, page);
      await whenKnown(at, 'member');
      await banner(at).getByRole('button', { name: 'Accept all' }).click();
      await expect.poll(() => advertiser.asked).toContain('/tags.js');
      if (seesIt) await expect(slot(at)).toHaveText('Buy tipster');
      else await expect(slot(at)).toBeHidden();
      await expect(adhesion(at)).toHaveCount(seesIt ? 1 : 0);
      await expect.poll(() => advertiser.asked.includes('/ads.js')).toBe(seesIt);
    });
  }
});

test('where the advertising script fails every place is closed, and the page stays as it is', async ({
  browser,
  advertised,
}) => {
  await asVisitor(browser, advertised, async ({ page: at, advertiser }) => {
    advertiser.breakDown();
    await at.goto(page);
    await whenKnown(at, 'guest');
    await banner(at).getByRole('button', { name: 'Accept all' }).click();
    await expect.poll(() => advertiser.asked).toContain('/ads.js');
    await expect(at.locator('html')).toHaveAttribute('data-ads', 'off');
    await expect(slot(at)).toBeHidden();
    await expect(adhesion(at)).toHaveCount(0);
    await expect(at.getByRole('heading', { level: 1 })).toHaveText(portfolios.public.name);
  });
});
