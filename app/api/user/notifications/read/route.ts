import { handle } from '@/lib/api/handle';
import { readNotifications } from '@/lib/notifications/commands';
import { countUnread } from '@/lib/notifications/queries';
import { readUpToSchema, unreadSchema } from '@/lib/notifications/schema';

export const POST = handle(
  {
    summary: 'Marks notifications as read, up to the one that is named, on all devices of the member',
    access: 'member',
    body: readUpToSchema,
    answers: unreadSchema,
  },
  async ({ viewer, body, now }) => {
    await readNotifications(viewer, body.upTo, now);
    return { unread: await countUnread(viewer, now) };
  },
);
