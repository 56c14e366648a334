import { handle } from '@/lib/api/handle';
import { comparisonTtlSeconds, listMostPopular } from '@/lib/stats/queries';
import { portfolioListSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'The most followed portfolios',
    access: 'public',
    answers: portfolioListSchema,
    keptSeconds: comparisonTtlSeconds,
  },
  async ({ viewer }) => ({ items: await listMostPopular(viewer) }),
);
