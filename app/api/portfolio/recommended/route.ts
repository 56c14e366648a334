import { handle } from '@/lib/api/handle';
import { comparisonTtlSeconds, listRecommended } from '@/lib/stats/queries';
import { portfolioListSchema, recommendedQuerySchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'Portfolios recommended for a sport, or over every sport',
    access: 'public',
    query: recommendedQuerySchema,
    answers: portfolioListSchema,
    keptSeconds: comparisonTtlSeconds,
  },
  async ({ viewer, query }) => ({ items: await listRecommended(viewer, query) }),
);
