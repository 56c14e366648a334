import { exportBets } from '@/lib/bets/queries';
import { betFilterSchema } from '@/lib/bets/schema';
import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';

export const GET = handle(
  {
    summary: 'The bets in one’s own record as CSV',
    access: 'member',
    query: betFilterSchema,
    answers: downloadOf(['text/csv']),
  },
  async ({ viewer, query, now }) =>
    new Download({ name: 'tipledger-bets.csv', mediaType: 'text/csv' }, exportBets(viewer, query, now)),
);
