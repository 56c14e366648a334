import { z } from 'zod';
import { listTipLegs } from '@/lib/bets/queries';
import { slipLegSchema, tipLegsParamsSchema } from '@/lib/bets/schema';
import { handle } from '@/lib/api/handle';

export const GET = handle(
  {
    summary: 'The legs of a tip as a bet slip takes them',
    access: 'public',
    params: tipLegsParamsSchema,
    answers: z.object({ legs: z.array(slipLegSchema) }),
  },
  async ({ viewer, params, now }) => ({ legs: await listTipLegs(viewer, params.portfolio, params.tip, now) }),
);
