import { handle } from '@/lib/api/handle';
import { guest } from '@/lib/http/viewer';
import { getPost } from '@/lib/posts/queries';
import { postAnswerSchema, postReferenceSchema } from '@/lib/posts/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { tipAnswer } from '@/lib/tips/rules';

export const GET = handle(
  {
    summary: 'A post as every guest sees it',
    access: 'public',
    params: portfolioParamsSchema.extend({ post: postReferenceSchema }),
    answers: postAnswerSchema,
  },
  async ({ params, now }) => {
    const post = await getPost(guest(), params.reference, params.post, now);
    return { ...post, tipItems: post.tipItems.map(tipAnswer) };
  },
);
