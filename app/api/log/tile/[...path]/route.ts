import { FixedFile, fixedFileOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { getTile } from '@/lib/record/queries';
import { logMediaTypes, tileParamsSchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'A tile of the record’s Merkle tree, or a bundle of entries, by its path (c2sp.org/tlog-tiles)',
    access: 'public',
    params: tileParamsSchema,
    answers: fixedFileOf([logMediaTypes.tile]),
  },
  async ({ params: { path } }) =>
    new FixedFile({ name: 'tile', mediaType: logMediaTypes.tile }, await getTile(path.join('/'))),
);
