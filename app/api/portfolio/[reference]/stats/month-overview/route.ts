import { handle } from '@/lib/api/handle';
import { getMonthOverview } from '@/lib/stats/queries';
import { monthOverviewSchema, portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'The years and months of a portfolio',
    access: 'public',
    params: portfolioParamsSchema,
    answers: monthOverviewSchema,
  },
  ({ viewer, params, now }) => getMonthOverview(viewer, params.reference, now),
);
