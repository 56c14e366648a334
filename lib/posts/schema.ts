import { z } from 'zod';
import { lineSchema, markdownSchema, safeHtmlSchema } from '@/lib/content/schema';
import { idempotencyKeySchema } from '@/lib/reference/schema';
import { tipAnswerSchema, tipReferenceSchema, tipViewSchema } from '@/lib/tips/schema';

/** Ours: the bounds of a post: characters of its title and its text, and tips that it may hold. */
export const postLimits = { shortestTitle: 3, longestTitle: 120, longestBody: 20_000, tips: 12 } as const;

/** Enough for the longest text in any script, as JSON. */
export const postBodyBytes = 128 * 1024;

const { shortestTitle, longestTitle, longestBody, tips } = postLimits;

const postFields = {
  title: lineSchema('the title', { shortest: shortestTitle, longest: longestTitle }),
  body: markdownSchema('the text', { longest: longestBody }).refine((text) => text !== '', 'the post needs a text'),
  premiumOnly: z.boolean().default(false),
  tips: z
    .array(tipReferenceSchema)
    .max(tips, `a post has ${tips} tips at most`)
    .refine((references) => new Set(references).size === references.length, 'a tip may stand in a post once')
    .default([]),
};

/** A post as a tipster sends it. `idempotencyKey` names the attempt: sent twice, it publishes once. `tips` are references of the same portfolio. */
export const postInputSchema = z.strictObject({ idempotencyKey: idempotencyKeySchema, ...postFields });

/** Spec §7, add-post: the body of the call, whose header names the attempt. */
export const postBodySchema = z.strictObject(postFields);

/** A post as its author changes it; `version` is the one that was changed, so that no other change is written over unseen. */
export const postEditSchema = z.strictObject({ version: z.int().min(1), ...postFields });

/** A post as its author changes it. */
export type PostEdit = z.input<typeof postEditSchema>;

/** What is answered once a post is edited: its reference, the moment by the server's clock, and the version that it has now. */
export const editedPostSchema = z.object({ reference: z.string(), editedAt: z.iso.datetime(), version: z.int() });

/** What is answered once a post is edited. */
export type EditedPost = z.infer<typeof editedPostSchema>;

/** A post as a tipster sends it. */
export type PostInput = z.input<typeof postInputSchema>;

/** Why a viewer may not read a post: it is for members only. */
export const postLocks = ['members'] as const;

/** A post in a list: `lock` says why its excerpt and tips are absent; `tips` are the references that the viewer may see. */
export const postSummarySchema = z.object({
  reference: z.string(),
  portfolioReference: z.string(),
  portfolioName: z.string(),
  title: z.string(),
  publishedAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  premiumOnly: z.boolean(),
  lock: z.enum(postLocks).nullable(),
  excerpt: z.string().nullable(),
  tips: z.array(z.string()),
  demo: z.boolean(),
});

/** A post in a list. */
export type PostSummary = z.infer<typeof postSummarySchema>;

/** Spec §3, post: `body` is Markdown and `html` what it becomes in a page, both null when the post is locked; `tipItems` are the tips that `tips` refers to. */
export const postViewSchema = postSummarySchema.extend({
  body: z.string().nullable(),
  html: safeHtmlSchema.nullable(),
  tipItems: z.array(tipViewSchema),
});

/** A post in the answer of a call. */
export const postAnswerSchema = postViewSchema.extend({ tipItems: z.array(tipAnswerSchema) });

/** A post as a viewer sees it. */
export type PostView = z.infer<typeof postViewSchema>;

/** What a post said before it was edited, for its owner: when that was written, and by whom. */
export const earlierPostSchema = z.object({
  version: z.int(),
  title: z.string(),
  body: z.string(),
  premiumOnly: z.boolean(),
  tips: z.array(z.string()),
  writtenAt: z.iso.datetime(),
  writtenBy: z.string(),
});

/** A post as its owner edits it: the version that it has, all of its tips, and what it said before, newest first. */
export const ownPostSchema = postViewSchema.extend({
  body: z.string(),
  html: safeHtmlSchema,
  version: z.int(),
  earlier: z.array(earlierPostSchema),
});

/** A post as its owner edits it. */
export type OwnPost = z.infer<typeof ownPostSchema>;

/** The answer of GET /user/portfolio/{ref}/posts/{post}: product §15: its tips with their legs. */
export const ownPostAnswerSchema = ownPostSchema.extend({ tipItems: z.array(tipAnswerSchema) });

/** A page of posts; `next` is what to send as `skip` for more, null at the end. */
export const postPageSchema = z.object({ items: z.array(postSummarySchema), next: z.int().nullable() });

/** A page of posts in the answer of a call: spec §3: each with the tips that `tips` refers to. */
export const postPageAnswerSchema = postPageSchema.extend({
  items: z.array(postSummarySchema.extend({ tipItems: z.array(tipAnswerSchema) })),
});

/** A page of posts. */
export type PostPage = z.infer<typeof postPageSchema>;

/** The reference of a post: ten lowercase letters and digits. */
export const postReferenceSchema = z.string().regex(/^[a-z0-9]{10}$/, 'must be the ten letters and digits of a post');
