import { z } from 'zod';
import { exactSchema } from '@/lib/stats/schema';
import { tipViewSchema } from '@/lib/tips/schema';

/** Ours: how far back notifications reach, in days, and how many there are at most. */
export const notificationLimits = { days: 30, items: 30 } as const;

/**
 * Product §8: what a followed tipster did: a tip published, or a settlement of one (its version; 2 or more is a correction).
 * `what` is null where the viewer may not read the tip yet; outcome and profit, in hundredths of a unit, are a settlement's.
 */
export const notificationSchema = tipViewSchema
  .pick({ portfolioReference: true, portfolioName: true, legCount: true, lock: true, demo: true })
  .extend({
    kind: z.enum(['tip', 'settlement']),
    at: z.iso.datetime(),
    tipReference: z.string(),
    version: z.int().min(1).nullable(),
    what: z.string().nullable(),
    outcome: z.string().nullable(),
    profitHundredths: exactSchema.nullable(),
  });

/** What a followed tipster did. */
export type Notification = z.infer<typeof notificationSchema>;

/** The latest notifications of a member, newest first. */
export const notificationListSchema = z.object({ items: z.array(notificationSchema) });

/** The latest notifications of a member, newest first. */
export type NotificationList = z.infer<typeof notificationListSchema>;
