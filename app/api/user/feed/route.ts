import { handle } from '@/lib/api/handle';
import { listFeed } from '@/lib/notifications/queries';
import { feedPageAnswerSchema, feedQuerySchema } from '@/lib/notifications/schema';
import { tipAnswer } from '@/lib/tips/rules';

export const GET = handle(
  {
    summary: 'What the tipsters whom the member follows published, tips and posts, newest first',
    access: 'member',
    query: feedQuerySchema,
    answers: feedPageAnswerSchema,
  },
  async ({ viewer, query, now }) => {
    const { items, next } = await listFeed(viewer, query, now);
    return { items: items.map((item) => (item.kind === 'tip' ? { ...item, tip: tipAnswer(item.tip) } : item)), next };
  },
);
