import { handle } from '@/lib/api/handle';
import { getPortfolio } from '@/lib/portfolios/queries';
import { getStatistics } from '@/lib/stats/queries';
import { portfolioAnswerSchema, portfolioParamsSchema, portfolioQuerySchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'A portfolio with its statistics over a time range, of one sport or all',
    access: 'public',
    params: portfolioParamsSchema,
    query: portfolioQuerySchema,
    answers: portfolioAnswerSchema,
  },
  async ({ viewer, params, query, now }) => ({
    ...(await getPortfolio(viewer, params.reference)),
    statistics: await getStatistics(viewer, params.reference, { range: query.period, sportId: query.sport }, now),
  }),
);
