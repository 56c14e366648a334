/** @jest-environment node */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'sass';
import { sports } from '@/lib/reference/schema';

const root = process.cwd();
const css = compile(join(root, 'components/ui/tokens.scss'), { loadPaths: [root] }).css;

function colours(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each([
  ['light', ':root'],
  ['dark by preference', ':root:not([data-theme=light])'],
  ['light by choice', '[data-theme=light]'],
  ['dark by choice', '\n[data-theme=dark]'],
])('the %s theme', (_, selector) => {
  const theme = colours(selector);
  const colour = (name: string) => {
    const value = theme.get(name);
    if (!value) throw new Error(`the theme has no colour --${name}`);
    return value;
  };
  const texts = ['ink', 'ink-soft', 'ink-faint', 'accent', 'accent-strong', 'profit', 'loss', 'notice'];
  const grounds = ['paper', 'sheet', 'well'];

  it.each(texts.flatMap((text) => grounds.map((ground) => [text, ground])))(
    'reads %s on %s at 4.5 to 1 or more',
    (text, ground) => {
      expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each([
    ['accent', 'accent-wash'],
    ['profit', 'profit-wash'],
    ['loss', 'loss-wash'],
    ['notice', 'notice-wash'],
    ['on-accent', 'accent'],
    ['on-accent', 'accent-strong'],
    ['paper', 'ink'],
  ])('reads %s on %s at 4.5 to 1 or more', (text, ground) => {
    expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(grounds)('outlines controls on %s at 3 to 1 or more', (ground) => {
    expect(contrast(colour('rule-strong'), colour(ground))).toBeGreaterThanOrEqual(3);
  });
});

it('both ways into the dark theme give the same colours', () => {
  expect(colours('\n[data-theme=dark]')).toEqual(colours(':root:not([data-theme=light])'));
  expect(colours('\n[data-theme=dark]').size).toBeGreaterThan(15);
});

it('the colours of the browser frame are the papers of the themes', () => {
  const layout = readFileSync(join(root, 'app/layout.tsx'), 'utf8');
  expect(layout).toContain(`color: '${colours(':root').get('paper')}'`);
  expect(layout).toContain(`color: '${colours('\n[data-theme=dark]').get('paper')}'`);
});

it.each(sports.map((sport) => [sport.reference, sport.imageUrl, sport.maskableImageUrl]))(
  '%s has its icon in ink and in white',
  (_, imageUrl, maskableImageUrl) => {
    for (const url of [imageUrl, maskableImageUrl]) {
      const file = join(root, 'public', url);
      expect(existsSync(file)).toBe(true);
      expect(readFileSync(file, 'utf8')).toContain('viewBox="0 0 20 20"');
    }
  },
);
