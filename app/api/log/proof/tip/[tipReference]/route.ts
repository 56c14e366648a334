import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { getTipProofs } from '@/lib/record/queries';
import { logMediaTypes, tipParamsSchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The proofs of every entry of a tip, one after another (c2sp.org/tlog-proof)',
    access: 'public',
    params: tipParamsSchema,
    answers: downloadOf([logMediaTypes.proof]),
  },
  async ({ params: { tipReference } }) =>
    new Download(
      { name: `tipledger-tip-${tipReference}.tlog-proofs`, mediaType: logMediaTypes.proof },
      await getTipProofs(tipReference),
    ),
);
