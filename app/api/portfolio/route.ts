import { handle } from '@/lib/api/handle';
import { comparePortfolios } from '@/lib/stats/queries/comparison';
import { comparisonPageSchema } from '@/lib/stats/schema/compared';
import { comparisonFilterSchema } from '@/lib/stats/schema/comparison';

export const GET = handle(
  {
    summary: 'Portfolios compared by the comparison filter',
    access: 'public',
    query: comparisonFilterSchema,
    answers: comparisonPageSchema,
  },
  ({ viewer, query }) => comparePortfolios(viewer, query),
);
