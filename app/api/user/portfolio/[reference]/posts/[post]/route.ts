import { handle } from '@/lib/entry/handle';
import { editPost } from '@/lib/posts/commands/edit';
import { editedPostSchema, postBodyBytes, postEditSchema, postReferenceSchema } from '@/lib/posts/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema/idempotency-key';
import { portfolioParamsSchema } from '@/lib/stats/schema/calls';

export const PUT = handle(
  {
    summary: 'Edit a post of one’s own; what it said before is kept',
    access: 'confirmed',
    params: portfolioParamsSchema.extend({ post: postReferenceSchema }),
    headers: idempotencyHeadersSchema,
    body: postEditSchema,
    maxBytes: postBodyBytes,
    answers: editedPostSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, params, headers, body, now }) => editPost(viewer, { portfolioReference: params.reference, reference: params.post, input: body, key: headers['idempotency-key'] }, now),
);
