import { z } from 'zod';

/** Ours: the bounds of a picture that is uploaded: bytes, pixels altogether and along a side, and pictures of one member; the longest side of what we make of it, and the side of the square that a face is. */
export const pictureLimits = {
  bytes: 8 * 1024 * 1024,
  pixels: 24_000_000,
  side: 12_000,
  perMember: 1_000,
  madeSide: 1_600,
  faceSide: 256,
} as const;

/** The file that a picture is kept as, named by the SHA-256 of its bytes and its size in pixels. */
export const pictureFileSchema = z
  .string()
  .regex(/^[0-9a-f]{64}-[1-9]\d{0,3}x[1-9]\d{0,3}\.webp$/, 'must be the file of a picture');

/** What a picture is for: a text, or to be a tipster’s face, which is a square of its middle. */
export const pictureUseSchema = z.enum(['text', 'face']);

/** What a picture is for. */
export type PictureUse = z.infer<typeof pictureUseSchema>;

/** Where a picture stands once it is uploaded, and its size in pixels. */
export const uploadedPictureSchema = z.object({ path: z.string(), width: z.int(), height: z.int() });

/** Where a picture stands once it is uploaded. */
export type UploadedPicture = z.infer<typeof uploadedPictureSchema>;
