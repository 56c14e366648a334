import { handle } from '@/lib/api/handle';
import { comparePortfolios, comparisonTtlSeconds } from '@/lib/stats/queries/comparison';
import { comparisonPageSchema } from '@/lib/stats/schema/compared';
import { comparisonFilterSchema } from '@/lib/stats/schema/comparison';

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
