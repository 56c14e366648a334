import { handle } from '@/lib/api/handle';
import { cancelMembership } from '@/lib/memberships/commands';
import { membershipParamsSchema, membershipViewSchema } from '@/lib/memberships/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const POST = handle(
  {
    summary: 'Cancel a membership of one’s own: it runs to the end of what was paid',
    access: 'member',
    whileSuspended: true,
    params: membershipParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    answers: membershipViewSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, params, headers }) => cancelMembership(viewer, params.membership, headers['idempotency-key']),
);
