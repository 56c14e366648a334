import type { Page } from '@playwright/test';
import { portfolios } from '../support/site-tips';
import { expect, test } from '../support/visitor';

test.use({ viewport: { width: 412, height: 823 } });

declare global {
  interface Window {
    shifts: { value: number; moved: string[] }[];
  }
}

/** What moved while the page arrived, and how far by the measure of layout shift, the font that comes late aside. */
async function shiftsOn(page: Page, path: string) {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const shifts = await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return window.shifts;
  });
  return shifts.filter(({ value }) => value >= 0.01);
}

test('nothing moves on the first screen of a phone while a page arrives, of many fixtures or of one', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.shifts = [];
    type Shift = PerformanceEntry & { value: number; sources: { node: Element | null }[] };
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[])
        window.shifts.push({ value, moved: sources.map(({ node }) => node?.className || node?.nodeName || '') });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  const sports = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const paths = ['/football', '/horse-racing', '/tennis', '/handball'].filter((path) => sports.includes(path));
  expect(paths.length).toBeGreaterThan(1);
  for (const path of ['/', ...paths, '/fixtures', '/tipsters', `/tipster/${portfolios.public.reference}`])
    expect([path, await shiftsOn(page, path)]).toEqual([path, []]);
});
