import { handle } from '@/lib/api/handle';
import { guest } from '@/lib/http/viewer';
import { getPost } from '@/lib/posts/queries';
import { postReferenceSchema, postViewSchema } from '@/lib/posts/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'A post as every guest sees it',
    access: 'public',
    params: portfolioParamsSchema.extend({ post: postReferenceSchema }),
    answers: postViewSchema,
  },
  ({ params, now }) => getPost(guest(), params.reference, params.post, now),
);
