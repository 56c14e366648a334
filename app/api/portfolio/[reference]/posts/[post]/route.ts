import { handle } from '@/lib/api/handle';
import { getPost } from '@/lib/posts/queries';
import { postReferenceSchema, postViewSchema } from '@/lib/posts/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'A post as the viewer may see it',
    access: 'public',
    params: portfolioParamsSchema.extend({ post: postReferenceSchema }),
    answers: postViewSchema,
  },
  ({ viewer, params, now }) => getPost(viewer, params.reference, params.post, now),
);
