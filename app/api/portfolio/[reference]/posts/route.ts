import { handle } from '@/lib/api/handle';
import { listPostsWithTips } from '@/lib/posts/queries';
import { postPageAnswerSchema } from '@/lib/posts/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { tipAnswer } from '@/lib/tips/rules';
import { tipListQuerySchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'A portfolio’s posts, newest first',
    access: 'public',
    params: portfolioParamsSchema,
    query: tipListQuerySchema,
    answers: postPageAnswerSchema,
  },
  async ({ viewer, params, query, now }) => {
    const { items, next } = await listPostsWithTips(viewer, params.reference, { skip: query.skip }, now);
    return { items: items.map((post) => ({ ...post, tipItems: post.tipItems.map(tipAnswer) })), next };
  },
);
