import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { uploadPicture } from '@/lib/uploads/commands';
import { pictureLimits, pictureUseSchema, uploadedPictureSchema } from '@/lib/uploads/schema';

export const POST = handle(
  {
    summary:
      'Keep a picture for texts of one’s own: JPEG, PNG or WebP, made anew without anything but its pixels; the same one again is the same file',
    access: 'confirmed',
    query: z.object({ use: pictureUseSchema.default('text') }),
    takesFile: true,
    maxBytes: pictureLimits.bytes,
    answers: uploadedPictureSchema,
    creates: true,
    limit: { hits: 30, windowSeconds: 600 },
  },
  ({ viewer, query, bytes, now }) => uploadPicture(viewer, bytes, now, query.use),
);
