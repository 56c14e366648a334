import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { getPortfolio } from '@/lib/portfolios/queries';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'The description of a portfolio',
    access: 'public',
    params: portfolioParamsSchema,
    answers: z.object({ description: z.string() }),
  },
  async ({ viewer, params }) => ({ description: (await getPortfolio(viewer, params.reference)).description }),
);
