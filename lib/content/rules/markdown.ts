import { LRUCache } from 'lru-cache';
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { slug } from '@/lib/reference/rules';
import type { SafeHtml } from '../schema/safe-html';

// A page has its own h1, so the highest heading of a text becomes an h2, the next one in use an h3, whatever levels the author chose.
const highestHeading = 2;
const lowestHeading = 6;

// Ours: addresses of the web and of this site. Nothing else can be followed, and no scheme that a browser knows can run a script.
const isFollowable = (url: string) => /^(https?:\/\/|\/(?![/\\]))/i.test(url);

// Ours (0030): a picture that was uploaded here, whose address says its size. What any other picture says stands in its place.
const uploaded = /^\/api\/images\/[0-9a-f]{64}-([1-9]\d{0,3})x([1-9]\d{0,3})\.webp$/;

function newMarkdown({ typographer = false, pictures = false } = {}) {
  const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 20, typographer });
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  markdown.validateLink = isFollowable;
  markdown.renderer.rules.image = (tokens, index, options, env, renderer) => {
    const words = markdown.utils.escapeHtml(renderer.renderInlineAsText(tokens[index]?.children ?? [], options, env));
    const [src, width, height] = (pictures && uploaded.exec(String(tokens[index]?.attrGet('src') ?? ''))) || [];
    return src
      ? `<img src="${src}" alt="${words}" width="${width}" height="${height}" loading="lazy" decoding="async">`
      : words;
  };
  markdown.core.ruler.push('headings', ({ tokens }) => {
    const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
    const used = [...new Set(headings.map(({ tag }) => tag))].sort();
    for (const heading of headings)
      heading.tag = `h${Math.min(highestHeading + used.indexOf(heading.tag), lowestHeading)}`;
  });
  return markdown;
}

const withTables = newMarkdown({ pictures: true });
const withoutTables = newMarkdown({ pictures: true }).disable('table');
const setInType = newMarkdown({ typographer: true, pictures: true });
const mostCells = 5_000;

// A short row is filled up to the width of its table, so that a few kilobytes could become a hundred thousand cells.
function markdownFor(text: string) {
  const lines = text.split('\n');
  const columns = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0);
  return columns * lines.length > mostCells ? withoutTables : withTables;
}

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'strong',
    'em',
    's',
    'a',
    'code',
    'pre',
    'blockquote',
    'ul',
    'ol',
    'li',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: { a: ['href', 'title', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https'],
  allowedSchemesAppliedToAttributes: ['href'],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, { href = '', title }) => ({
      tagName,
      attribs: { ...(isFollowable(href) ? { href } : {}), ...(title ? { title } : {}), rel: 'nofollow ugc noopener' },
    }),
  },
};

const allowedInTexts: sanitizeHtml.IOptions = {
  ...allowed,
  allowedTags: [...(allowed.allowedTags || []), 'img'],
  allowedAttributes: { ...allowed.allowedAttributes, img: ['src', 'alt', 'width', 'height', 'loading', 'decoding'] },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !uploaded.test(attribs.src ?? ''),
};

// Ours (0117): a long text takes 100 ms, and calls show it again and again. In characters, of texts and of what they became.
const mostKept = 16_000_000;

const kept = new LRUCache<string, string>({
  maxSize: mostKept,
  sizeCalculation: (made, text) => text.length + made.length,
});

function keptOf<T extends string>(key: string, make: () => T): T {
  const made = (kept.get(key) as T | undefined) ?? make();
  kept.set(key, made);
  return made;
}

/** Markdown as markup that is safe in a page below its h1: raw HTML is text, pictures that were not uploaded here are their descriptions, tables of more than some thousand cells stay text, links are marked as the author’s. */
export function renderMarkdown(text: string): SafeHtml {
  return keptOf(`whole ${text}`, () => sanitizeHtml(markdownFor(text).render(text), allowedInTexts) as SafeHtml);
}

// Ids of a text keep clear of those of the page around it.
const idPrefix = 'on-';

const allowedInArticles: sanitizeHtml.IOptions = {
  ...allowedInTexts,
  allowedAttributes: {
    ...allowedInTexts.allowedAttributes,
    table: ['tabindex'],
    ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, ['id']])),
  },
  transformTags: {
    a: (tagName, { href = '', title }) => ({
      tagName,
      attribs: {
        ...(isFollowable(href) ? { href } : {}),
        ...(title ? { title } : {}),
        ...(href.startsWith('/') ? {} : { rel: 'noopener' }),
      },
    }),
  },
};

/** A part of a text: its heading and the id that leads to it. */
export type TextPart = { id: string; title: string };

/** Markdown of the site’s own staff as safe markup below a page’s h1, with curly quotation marks and the parts that its highest headings make; tables can be scrolled by keyboard. */
export function renderArticle(text: string): { html: SafeHtml; parts: TextPart[] } {
  const tokens = setInType.parse(text, {});
  const used = new Set<string>();
  const parts: TextPart[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') token.attrSet('tabindex', '0');
    // A heading that says nothing is none.
    if (token.type === 'th_open' && tokens[index + 1]?.content === '')
      for (const cell of [token, tokens[index + 2]]) if (cell) cell.tag = 'td';
    if (token.type !== 'heading_open') continue;
    const title = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
    const name = `${idPrefix}${slug(title)}`;
    let id = name;
    for (let time = 2; used.has(id); time += 1) id = `${name}-${time}`;
    used.add(id);
    token.attrSet('id', id);
    if (token.tag === `h${highestHeading}`) parts.push({ id, title });
  }
  return {
    html: sanitizeHtml(setInType.renderer.render(tokens, setInType.options, {}), allowedInArticles) as SafeHtml,
    parts,
  };
}

/** HTML that staff entered, such as the terms of a bonus, without what does not belong into a text. */
export function cleanHtml(html: string): SafeHtml {
  return sanitizeHtml(html, allowedInArticles) as SafeHtml;
}

/** Ours: of how much of a text an excerpt is made, in characters, marks and addresses of links included. */
export const excerptSourceLength = 2_000;

/** The first words of what the paragraphs of a Markdown text say, without its marks, in at most `longest` characters; empty when it has no paragraph, and made of its first `excerptSourceLength` characters. */
export function excerptOf(text: string, longest: number): string {
  // Half of a letter at the end is none.
  const source = text.slice(0, excerptSourceLength).replace(/[\ud800-\udbff]$/, '');
  return keptOf(`${longest} ${source}`, () => firstWords(source, longest));
}

function firstWords(source: string, longest: number): string {
  const tokens = markdownFor(source).parse(source, {});
  let whole = '';
  for (const [index, { type, children }] of tokens.entries()) {
    if (type !== 'inline' || tokens[index - 1]?.type !== 'paragraph_open') continue;
    const words = (children ?? []).map((child) => (child.type.endsWith('break') ? ' ' : child.content)).join('');
    whole = `${whole}${/[\p{L}\p{N}]$/u.test(whole) ? ' · ' : ' '}${words}`.replace(/\s+/g, ' ').trimStart();
    if (whole.length > longest + 1) break;
  }
  whole = whole.trimEnd();
  if (whole.length <= longest) return whole;
  const cut = [...whole].reduce((kept, letter) => (kept.length + letter.length < longest ? kept + letter : kept), '');
  return `${cut.replace(/[\s.,;:]*\s\S*$/, '')}…`;
}
