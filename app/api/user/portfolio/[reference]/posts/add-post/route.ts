import { handle } from '@/lib/api/handle';
import { publishPost } from '@/lib/posts/commands';
import { postBodyBytes, postBodySchema } from '@/lib/posts/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { publishedSchema } from '@/lib/tips/schema';

export const POST = handle(
  {
    summary: 'Publish a post in a portfolio of one’s own',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers: idempotencyHeadersSchema,
    body: postBodySchema,
    maxBytes: postBodyBytes,
    answers: publishedSchema,
    creates: true,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, params, headers, body }) =>
    publishPost(viewer, params.reference, { ...body, idempotencyKey: headers['idempotency-key'] }),
);
