import { handle } from '@/lib/api/handle';
import { proveTip } from '@/lib/record/queries';
import { tipParamsSchema, tipProofSchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The entries of one tip with proofs that they are under the newest checkpoint',
    access: 'public',
    params: tipParamsSchema,
    answers: tipProofSchema,
  },
  ({ params }) => proveTip(params.tipReference),
);
