import { handle } from '@/lib/api/handle';
import { getConsistency } from '@/lib/record/queries';
import { consistencyProofSchema, consistencyQuerySchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The proof that the record of one size begins with that of another (RFC 9162 §2.1.4)',
    access: 'public',
    query: consistencyQuerySchema,
    answers: consistencyProofSchema,
  },
  ({ query }) => getConsistency(query),
);
