import { z } from 'zod';

/** Ours (0076): the browsers of one member that are told, at most; the one that was told longest ago gives way. */
export const mostDevices = 20;

const base64url = (bytes: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}=*$`), `${what} must be ${bytes} bytes in base64url`);

/** What a browser's subscription to push messages says of itself (RFC 8291). */
export const pushSubscriptionSchema = z.strictObject({
  endpoint: z.string().min(1).max(2000),
  keys: z.strictObject({ p256dh: base64url(65, 'p256dh'), auth: base64url(16, 'auth') }),
});

/** What a browser's subscription says of itself. */
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionSchema>;

/** PUT /user/push: the address that a browser was told at, which it alone and the site know, and its new subscription. */
export const pushRenewalSchema = z.strictObject({
  before: z.string().min(1).max(2000),
  subscription: pushSubscriptionSchema,
});

/** A subscription that takes the place of another. */
export type PushRenewal = z.infer<typeof pushRenewalSchema>;

/** The answer of PUT /user/push. */
export const pushRenewedSchema = z.object({ renewed: z.literal(true) });

/** A browser that is told. */
export const pushDeviceSchema = z.object({
  id: z.int(),
  endpoint: z.string(),
  device: z.string(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable(),
});

/** The answer of GET /user/push: the key of this site that a browser subscribes with, and the member's browsers that are told. */
export const pushSettingsSchema = z.object({ publicKey: z.string(), devices: z.array(pushDeviceSchema) });

/** The answer of GET /user/push. */
export type PushSettings = z.infer<typeof pushSettingsSchema>;

/** The path of a call about one browser. */
export const pushDeviceParamsSchema = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a device')
    .transform(Number),
});

/** What the service worker shows: `tag` is the same for what belongs together, of which the last is shown; links are whole URLs. */
export type PushPayload = {
  tag: string;
  title: string;
  body: string;
  link: string;
  slipLink: string | null;
  at: string;
};
