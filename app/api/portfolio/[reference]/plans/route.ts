import { handle } from '@/lib/api/handle';
import { getSale, saleTtlSeconds } from '@/lib/memberships/queries';
import { saleSchema } from '@/lib/memberships/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'What a portfolio sells: its plans on sale with their prices in minor units, and whether one can join',
    access: 'public',
    params: portfolioParamsSchema,
    answers: saleSchema,
    keptSeconds: saleTtlSeconds,
  },
  ({ viewer, params }) => getSale(viewer, params.reference),
);
