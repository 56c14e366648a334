import { handle } from '@/lib/api/handle';
import { getPost } from '@/lib/posts/queries';
import { postAnswerSchema, postReferenceSchema } from '@/lib/posts/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { tipAnswer } from '@/lib/tips/rules';

export const GET = handle(
  {
    summary: 'A post as the viewer may see it',
    access: 'public',
    params: portfolioParamsSchema.extend({ post: postReferenceSchema }),
    answers: postAnswerSchema,
  },
  async ({ viewer, params, now }) => {
    const post = await getPost(viewer, params.reference, params.post, now);
    return { ...post, tipItems: post.tipItems.map(tipAnswer) };
  },
);
