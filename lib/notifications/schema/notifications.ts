import { z } from 'zod';
import { eventKinds } from '@/lib/events/schema';
import { exactSchema } from '@/lib/stats/schema';

/** Ours: how far back notifications reach, in days, and how many there are at most. */
export const notificationLimits = { days: 30, items: 30 } as const;

/**
 * Spec §2.6, product §12, the notification row: what happened, in one line and a few, as the member may see it now, and the path that it leads
 * to; outcome and profit, in hundredths of a unit, are a settlement's.
 */
export const notificationSchema = z.object({
  id: z.int(),
  kind: z.enum(eventKinds),
  at: z.iso.datetime(),
  read: z.boolean(),
  title: z.string(),
  body: z.string(),
  path: z.string(),
  portfolio: z.object({ reference: z.string(), name: z.string(), demo: z.boolean() }).nullable(),
  outcome: z.string().nullable(),
  profitHundredths: exactSchema.nullable(),
});

/** What happened, as the member may see it now. */
export type Notification = z.infer<typeof notificationSchema>;

/** The latest notifications of a member, newest first, and how many of all are unread. */
export const notificationListSchema = z.object({ items: z.array(notificationSchema), unread: z.int() });

/** The latest notifications of a member, newest first. */
export type NotificationList = z.infer<typeof notificationListSchema>;

/** POST /user/notifications/read: the newest that was seen; it and all before are read. */
export const readUpToSchema = z.strictObject({
  upTo: z.int('upTo must be the id of a notification').min(1).max(Number.MAX_SAFE_INTEGER),
});

/** How many are unread. */
export const unreadSchema = z.object({ unread: z.int() });
