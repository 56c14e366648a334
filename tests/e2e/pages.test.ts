import type { Page } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { barriersOn } from '../support/barriers';
import { pageKinds } from '../support/page-kinds';
import { expect, test, whenAlive } from '../support/visitor';

// How React and Next spell HTML is theirs; what it means is ours.
const markup = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:document'],
  rules: {
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'long-title': 'off',
    'require-sri': 'off',
    'valid-id': ['error', { relaxed: true }],
    'void-style': 'off',
  },
});

const isWhole = process.env.TIPLEDGER_WALK === 'full';
const widths = isWhole ? [320, 390, 768, 1440, 1920] : [320, 768, 1440];

async function fitsEveryWidth(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const excess = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(excess, `pixels that stick out at ${width} px`).toBe(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
    const hasMenuButton = await page.getByRole('button', { name: 'Menu', exact: true }).isVisible();
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible(), `the menu at ${width} px`).toBe(
      !hasMenuButton,
    );
  }
}

for (const [place, { name, heading, path, own, alike }] of pageKinds.entries()) {
  // One load for all: what costs on a busy machine is not the looking but the loading.
  test(`${name} answers 200 with valid markup, one heading, and says what it is${alike ? '' : '; it fits every width and has no barrier'}`, async ({
    page,
    site,
  }) => {
    const response = await page.goto(path(site));
    await test.step('answers 200 with valid markup, one heading, and says what it is', async () => {
      expect(response?.status()).toBe(200);
      expect(response?.headers()['content-type']).toBe('text/html; charset=utf-8');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      expect(await page.locator('h1').count()).toBe(1);
      await expect(page).toHaveTitle(/^\S.{8,}\S$/);
      await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /^\S.{40,}\S$/);
      await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
        'href',
        new URL(own(site), site.siteUrl).href,
      );
      await whenAlive(page);
      const report = await markup.validateString((await response?.text()) ?? '');
      expect(
        report.results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, offset }) => `${ruleId} at ${offset}: ${message}`),
        ),
      ).toEqual([]);
    });
    if (alike) return;
    // Each look of every page with TIPLEDGER_WALK=full, else one of the two by turns.
    const [looksWide, looksNarrow] = [isWhole || place % 2 === 0, isWhole || place % 2 === 1];
    if (looksWide)
      await test.step('has no barrier that axe can find when it is light and wide', async () =>
        expect(await barriersOn(page)).toEqual([]));
    await test.step('fits every width from a phone’s to a large screen’s', () => fitsEveryWidth(page));
    if (!looksNarrow) return;
    await test.step('has no barrier that axe can find when it is dark and narrow', async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await barriersOn(page)).toEqual([]);
    });
  });
}

test('no two pages have the same title or description, save those that are views of one page', async ({
  request,
  site,
}) => {
  const titles = new Map<string, string>();
  for (const { path, own } of pageKinds) {
    const html = await (await request.get(path(site))).text();
    const said = [/<title>([^<]*)/.exec(html)?.[1], /<meta name="description" content="([^"]*)/.exec(html)?.[1]].join(
      ' – ',
    );
    expect(titles.get(said) ?? own(site)).toBe(own(site));
    titles.set(said, own(site));
  }
});
