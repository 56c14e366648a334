import { expect, test } from '../support/visitor';

const fontsIn = (link: string) => [...link.matchAll(/<[^>]*\/([^/>]+\.woff2)>/g)].map(([, file]) => file ?? '');

for (const path of ['/', '/football', '/betting-guides', '/about-us'])
  test(`${path} preloads fonts, and uses each of them`, async ({ page }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(200);
    const preloaded = fontsIn((await response?.headerValue('link')) ?? '');
    expect(preloaded.length).toBeGreaterThan(0);
    const unused = await page.evaluate(async (files) => {
      await document.fonts.ready;
      const rules = [...document.styleSheets]
        .flatMap((sheet) => [...sheet.cssRules])
        .filter((rule) => rule instanceof CSSFontFaceRule);
      const used = [...document.fonts].filter(({ status }) => status === 'loaded');
      return files.filter((file) => {
        const style = rules.find((rule) => rule.cssText.includes(file))?.style;
        return !used.some(
          ({ family, weight }) =>
            family === style?.getPropertyValue('font-family') && weight === style.getPropertyValue('font-weight'),
        );
      });
    }, preloaded);
    expect(unused).toEqual([]);
  });
