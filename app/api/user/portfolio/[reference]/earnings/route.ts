import { handle } from '@/lib/api/handle';
import { getEarnings } from '@/lib/memberships/queries';
import { earningsSchema } from '@/lib/memberships/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'What a portfolio of one’s own has earned, in minor units: held, payable, paid out, by month and plan',
    access: 'member',
    params: portfolioParamsSchema,
    answers: earningsSchema,
  },
  ({ viewer, params, now }) => getEarnings(viewer, params.reference, now),
);
