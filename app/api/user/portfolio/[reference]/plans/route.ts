import { handle } from '@/lib/api/handle';
import { setPlans } from '@/lib/memberships/commands';
import { getOwnPlans } from '@/lib/memberships/queries';
import { ownPlansSchema, plansInputSchema } from '@/lib/memberships/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'What a portfolio of one’s own sells',
    access: 'member',
    params: portfolioParamsSchema,
    answers: ownPlansSchema,
  },
  ({ viewer, params }) => getOwnPlans(viewer, params.reference),
);

export const PUT = handle(
  {
    summary:
      'Set what a portfolio of one’s own sells: its plans, their prices in minor units, the trial and the limit of members',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    body: plansInputSchema,
    answers: ownPlansSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, params, headers, body, now }) => setPlans(viewer, params.reference, body, headers['idempotency-key'], now),
);
