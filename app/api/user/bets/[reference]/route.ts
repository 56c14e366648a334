import { done, doneSchema } from '@/lib/accounts/schema';
import { removeBet } from '@/lib/bets/commands';
import { betParamsSchema } from '@/lib/bets/schema';
import { handle } from '@/lib/api/handle';

export const DELETE = handle(
  {
    summary: 'Take a bet that is not settled out of one’s own record',
    access: 'confirmed',
    params: betParamsSchema,
    answers: doneSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  async ({ viewer, params }) => {
    await removeBet(viewer, params.reference);
    return done;
  },
);
