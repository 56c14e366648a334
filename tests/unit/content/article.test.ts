/** @jest-environment jsdom */
import { cleanHtml, renderArticle } from '@/lib/content/rules';
import { hostileMarkdown } from './hostile-markdown';

function domOf(markup: string): HTMLElement {
  const element = document.createElement('div');
  element.innerHTML = markup;
  return element;
}

describe('an article', () => {
  test('has a part for each of its highest headings, each with the id that leads to it', () => {
    const { html, parts } = renderArticle('# One\n\nText\n\n## Deeper\n\n# The *second* `part`\n\n# One');
    expect(parts).toEqual([
      { id: 'on-one', title: 'One' },
      { id: 'on-the-second-part', title: 'The second part' },
      { id: 'on-one-2', title: 'One' },
    ]);
    const page = domOf(html);
    expect(parts.map(({ id }) => page.querySelector(`#${id}`)?.tagName)).toEqual(['H2', 'H2', 'H2']);
    expect(page.querySelector('h3')?.id).toBe('on-deeper');
  });

  test('never gives one id twice, whatever its headings are called', () => {
    const { html } = renderArticle(
      ['One', 'One 2', 'One', 'One', '!', '?', 'Title'].map((title) => `## ${title}`).join('\n\n'),
    );
    const ids = [...domOf(html).querySelectorAll('h2')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(7);
    expect(ids.every((id) => id.startsWith('on-'))).toBe(true);
  });

  test('links within the site plainly, and out of it without handing over the window', () => {
    const links = [
      ...domOf(renderArticle('[here](/betting-terms/odds) and [there](https://odds.example/)').html).querySelectorAll(
        'a',
      ),
    ];
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('rel')])).toEqual([
      ['/betting-terms/odds', null],
      ['https://odds.example/', 'noopener'],
    ]);
  });

  test('is set with the quotation marks of print, and leaves code as it was typed', () => {
    expect(renderArticle(`The "tipster's" \`a -- 'b'\``).html).toBe("<p>The “tipster’s” <code>a -- 'b'</code></p>\n");
  });

  test('has tables that can be scrolled by keyboard', () => {
    expect(domOf(renderArticle('| a | b |\n|---|---|\n| 1 | 2 |').html).querySelector('table')?.tabIndex).toBe(0);
  });

  test('has no heading of a column that says nothing', () => {
    const page = domOf(renderArticle('| | a |\n|---|---|\n| 1 | |').html);
    expect([...page.querySelectorAll('tr')].map((row) => [...row.children].map(({ localName }) => localName))).toEqual([
      ['td', 'th'],
      ['td', 'td'],
    ]);
  });

  test.each(hostileMarkdown)('takes nothing that acts into a page: %j', (text) => {
    for (const element of domOf(renderArticle(`## ${text}\n\n${text}`).html).querySelectorAll('*')) {
      expect(
        'p br hr h2 h3 h4 h5 h6 strong em s a code pre blockquote ul ol li table thead tbody tr th td'.split(' '),
      ).toContain(element.localName);
      expect(['href', 'rel', 'title', 'start', 'id', 'tabindex']).toEqual(
        expect.arrayContaining(element.getAttributeNames()),
      );
      expect(element.getAttribute('href') ?? '/').toMatch(/^(https?:\/\/|\/(?![/\\]))/i);
    }
  });
});

test('HTML that staff entered keeps its paragraphs and lists, and loses what acts', () => {
  expect(
    cleanHtml(
      '<p onclick="x()">Terms <img src=x onerror=y()><script>z()</script></p><ul><li>18+</li></ul><a href="javascript:a()">b</a>',
    ),
  ).toBe('<p>Terms </p><ul><li>18+</li></ul><a rel="noopener">b</a>');
});
