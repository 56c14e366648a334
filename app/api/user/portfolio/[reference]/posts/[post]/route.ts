import { handle } from '@/lib/api/handle';
import { editPost } from '@/lib/posts/commands';
import { getOwnPost } from '@/lib/posts/queries';
import {
  editedPostSchema,
  ownPostSchema,
  postBodyBytes,
  postEditSchema,
  postReferenceSchema,
} from '@/lib/posts/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

const params = portfolioParamsSchema.extend({ post: postReferenceSchema });

export const GET = handle(
  {
    summary: 'A post as its owner edits it, with its version and what it said before',
    access: 'confirmed',
    params,
    answers: ownPostSchema,
  },
  ({ viewer, params: { reference, post }, now }) => getOwnPost(viewer, reference, post, now),
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
