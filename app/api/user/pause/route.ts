import { handle } from '@/lib/api/handle';
import { takeBreak } from '@/lib/memberships/commands';
import { getPause } from '@/lib/pauses/queries';
import { pauseInputSchema, pauseViewSchema } from '@/lib/pauses/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const GET = handle(
  {
    summary: 'The break from betting that one takes, and by how much it can begin or become longer',
    access: 'member',
    answers: pauseViewSchema,
  },
  ({ viewer, now }) => getPause(viewer, now),
);

export const POST = handle(
  {
    summary: 'Take a break from betting, or make one longer; nobody can make it shorter',
    access: 'member',
    whileSuspended: true,
    headers: optionalIdempotencyHeadersSchema,
    body: pauseInputSchema,
    answers: pauseViewSchema,
    limit: { hits: 20, windowSeconds: 60 },
  },
  ({ viewer, headers, body, now }) => takeBreak(viewer, body, now, headers['idempotency-key']),
);
