/** @jest-environment jsdom */
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { excerptOf, renderMarkdown } from '@/lib/content/rules';
import { hostileMarkdown } from './hostile-markdown';

const allowedTags =
  'p br hr h2 h3 h4 h5 h6 strong em s a code pre blockquote ul ol li table thead tbody tr th td'.split(' ');
const allowedAttributes: Record<string, string[]> = { a: ['href', 'rel', 'title'], ol: ['start'] };

/** The markup as a browser reads it in a page. */
function domOf(markup: string): HTMLElement {
  const page = new DOMParser().parseFromString(
    `<!doctype html><body><div id="post">${markup}</div><p id="after"></p></body>`,
    'text/html',
  );
  expect([...page.body.children].map(({ id }) => id)).toEqual(['post', 'after']);
  expect(page.head.children).toHaveLength(0);
  return page.body.firstElementChild as HTMLElement;
}

/** What a page may hold of somebody else's text, and nothing more; `textContent` is text whatever it says. */
function expectHarmless(text: string): HTMLElement {
  const markup = renderMarkdown(text);
  const post = domOf(markup);
  for (const element of post.querySelectorAll('*')) {
    expect(element.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
    expect(allowedTags).toContain(element.localName);
    expect(allowedAttributes[element.localName] ?? []).toEqual(expect.arrayContaining(element.getAttributeNames()));
  }
  for (const link of post.querySelectorAll('a')) {
    expect(link.getAttribute('rel')).toBe('nofollow ugc noopener');
    const href = link.getAttribute('href');
    const address = new URL(href ?? '', 'https://site.example/tipster/ann/posts/abcdefghjk');
    expect(['https:', 'http:']).toContain(address.protocol);
    if (!/^https?:\/\//i.test(href ?? '')) expect(address.host).toBe('site.example');
  }
  const walk = post.ownerDocument.createTreeWalker(
    post,
    NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_PROCESSING_INSTRUCTION | NodeFilter.SHOW_CDATA_SECTION,
  );
  expect(walk.nextNode()).toBeNull();
  // Read, written and read again it is the same: nothing in it changes its meaning on the way.
  expect(domOf(post.innerHTML).innerHTML).toBe(post.innerHTML);
  return post;
}

describe('somebody who means harm', () => {
  test('tries more than sixty ways', () => expect(new Set(hostileMarkdown).size).toBeGreaterThan(60));

  test.each(hostileMarkdown)('puts nothing that acts into a page: %j', (text) => {
    expectHarmless(text);
    expectHarmless(`# A title\n\n> - ${text}\n\nand on`);
    expectHarmless(`| a | b |\n|---|:-:|\n| ${text} | ${text} |`);
    expectHarmless(`[words **${text}**](https://tipster.example/ "${text}")`);
  });

  test('does not break out by joining any of it', () => {
    const piece = fc.oneof(
      fc.constantFrom(...hostileMarkdown),
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '`',
        '[',
        '](',
        ')',
        '![',
        '\\',
        '&',
        '&#',
        ';',
        '\n\n',
        '    ',
        '|',
        '\u0000',
        '\u2028',
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => void expectHarmless(pieces.join(''))),
      { numRuns: 150 },
    );
  });

  test.each([
    ['nested quotes', '>'.repeat(20_000)],
    ['nested lists', '- '.repeat(10_000)],
    ['opened brackets', '['.repeat(20_000)],
    ['opened links', '[a]('.repeat(5_000)],
    ['emphasis', '*a_ '.repeat(5_000)],
    ['backquotes', Array.from({ length: 190 }, (_, index) => '`'.repeat(index)).join(' ')],
    ['entities', '&'.repeat(20_000)],
    ['wide tables', `${'|a'.repeat(3_000)}|\n${'|-'.repeat(3_000)}|\n${'b\n'.repeat(4_000)}`],
    ['long tables', `${'|a'.repeat(8)}|\n${'|-'.repeat(8)}|\n${'b\n'.repeat(9_900)}`],
    ['addresses', 'https://'.repeat(2_500)],
  ])('does not hold the server up with %s', (_, text) => {
    const began = performance.now();
    const markup = renderMarkdown(text);
    excerptOf(text, 240);
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(markup.length).toBeLessThan(250_000);
  });
});

describe('markdown', () => {
  test('becomes the markup of a text', () => {
    const post = expectHarmless(
      'Two *fair* prices and a **good** one:\n\n1. Rovers at `2.10`\n2. Town\n\n> said early\n\n| Odds | Stake |\n|-----:|-------|\n| 2.10 | 1 u |',
    );
    expect(post.querySelector('em')?.textContent).toBe('fair');
    expect(post.querySelector('strong')?.textContent).toBe('good');
    expect([...post.querySelectorAll('ol > li')].map(({ textContent }) => textContent)).toEqual([
      'Rovers at 2.10',
      'Town',
    ]);
    expect(post.querySelector('blockquote')?.textContent?.trim()).toBe('said early');
    expect(post.querySelector('tbody td')?.textContent).toBe('2.10');
  });

  test.each([
    ['# One\n## Two\n### Three', ['h2', 'h3', 'h4']],
    ['### First\n##### Second\n### Third', ['h2', 'h3', 'h2']],
    ['One\n===\nTwo\n---', ['h2', 'h3']],
    ['# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6', ['h2', 'h3', 'h4', 'h5', 'h6', 'h6']],
    ['> # Quoted', ['h2']],
  ])('leaves the h1 to the page and skips no level: %j', (text, levels) => {
    const headings = [...expectHarmless(text).querySelectorAll('h1, h2, h3, h4, h5, h6')];
    expect(headings.map(({ localName }) => localName)).toEqual(levels);
  });

  test.each([
    ['[here](https://tipster.example/a?b=1&c=2)', 'https://tipster.example/a?b=1&c=2'],
    ['[here](/tipster/ann)', '/tipster/ann'],
    ['https://tipster.example/a', 'https://tipster.example/a'],
    ['<https://tipster.example/>', 'https://tipster.example/'],
    ['[here][1]\n\n[1]: http://tipster.example/', 'http://tipster.example/'],
  ])('keeps the link of %j, marked as the author’s', (text, href) => {
    const link = expectHarmless(text).querySelector('a');
    expect([link?.getAttribute('href'), link?.getAttribute('rel')]).toEqual([href, 'nofollow ugc noopener']);
  });

  test('shows raw markup as the text that it is, and a picture as what it says', () => {
    expect(expectHarmless('a <b>bold</b> claim').textContent?.trim()).toBe('a <b>bold</b> claim');
    expect(
      expectHarmless('See ![the table at "Christmas"](https://tipster.example/a.png) now').textContent?.trim(),
    ).toBe('See the table at "Christmas" now');
  });

  test('keeps figures as they are written', () => {
    expect(expectHarmless('Over 2.5 at 1.95 (10/11), −110 & 5% < 6%').textContent?.trim()).toBe(
      'Over 2.5 at 1.95 (10/11), −110 & 5% < 6%',
    );
  });
});

test('markup is made once of a text that is shown again', () => {
  const render = jest.spyOn(MarkdownIt.prototype, 'render');
  try {
    const text = 'Made **once**.';
    expect(renderMarkdown(text)).toBe(renderMarkdown(`${text.slice(0, 4)}${text.slice(4)}`));
    expect(renderMarkdown('')).toBe('');
    expect(render.mock.calls.filter(([given]) => given === text)).toHaveLength(1);
  } finally {
    render.mockRestore();
  }
});

describe('an excerpt', () => {
  test.each([
    ['# Title\n\nThe **first** [words](https://a.example/), `2.10`.\nAnd more.', 'The first words, 2.10. And more.'],
    ['- one\n- two', 'one · two'],
    ['# Nothing but a title', ''],
    ['    code', ''],
    ['a <b>b</b>', 'a <b>b</b>'],
  ])('of %j is what its paragraphs say', (text, words) => expect(excerptOf(text, 100)).toBe(words));

  test('ends at a word, with a sign that there is more', () => {
    expect(excerptOf('Rovers are, at this price, worth it.', 14)).toBe('Rovers are…');
    expect(excerptOf('Short.', 14)).toBe('Short.');
  });

  test('is made of the first two thousand characters, however long the text', () => {
    const parse = jest.spyOn(MarkdownIt.prototype, 'parse');
    try {
      const text = 'a\n\n'.repeat(6_666);
      expect(excerptOf(text, 20)).toBe('a · a · a · a · a…');
      expect(Math.max(...parse.mock.calls.map(([source]) => source.length))).toBe(2_000);
    } finally {
      parse.mockRestore();
    }
    expect(excerptOf(`${'b'.repeat(1_999)}🐎`, 3_000)).toBe('b'.repeat(1_999));
  });

  test('is never longer than asked for, and cuts no letter in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 1, max: 60 }), (text, longest) => {
        const excerpt = excerptOf(text, longest);
        expect(excerpt.length).toBeLessThanOrEqual(longest);
        expect(excerpt).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
