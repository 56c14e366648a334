/** @jest-environment jsdom */
import { renderMarkdown } from '@/lib/content/rules';
import { markdownSchema } from '@/lib/content/schema';
import { allVectors } from './more-vectors';

const allowed: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'rel'],
  ol: ['start'],
  img: ['src', 'alt', 'width', 'height', 'loading', 'decoding'],
};
const tags = 'p br hr h2 h3 h4 h5 h6 strong em s a code pre blockquote ul ol li table thead tbody tr th td img'.split(
  ' ',
);
const picture = /^\/api\/images\/[0-9a-f]{64}-[1-9]\d{0,3}x[1-9]\d{0,3}\.webp$/;

/** What of a text’s markup no text may bring, as a browser reads it. */
function harmIn(text: string): string[] {
  const page = new DOMParser().parseFromString(renderMarkdown(text), 'text/html');
  return [...page.body.querySelectorAll('*'), ...page.head.querySelectorAll('*')].flatMap((element) => [
    ...(tags.includes(element.localName) ? [] : [`<${element.localName}>`]),
    ...element.getAttributeNames().filter((name) => !allowed[element.localName]?.includes(name)),
    ...(element.localName === 'img' && !picture.test(element.getAttribute('src') ?? '')
      ? [`src ${element.getAttribute('src')}`]
      : []),
    ...(element.localName === 'a' && !/^(https?:\/\/|\/(?![/\\]))/i.test(element.getAttribute('href') ?? '/')
      ? [`href ${element.getAttribute('href')}`]
      : []),
  ]);
}

test('there are 223 ways and more', () => expect(allVectors.length).toBeGreaterThan(223));

test.each(allVectors)('nothing in a text acts: %j', (text) => {
  const stored = markdownSchema('the text', { longest: 20_000 }).safeParse(text).data ?? text;
  for (const each of [
    text,
    stored,
    `# A heading\n\n${text}\n\nand on`,
    `> - ${text}`,
    `**${text}**`,
    `| a |\n|---|\n| ${text} |`,
  ])
    expect(harmIn(each)).toEqual([]);
});

test('a picture that was uploaded here stands in a text with its size and what it says', () => {
  const path = `/api/images/${'0a'.repeat(32)}-1600x900.webp`;
  expect(renderMarkdown(`![The "table" <now>](${path})`)).toBe(
    `<p><img src="${path}" alt="The &quot;table&quot; &lt;now&gt;" width="1600" height="900" loading="lazy" decoding="async" /></p>\n`,
  );
});
