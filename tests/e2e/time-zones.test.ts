import { londonTime } from '../support/site-matches';
import { expect, test, watchFaults, whenAlive } from '../support/visitor';

const zones = ['Pacific/Auckland', 'America/Los_Angeles'];

test('browsers at the two ends of the world show the same UK times as the server wrote', async ({
  browser,
  site,
  request,
}) => {
  for (const path of ['/', '/football', `/fixture/${site.references.soon}`, `/fixture/${site.references.played}`]) {
    const html = await (await request.get(path)).text();
    const served = [...html.matchAll(/<time [^>]*>(.*?)<\/time>/g)].map(([, text = '']) =>
      text.replace(/<[^>]*>/g, ''),
    );
    expect(served.length).toBeGreaterThan(0);
    for (const timezoneId of zones) {
      const context = await browser.newContext({ timezoneId, locale: 'en-US', baseURL: site.origin });
      const page = await context.newPage();
      const faults = watchFaults(page);
      await page.goto(path);
      await whenAlive(page);
      expect(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe(timezoneId);
      expect(
        await page.locator('time').evaluateAll((times) => times.map((time) => time.textContent)),
        `${path} in ${timezoneId}`,
      ).toEqual(served);
      expect(faults).toEqual([]);
      await context.close();
    }
  }
});

test('a fixture’s time is that of the clocks in London, and is named so', async ({ page, site }) => {
  await page.goto(`/fixture/${site.references.soon}`);
  const time = page.getByRole('banner').or(page.getByRole('main')).locator('header time');
  const startsAt = new Date((await time.getAttribute('datetime')) ?? '');
  await expect(time).toContainText(`${londonTime(startsAt).time} UK time`);
});
