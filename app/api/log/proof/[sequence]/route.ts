import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { getEntryProof } from '@/lib/record/queries';
import { logMediaTypes, proofParamsSchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The proof that an entry is on the record, which convinces by itself (c2sp.org/tlog-proof)',
    access: 'public',
    params: proofParamsSchema,
    answers: downloadOf([logMediaTypes.proof]),
  },
  async ({ params: { sequence } }) =>
    new Download(
      { name: `tipledger-entry-${sequence}.tlog-proof`, mediaType: logMediaTypes.proof },
      await getEntryProof(sequence),
    ),
);
