import { getBetRecord } from '@/lib/bets/queries';
import { betFilterSchema, betRecordSchema } from '@/lib/bets/schema';
import { handle } from '@/lib/api/handle';

export const GET = handle(
  {
    summary: 'What the settled bets in one’s own record come to',
    access: 'member',
    query: betFilterSchema,
    answers: betRecordSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, query, now }) => getBetRecord(viewer, query, now),
);
