import { z } from 'zod';
import { postSummarySchema } from '@/lib/posts/schema';
import { tipAnswerSchema, tipListQuerySchema, tipViewSchema } from '@/lib/tips/schema';

/** Ours: what stands on a page of the feed. */
export const feedPageSize = 20;

/** What a feed is narrowed to. */
export const feedKinds = ['all', 'tips', 'posts'] as const;

/** What a feed is narrowed to. */
export type FeedKind = (typeof feedKinds)[number];

/** GET /user/feed: what to show, and how many to leave out from the newest. */
export const feedQuerySchema = tipListQuerySchema.extend({
  kind: z.enum(feedKinds, "kind must be 'all', 'tips' or 'posts'").default('all'),
});

/** What a followed tipster published: a tip or a post, as the member may see it. */
export const feedItemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tip'), at: z.iso.datetime(), tip: tipViewSchema }),
  z.object({ kind: z.literal('post'), at: z.iso.datetime(), post: postSummarySchema }),
]);

/** What a followed tipster published. */
export type FeedItem = z.infer<typeof feedItemSchema>;

/** A page of the feed in the answer of a call, newest first; `next` is what to send as `skip` for more, null at the end. */
export const feedPageAnswerSchema = z.object({
  items: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('tip'), at: z.iso.datetime(), tip: tipAnswerSchema }),
      feedItemSchema.options[1],
    ]),
  ),
  next: z.int().nullable(),
});

/** A page of the feed. */
export type FeedPage = { items: FeedItem[]; next: number | null };
