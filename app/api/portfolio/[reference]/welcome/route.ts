import { handle } from '@/lib/api/handle';
import { getWelcome } from '@/lib/portfolios/queries';
import { welcomeSchema } from '@/lib/portfolios/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'How a tipster welcomes the signed-in user, as a follower and as a member',
    access: 'member',
    params: portfolioParamsSchema,
    answers: welcomeSchema,
  },
  ({ viewer, params }) => getWelcome(viewer, params.reference),
);
