import { placeBet } from '@/lib/bets/commands';
import { listBets } from '@/lib/bets/queries';
import { betInputSchema, betListQuerySchema, betPageSchema, betViewSchema } from '@/lib/bets/schema';
import { handle } from '@/lib/api/handle';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';

export const GET = handle(
  {
    summary: 'The bets in one’s own record, the last placed first',
    access: 'member',
    query: betListQuerySchema,
    answers: betPageSchema,
  },
  ({ viewer, query, now }) => listBets(viewer, query, now),
);

export const POST = handle(
  {
    summary: 'Place a bet in one’s own record; 409 names the prices that moved',
    access: 'confirmed',
    headers: idempotencyHeadersSchema,
    body: betInputSchema,
    answers: betViewSchema,
    creates: true,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, headers, body }) => placeBet(viewer, body, headers['idempotency-key']),
);
