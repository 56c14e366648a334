import { handle } from '@/lib/api/handle';
import { countUnread } from '@/lib/notifications/queries';
import { unreadSchema } from '@/lib/notifications/schema';

export const GET = handle(
  {
    summary: 'How many notifications of the past 30 days the member has not read',
    access: 'member',
    answers: unreadSchema,
  },
  async ({ viewer, now }) => ({ unread: await countUnread(viewer, now) }),
);
