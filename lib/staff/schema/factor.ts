import { z } from 'zod';

/**
 * Ours (0077): the second factor of staff. A login that showed it is believed for `sessionSeconds` at most, and for `idleSeconds` from when it
 * was last of use; `tries` wrong codes close it for `lockSeconds`.
 */
export const factorLimits = {
  stepSeconds: 30,
  digits: 6,
  recoveryCodes: 10,
  sessionSeconds: 8 * 3600,
  idleSeconds: 30 * 60,
  tries: 5,
  lockSeconds: 15 * 60,
} as const;

/** A code of the authenticator, or a recovery code; spaces and lines between are how people write them. */
export const factorCodeSchema = z.strictObject({
  code: z
    .string()
    .max(100)
    .transform((given) => given.replace(/[\s-]/g, '').toLowerCase())
    .pipe(
      z
        .string()
        .regex(/^(\d{6}|[a-z2-7]{16})$/, 'Enter the six digits of your authenticator, or one of your recovery codes.'),
    ),
});

/** A QR code as it is drawn: modules on a side, its quiet zone with them, and the path of the dark ones. */
export const qrPictureSchema = z.object({ size: z.int().positive(), path: z.string() });

/** A QR code as it is drawn. */
export type QrPicture = z.infer<typeof qrPictureSchema>;

/** The key of a second factor that is being set up: for typing, as the address that authenticators read, and as that address drawn for a camera. */
export const factorKeySchema = z.object({ key: z.string(), address: z.string(), picture: qrPictureSchema });

/** The key of a second factor that is being set up. */
export type FactorKey = z.infer<typeof factorKeySchema>;

/** Ten codes that are shown once, each good for one time in place of the authenticator. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** Ten codes that are shown once. */
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

/** What a member of staff meets at /admin: a factor to set up, a code to show, or the open door. */
export type FactorState = 'missing' | 'asked' | 'proven';
