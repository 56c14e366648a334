import { listPricesNow } from '@/lib/bets/queries';
import { pricesAnswerSchema, pricesInputSchema } from '@/lib/bets/schema';
import { handle } from '@/lib/api/handle';

export const POST = handle(
  {
    summary: 'What the legs of a bet slip are offered at now, and which have started or were withdrawn',
    access: 'public',
    whileSuspended: true,
    body: pricesInputSchema,
    answers: pricesAnswerSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  async ({ viewer, body, now }) => ({ legs: await listPricesNow(viewer, body.legs, now) }),
);
