import { handle } from '@/lib/api/handle';
import { getManagedPortfolio } from '@/lib/portfolios/queries/managed';
import { managedPortfolioSchema } from '@/lib/portfolios/schema/managed';
import { portfolioParamsSchema } from '@/lib/stats/schema/calls';

export const GET = handle(
  {
    summary: 'A portfolio as its owner manages it',
    access: 'member',
    params: portfolioParamsSchema,
    answers: managedPortfolioSchema,
  },
  ({ viewer, params, now }) => getManagedPortfolio(viewer, params.reference, now),
);
