import { handle } from '@/lib/api/handle';
import { readNotifications } from '@/lib/notifications/commands';
import { countUnread } from '@/lib/notifications/queries';
import { readShownSchema, unreadSchema } from '@/lib/notifications/schema';

export const POST = handle(
  {
    summary: 'Marks the notifications that were shown as read, on all devices of the member',
    access: 'member',
    whileSuspended: true,
    body: readShownSchema,
    answers: unreadSchema,
  },
  async ({ viewer, body, now }) => {
    await readNotifications(viewer, body, now);
    return { unread: await countUnread(viewer, now) };
  },
);
