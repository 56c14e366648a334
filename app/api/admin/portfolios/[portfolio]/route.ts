import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { changePortfolioByStaff } from '@/lib/portfolios/commands';
import { staffOrderSchema, staffOutcomeSchema } from '@/lib/staff/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const POST = handle(
  {
    summary: 'Staff hide a portfolio or show it again, feature it, or take it into pro or out',
    access: 'staff',
    params: z.object({ portfolio: portfolioParamsSchema.shape.reference }),
    body: staffOrderSchema.extend({
      action: z.enum([
        'portfolio.hide',
        'portfolio.show',
        'portfolio.feature',
        'portfolio.unfeature',
        'portfolio.join-pro',
        'portfolio.leave-pro',
      ]),
    }),
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => changePortfolioByStaff({ staff: viewer, reference: params.portfolio, ...body }),
);
