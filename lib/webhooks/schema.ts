import { z } from 'zod';
import { staffOrderSchema } from '@/lib/staff/schema';

/** Ours (0076): how often a delivery is tried, the first pause in seconds (twice as long each time), how long a try is nobody else's (longer than it takes), and how many failures in a row pause a webhook. */
export const webhookLimits = {
  attempts: 10,
  firstPauseSeconds: 30,
  leaseSeconds: 60,
  failuresToPause: 20,
  logged: 20,
} as const;

/** The body of PUT /user/portfolio/{reference}/webhook. */
export const webhookInputSchema = z.strictObject({
  address: z
    .string()
    .trim()
    .min(1, 'Write the address that events are to be sent to.')
    .max(2000, 'The address is too long.'),
});

/** A delivery as its log shows it: `status` is that of the last answer, `problem` why there was none. */
export const webhookDeliverySchema = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.int(),
  createdAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  nextAt: z.iso.datetime().nullable(),
  status: z.int().nullable(),
  problem: z.string().nullable(),
});

/** A portfolio's webhook as its owner sees it, without its secret. */
export const webhookSchema = z.object({
  address: z.string(),
  pausedAt: z.iso.datetime().nullable(),
  failures: z.int(),
  deliveries: z.array(webhookDeliverySchema),
});

/** A portfolio's webhook as its owner sees it. */
export type WebhookView = z.infer<typeof webhookSchema>;

/** The answer of GET /user/portfolio/{reference}/webhook. */
export const webhookAnswerSchema = z.object({ webhook: webhookSchema.nullable() });

/** The answer to a change: `secret` is told once, when it is made, and null else. */
export const webhookChangedSchema = z.object({ webhook: webhookSchema, secret: z.string().nullable() });

/** The number of a delivery in an address. */
export const webhookDeliveryParamsSchema = z.object({
  delivery: z.string().regex(/^[1-9]\d{0,14}$/, 'is not the number of a delivery'),
});

/** POST /admin/webhooks/{delivery}: what staff do with a delivery. */
export const webhookOrderSchema = staffOrderSchema.extend({ action: z.enum(['webhook.retry', 'webhook.give-up']) });

/** What staff do with a delivery. */
export type WebhookOrder = z.infer<typeof webhookOrderSchema>;
