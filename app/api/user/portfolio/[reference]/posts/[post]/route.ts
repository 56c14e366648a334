import { handle } from '@/lib/api/handle';
import { editPost } from '@/lib/posts/commands';
import { getOwnPost } from '@/lib/posts/queries';
import {
  editedPostSchema,
  ownPostAnswerSchema,
  postBodyBytes,
  postEditSchema,
  postReferenceSchema,
} from '@/lib/posts/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { tipAnswer } from '@/lib/tips/rules';

const params = portfolioParamsSchema.extend({ post: postReferenceSchema });

export const GET = handle(
  {
    summary: 'A post as its owner edits it, with its version and what it said before',
    access: 'confirmed',
    params,
    answers: ownPostAnswerSchema,
  },
  async ({ viewer, params: { reference, post: postReference }, now }) => {
    const post = await getOwnPost(viewer, reference, postReference, now);
    return { ...post, tipItems: post.tipItems.map(tipAnswer) };
  },
);

export const PUT = handle(
  {
    summary: 'Edit a post of one’s own; what it said before is kept',
    access: 'confirmed',
    params,
    headers: idempotencyHeadersSchema,
    body: postEditSchema,
    maxBytes: postBodyBytes,
    answers: editedPostSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, params: { reference, post }, headers, body, now }) =>
    editPost(
      viewer,
      { portfolioReference: reference, reference: post, input: body, key: headers['idempotency-key'] },
      now,
    ),
);
