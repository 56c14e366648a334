import { handle } from '@/lib/api/handle';
import { comparePortfolios, comparisonTtlSeconds } from '@/lib/stats/queries';
import { comparisonFilterSchema, comparisonPageSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'Portfolios compared by the comparison filter',
    access: 'public',
    query: comparisonFilterSchema,
    answers: comparisonPageSchema,
    keptSeconds: comparisonTtlSeconds,
  },
  ({ viewer, query }) => comparePortfolios(viewer, query),
);
