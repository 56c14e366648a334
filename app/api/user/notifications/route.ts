import { handle } from '@/lib/api/handle';
import { listNotifications } from '@/lib/notifications/queries';
import { notificationListSchema, notificationQuerySchema } from '@/lib/notifications/schema';

export const GET = handle(
  {
    summary: 'What the tipsters that the member follows published and had settled in the past 30 days, newest first',
    access: 'member',
    query: notificationQuerySchema,
    answers: notificationListSchema,
  },
  ({ viewer, query, now }) => listNotifications(viewer, now, query.before),
);
