import { handle } from '@/lib/api/handle';
import { comparePortfolios } from '@/lib/stats/queries';
import { comparisonFilterSchema, comparisonPageSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'Portfolios compared by the comparison filter',
    access: 'public',
    query: comparisonFilterSchema,
    answers: comparisonPageSchema,
  },
  ({ viewer, query }) => comparePortfolios(viewer, query),
);
