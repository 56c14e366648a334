import { handle } from '@/lib/api/handle';
import { getCheckpoints } from '@/lib/record/queries';
import { ledgerCheckpointsSchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The public keys of the record and its signed checkpoints, the last of each day, latest last',
    access: 'public',
    answers: ledgerCheckpointsSchema,
  },
  () => getCheckpoints(),
);
