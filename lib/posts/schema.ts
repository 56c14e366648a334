import { z } from 'zod';
import { tipReferenceSchema, tipViewSchema } from '@/lib/tips/schema';

/** Ours: the bounds of a post: characters of its title and its text, and tips that it may hold. */
export const postLimits = { shortestTitle: 3, longestTitle: 120, longestBody: 20_000, tips: 12 } as const;

const { shortestTitle, longestTitle, longestBody, tips } = postLimits;

/** A post as a tipster sends it. `idempotencyKey` names the attempt: sent twice, it publishes once. `tips` are references of the same portfolio. */
export const postInputSchema = z.strictObject({
  idempotencyKey: z.string().min(1).max(100).regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces'),
  title: z
    .string()
    .transform((text) => text.replace(/\s+/g, ' ').trim())
    .pipe(
      z
        .string()
        .min(shortestTitle, `the title needs ${shortestTitle} characters at least`)
        .max(longestTitle, `the title may have ${longestTitle} characters at most`)
        .regex(/^\P{Cc}*$/u, 'the title may hold no control characters'),
    ),
  body: z
    .string()
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .min(1, 'the post needs a text')
        .max(longestBody, `the text may have ${longestBody} characters at most`)
        .regex(/^(?:\P{Cc}|[\n\t])*$/u, 'the text may hold no control characters'),
    ),
  premiumOnly: z.boolean().default(false),
  tips: z
    .array(tipReferenceSchema)
    .max(tips, `a post has ${tips} tips at most`)
    .refine((references) => new Set(references).size === references.length, 'a tip may stand in a post once')
    .default([]),
});

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

/** Spec §3, post: `body` is Markdown, null when the post is locked; `tipItems` are the tips that `tips` refers to. */
export const postViewSchema = postSummarySchema.extend({ body: z.string().nullable(), tipItems: z.array(tipViewSchema) });

/** A post as a viewer sees it. */
export type PostView = z.infer<typeof postViewSchema>;

/** A page of posts; `next` is what to send as `skip` for more, null at the end. */
export const postPageSchema = z.object({ items: z.array(postSummarySchema), next: z.int().nullable() });

/** A page of posts. */
export type PostPage = z.infer<typeof postPageSchema>;

/** The reference of a post: ten lowercase letters and digits. */
export const postReferenceSchema = z.string().regex(/^[a-z0-9]{10}$/, 'must be the ten letters and digits of a post');
