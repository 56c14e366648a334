import { handle } from '@/lib/api/handle';
import { listRecommended } from '@/lib/stats/queries/comparison';
import { portfolioListSchema, recommendedQuerySchema } from '@/lib/stats/schema/calls';

export const GET = handle(
  {
    summary: 'Portfolios recommended for a sport, or over every sport',
    access: 'public',
    query: recommendedQuerySchema,
    answers: portfolioListSchema,
  },
  async ({ viewer, query }) => ({ items: await listRecommended(viewer, query) }),
);
