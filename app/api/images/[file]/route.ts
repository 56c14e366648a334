import { z } from 'zod';
import { FixedFile, fixedFileOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { getPicture } from '@/lib/uploads/queries';
import { pictureFileSchema } from '@/lib/uploads/schema';

const mediaType = 'image/webp';

export const GET = handle(
  {
    summary: 'A picture of a text',
    access: 'unidentified',
    params: z.object({ file: pictureFileSchema }),
    answers: fixedFileOf([mediaType]),
  },
  async ({ params }) => {
    const bytes = await getPicture(params.file);
    return new FixedFile({ name: params.file, mediaType }, bytes);
  },
);
