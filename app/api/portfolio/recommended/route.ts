import { handle } from '@/lib/api/handle';
import { listRecommended } from '@/lib/stats/queries';
import { portfolioListSchema, recommendedQuerySchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'Portfolios recommended for a sport, or over every sport',
    access: 'public',
    query: recommendedQuerySchema,
    answers: portfolioListSchema,
  },
  async ({ viewer, query }) => ({ items: await listRecommended(viewer, query) }),
);
