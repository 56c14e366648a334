import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type Axe from 'axe-core';

// Run by itself: the builder for Playwright hands the whole source of axe to the page twice, and unminified, which is a fifth of the work.
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Waits until the page stands still: its fonts are there, and every change of colour or place that has begun is at its end. What stands between is nobody's to read, and axe would find fault with it. */
export async function whenAtRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A page that is drawn no more on a busy machine has come to rest as well.
    const soon = (work: (done: () => void) => void) =>
      new Promise<void>((resolve) => {
        work(resolve);
        setTimeout(resolve, 2_000);
      });
    const frame = () => soon((done) => requestAnimationFrame(() => done()));
    const moves = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
        );
    await document.fonts.ready;
    // What was just changed, such as the colour scheme, begins to move with the second frame.
    await frame();
    await frame();
    for (let left = moves(), turn = 0; left.length > 0 && turn < 10; left = moves(), turn += 1) {
      await soon((done) => void Promise.allSettled(left.map(({ finished }) => finished)).then(done));
      await frame();
    }
  });
}

/** What axe finds on the page at rest, or on the part of it that a selector names. */
export async function barriersOn(page: Page, part?: string): Promise<string[]> {
  // What is far from the screen of a phone is laid out when a reader comes near it (0040): until then it keeps the colours of a scheme that has changed.
  await page.evaluate(() => {
    document.documentElement.dataset.whole = '';
  });
  await whenAtRest(page);
  await page.evaluate(`${axe}; undefined`);
  return page.evaluate(
    async ([values, selector]) => {
      const { violations } = await (window as unknown as { axe: typeof Axe }).axe.run(selector ?? document, {
        resultTypes: ['violations'],
        runOnly: { type: 'tag', values },
        preload: false,
      });
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`),
      );
    },
    [tags, part] as const,
  );
}
