import { handle } from '@/lib/api/handle';
import { listPosts } from '@/lib/posts/queries';
import { postPageSchema } from '@/lib/posts/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { tipListQuerySchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'A portfolio’s posts, newest first',
    access: 'public',
    params: portfolioParamsSchema,
    query: tipListQuerySchema,
    answers: postPageSchema,
  },
  ({ viewer, params, query, now }) => listPosts(viewer, params.reference, { skip: query.skip }, now),
);
