import { handle } from '@/lib/api/handle';
import { getAutobetTotals } from '@/lib/bets/queries';
import { autobetTotalsSchema } from '@/lib/bets/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'What became of a portfolio’s tips by its followers’ autobet rules, as totals, for its owner',
    access: 'member',
    params: portfolioParamsSchema,
    answers: autobetTotalsSchema,
  },
  ({ viewer, params, now }) => getAutobetTotals(viewer, params.reference, now),
);
