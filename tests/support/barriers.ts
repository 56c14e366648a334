import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

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
  // Where no page stands in another the plain way does the same in a third of the time: it does not carry every node to a second page and back.
  const builder = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(tags)
    .setLegacyMode();
  const { violations } = await (part === undefined ? builder : builder.include(part)).analyze();
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}
