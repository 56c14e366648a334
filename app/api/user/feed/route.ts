import { handle } from '@/lib/api/handle';
import { listFeed } from '@/lib/notifications/queries';
import { feedPageSchema, feedQuerySchema } from '@/lib/notifications/schema';

export const GET = handle(
  {
    summary: 'What the tipsters whom the member follows published, tips and posts, newest first',
    access: 'member',
    query: feedQuerySchema,
    answers: feedPageSchema,
  },
  ({ viewer, query, now }) => listFeed(viewer, query, now),
);
