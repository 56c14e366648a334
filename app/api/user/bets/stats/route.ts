import { getBetRecord } from '@/lib/bet-slip/queries';
import { betFilterSchema, betRecordSchema } from '@/lib/bet-slip/schema';
import { handle } from '@/lib/api/handle';

export const GET = handle(
  {
    summary: 'What the settled bets in one’s own record come to',
    access: 'member',
    query: betFilterSchema,
    answers: betRecordSchema,
  },
  ({ viewer, query, now }) => getBetRecord(viewer, query, now),
);
