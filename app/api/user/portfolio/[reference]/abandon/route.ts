import { handle } from '@/lib/api/handle';
import { abandonPortfolio } from '@/lib/portfolios/commands';
import { abandonedSchema } from '@/lib/portfolios/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const POST = handle(
  {
    summary: 'Abandon a portfolio of one’s own: its record stays, nothing new is published in it',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers: idempotencyHeadersSchema,
    answers: abandonedSchema,
    limit: { hits: 20, windowSeconds: 60 },
  },
  ({ viewer, params, headers, now }) => abandonPortfolio(viewer, params.reference, headers['idempotency-key'], now),
);
