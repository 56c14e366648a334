import { handle } from '@/lib/api/handle';
import { comparisonTtlSeconds, listMostPopular } from '@/lib/stats/queries/comparison';
import { portfolioListSchema } from '@/lib/stats/schema/calls';

export const GET = handle(
  {
    summary: 'The most followed portfolios',
    access: 'public',
    answers: portfolioListSchema,
    keptSeconds: comparisonTtlSeconds,
  },
  async ({ viewer }) => ({ items: await listMostPopular(viewer) }),
);
