import { handle } from '@/lib/api/handle';
import { getManagedPortfolio } from '@/lib/portfolios/queries';
import { managedPortfolioSchema } from '@/lib/portfolios/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'A portfolio as its owner manages it',
    access: 'member',
    params: portfolioParamsSchema,
    answers: managedPortfolioSchema,
  },
  ({ viewer, params, now }) => getManagedPortfolio(viewer, params.reference, now),
);
