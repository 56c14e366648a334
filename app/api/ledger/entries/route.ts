import { handle } from '@/lib/api/handle';
import { listEntries } from '@/lib/record/queries';
import { ledgerPageQuerySchema, ledgerPageSchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The entries of the record in order, from the one after `after`',
    access: 'public',
    query: ledgerPageQuerySchema,
    answers: ledgerPageSchema,
  },
  ({ query }) => listEntries(query),
);
