import { handle } from '@/lib/api/handle';
import { getRecentForm } from '@/lib/stats/queries';
import { portfolioParamsSchema, recentFormSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'The last settled tips of a portfolio: won, lost, stake back',
    access: 'public',
    params: portfolioParamsSchema,
    answers: recentFormSchema,
  },
  ({ viewer, params }) => getRecentForm(viewer, params.reference),
);
