import { z } from 'zod';
import { staffOrderSchema } from '@/lib/staff/schema';
import {
  contentFacts,
  type ContentKind,
  contentKinds,
  contentLimits,
  contentReferenceSchema,
  frontMatterSchema,
} from './pages';
import { lineText, linesText, markdownSchema } from './text';

const { title, summary, demo } = frontMatterSchema.shape;

/** A page as staff write it: what a file has, without its days, which the site keeps itself. */
export const contentDraftSchema = z.strictObject({
  title,
  summary,
  demo,
  body: markdownSchema('The text', { longest: contentLimits.longestBody }).pipe(
    z.string().min(1, 'Write the text of the page'),
  ),
  facts: z.record(z.string(), z.unknown()),
});

/** A page as staff write it. */
export type ContentDraft = z.output<typeof contentDraftSchema>;

/** The path of a call about one page of content. */
export const contentParamsSchema = z.object({ kind: z.enum(contentKinds), reference: contentReferenceSchema });

const numberText = (name: string) =>
  z
    .string(`${name} must be a whole number`)
    .regex(/^\d{1,6}$/, `${name} must be a whole number`)
    .transform(Number);
const after = numberText('after, the newest version that you saw,');

/** When a version is public: never by itself (`draft`), at once, or at a moment of UTC. */
const publishing = {
  when: z.enum(['draft', 'now', 'at'], 'Choose when it shall be public'),
  publishAt: z
    .string()
    .trim()
    .regex(/^(\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?)?$/, 'must be a moment such as 2026-12-01T09:00')
    .default(''),
};

const lines = (name: string) => linesText(name).prefault('');
const optional = z.string().trim().default('');

/** Ours (0078): the calls of staff about one page; `after` is the newest version that they saw, 0 for none, and `version` empty means the page's file. */
export const contentOrderSchema = z.discriminatedUnion('action', [
  staffOrderSchema.extend({
    action: z.literal('content.save'),
    after,
    title: z.string(),
    summary: z.string(),
    demo: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
    body: z.string(),
    term: lineText('the term').default(''),
    seeAlso: lines('the list of terms'),
    sport: optional,
    bookmakerId: optional,
    rating: optional,
    pros: lines('what speaks for it'),
    cons: lines('what speaks against it'),
    ...publishing,
  }),
  staffOrderSchema.extend({
    action: z.literal('content.restore'),
    after,
    version: z
      .string()
      .regex(/^(\d{1,6})?$/, 'must be the number of a version, or empty for the file')
      .default(''),
    ...publishing,
  }),
  staffOrderSchema.extend({ action: z.literal('content.withdraw'), version: numberText('version') }),
  staffOrderSchema.extend({ action: z.enum(['content.take-off', 'content.put-back']), after }),
]);

/** What staff order about one page. */
export type ContentOrder = z.output<typeof contentOrderSchema>;

type Fields = Extract<ContentOrder, { action: 'content.save' }>;

/** What a page of a kind has beside its text, of the fields of its form. */
export function factsOfFields(kind: ContentKind, fields: Fields): Record<string, unknown> {
  const { term, seeAlso, sport, bookmakerId, rating, pros, cons } = fields;
  switch (kind) {
    case 'articles':
    case 'tip-of-the-day':
      return { sport: sport === '' ? null : sport };
    case 'betting-terms':
      return { term, seeAlso };
    case 'bookmaker-reviews':
      return { bookmakerId: Number(bookmakerId), rating: rating === '' ? null : Number(rating), pros, cons };
    default:
      return {};
  }
}

/** `problems` keep a page from being published; `warnings` are for the eye of whoever publishes it. */
export type ContentChecks = { problems: string[]; warnings: string[] };

/** The facts of a page of a kind, or one sentence for each that is wrong. */
export function readFacts(
  kind: ContentKind,
  given: unknown,
): { facts: Record<string, unknown> } | { problems: string[] } {
  const read = contentFacts[kind].safeParse(given);
  return read.success
    ? { facts: read.data }
    : { problems: read.error.issues.map(({ path, message }) => `${path.join('.') || 'facts'}: ${message}`) };
}

/** A version that is to be public at this moment is a draft: it is published by nobody but staff. */
export const draftMoment = '9999-12-31T00:00:00.000Z';

/** What became of a version: a draft, `waiting` for its moment, or an outcome. */
export type VersionState = 'draft' | 'waiting' | 'published' | 'superseded' | 'withdrawn';

/** A version in a list; moments are ISO strings. */
export type ContentVersion = {
  version: number;
  author: string;
  reason: string;
  madeAt: string;
  publishAt: string;
  followsFile: boolean;
  /** True for the one by which the text was taken off the site. */
  takesOff: boolean;
  state: VersionState;
};

/** A page of content in the list of staff: where its text comes from, and what asks for somebody. Moments are ISO strings. */
export type EditableRow = {
  kind: ContentKind;
  reference: string;
  title: string;
  source: 'file' | 'edit' | 'staff alone';
  versions: number;
  waitingUntil: string | null;
  fileChanged: boolean;
  /** True for a text that was public and was taken off the site. */
  isOff: boolean;
  shownOn: string | null;
};
