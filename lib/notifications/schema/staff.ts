import { z } from 'zod';
import { staffOrderSchema } from '@/lib/staff/schema';

/** How a queue of news stands: how many wait, no more than `countedUpTo`, since when the first of them (ISO), and how many of the last day failed. */
export type NewsQueue = {
  name: 'events' | 'email' | 'daily' | 'push' | 'telegram' | 'webhooks' | 'mails';
  waiting: number;
  oldestAt: string | null;
  failed: number;
  countedUpTo: number;
};

const numbered = (what: string, digits: number) =>
  z.string().regex(new RegExp(`^[1-9]\\d{0,${digits - 1}}$`), `is not the number of ${what}`);

/** The number of a notification in an address. */
export const deliveryParamsSchema = z.object({ delivery: numbered('a notification', 15) });
/** The number of an event in an address. */
export const eventParamsSchema = z.object({ event: numbered('an event', 15) });
/** The number of a mail of the outbox in an address. */
export const mailParamsSchema = z.object({ mail: numbered('a mail', 9) });
/** The number of an address that takes no news. */
export const bounceParamsSchema = z.object({ bounce: numbered('an address that takes no news', 9) });

/** POST /admin/notifications/{delivery}: what staff do with a notification. */
export const deliveryOrderSchema = staffOrderSchema.extend({ action: z.enum(['delivery.retry', 'delivery.give-up']) });
/** What staff do with a notification. */
export type DeliveryOrder = z.infer<typeof deliveryOrderSchema>;

/** POST /admin/mails/{mail}: what staff do with a mail of the outbox. */
export const mailOrderSchema = staffOrderSchema.extend({ action: z.enum(['mail.retry', 'mail.give-up']) });
/** What staff do with a mail of the outbox. */
export type MailOrder = z.infer<typeof mailOrderSchema>;

/** POST /admin/news-events/{event}: what staff do with an event that is to be spread. */
export const eventOrderSchema = staffOrderSchema.extend({ action: z.enum(['event.spread', 'event.give-up']) });
/** What staff do with an event that is to be spread. */
export type EventOrder = z.infer<typeof eventOrderSchema>;

/** POST /admin/bounces/{bounce}: news go to the address again. */
export const liftOrderSchema = staffOrderSchema.extend({ action: z.literal('bounce.lift') });

/** POST /admin/bounces: no news go to the address of a member. */
export const stopOrderSchema = staffOrderSchema.extend({
  action: z.literal('bounce.stop'),
  address: z
    .string()
    .trim()
    .max(254, 'An address has 254 characters at most.')
    .regex(/^[^\s@\0]+@[^\s@\0]+$/, 'Enter an e-mail address.'),
});
/** No news go to the address of a member. */
export type StopOrder = z.infer<typeof stopOrderSchema>;
