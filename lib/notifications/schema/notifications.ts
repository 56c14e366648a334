import { z } from 'zod';
import { eventKinds } from '@/lib/events/schema';
import { exactSchema } from '@/lib/stats/schema';

/** Ours: how far back notifications reach, in days, and how many of them a page of their list tells. */
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

const idSchema = z.int('must be the id of a notification').min(1).max(Number.MAX_SAFE_INTEGER);

/** GET /user/notifications: those before the one of this id, the latest without it. */
export const notificationQuerySchema = z.object({ before: z.coerce.number().pipe(idSchema).optional() });

/**
 * A page of a member's notifications, newest first, and how many of all are unread; `unreadIds` are those of this page, with what can no longer be
 * told and so is no item; `next` is where the older ones go on, null where there are none.
 */
export const notificationListSchema = z.object({
  items: z.array(notificationSchema),
  unread: z.int(),
  unreadIds: z.array(z.int()),
  next: z.int().nullable(),
});

/** A page of a member's notifications, newest first. */
export type NotificationList = z.infer<typeof notificationListSchema>;

/** POST /user/notifications/read: the `unreadIds` of a page that was shown, or, from pages of the release before (0107), the newest id of those that were shown. */
export const readShownSchema = z
  .strictObject({
    ids: z.array(idSchema).min(1).max(notificationLimits.items).optional(),
    upTo: idSchema.optional(),
  })
  .refine(({ ids, upTo }) => (ids === undefined) !== (upTo === undefined), 'must have either ids or upTo');

/** Which notifications were read. */
export type ReadShown = z.infer<typeof readShownSchema>;

/** How many are unread. */
export const unreadSchema = z.object({ unread: z.int() });
