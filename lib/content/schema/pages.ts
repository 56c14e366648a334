import { z } from 'zod';
import { sports } from '@/lib/reference/schema';
import { lineSchema, lineText } from './text';

/** Product §9: the kinds of content. Each is a folder of `content/`; `pages` stand alone under the root, every other kind is a section of the site. */
export const contentKinds = [
  'articles',
  'tip-of-the-day',
  'betting-guides',
  'betting-scams',
  'betting-terms',
  'betting-strategies',
  'bet-types',
  'bookmaker-reviews',
  'pages',
] as const;

/** A kind of content. */
export type ContentKind = (typeof contentKinds)[number];

/** A kind of content with an index of its own. */
export type SectionKind = Exclude<ContentKind, 'pages'>;

/** Ours: the bounds of a page, in characters. */
export const contentLimits = {
  shortestTitle: 3,
  longestTitle: 120,
  shortestSummary: 50,
  longestSummary: 160,
  longestBody: 100_000,
  longestReference: 100,
} as const;

/** What names a page within its kind: lowercase words and figures joined by hyphens. */
export const contentReferenceSchema = z
  .string()
  .max(contentLimits.longestReference)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase words joined by hyphens, such as closing-line-value');

const sport = z
  .string()
  .refine(
    (reference) => sports.some((known) => known.reference === reference),
    'must be the reference of a sport, such as football',
  )
  .nullable()
  .default(null);

const factsOf = (line: (name: string, longest?: number) => z.ZodType<string>) =>
  ({
    articles: z.strictObject({ sport }),
    'tip-of-the-day': z.strictObject({ sport }),
    'betting-guides': z.strictObject({}),
    'betting-scams': z.strictObject({}),
    'betting-terms': z.strictObject({
      term: line('the term', 60),
      seeAlso: z.array(contentReferenceSchema).default([]),
    }),
    'betting-strategies': z.strictObject({}),
    'bet-types': z.strictObject({}),
    'bookmaker-reviews': z.strictObject({
      bookmakerId: z.int().positive(),
      rating: z.number().min(0).max(5).multipleOf(0.5, 'must be in halves, such as 3.5').nullable().default(null),
      pros: z.array(line('a point')),
      cons: z.array(line('a point')),
    }),
    pages: z.strictObject({}),
  }) satisfies Record<ContentKind, z.ZodObject>;

const writtenLine = (name: string, longest = Number.POSITIVE_INFINITY) =>
  lineText(name).pipe(
    z.string().min(1, `${name} must not be empty`).max(longest, `${name} may have ${longest} characters at most`),
  );

/** What a page of each kind has beside its text, as it is written. Ratings are of 5, in halves; null where nothing was rated. */
export const contentFacts = factsOf(writtenLine);

/** The same as it is kept, under whatever rules it was written. */
export const keptFacts = factsOf(() => z.string());

/** What a page of this kind has beside its text. */
export type ContentFacts<K extends ContentKind> = z.output<(typeof contentFacts)[K]>;

const { shortestTitle, longestTitle, shortestSummary, longestSummary } = contentLimits;
const day = z.iso.date('must be a date such as 2026-11-20');

/** What stands in the front matter of every page. */
export const frontMatterSchema = z.strictObject({
  title: lineSchema('the title', { shortest: shortestTitle, longest: longestTitle }),
  summary: lineSchema('the summary', { shortest: shortestSummary, longest: longestSummary }),
  published: day,
  updated: day.optional(),
  demo: z.boolean('must be true or false').default(false),
});

/** A page as its source gives it; days are YYYY-MM-DD, `body` is Markdown. */
export type ContentSource<K extends ContentKind = ContentKind> = {
  kind: K;
  reference: string;
  title: string;
  summary: string;
  publishedOn: string;
  updatedOn: string | null;
  demo: boolean;
  facts: ContentFacts<K>;
  body: string;
};

/** A page in a list. */
export type ContentSummary<K extends ContentKind = ContentKind> = Omit<ContentSource<K>, 'body'>;

/** The way to a page. */
export type ContentLink = { kind: ContentKind; reference: string; title: string };

/** A page with its text, its neighbours in the order of its section, and the pages that belong to it: named by it, linking to it, or of its sport. */
export type ContentView<K extends ContentKind = ContentKind> = ContentSource<K> & {
  previous: ContentLink | null;
  next: ContentLink | null;
  related: ContentLink[];
};

/** A part of a section; `next` is what to send as `skip` for more, null at the end. */
export type ContentList<K extends ContentKind = ContentKind> = { items: ContentSummary<K>[]; next: number | null };
