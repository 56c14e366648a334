import { done, doneSchema } from '@/lib/accounts/schema';
import { removeBet } from '@/lib/bet-slip/commands';
import { betParamsSchema } from '@/lib/bet-slip/schema';
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
