import { handle } from '@/lib/api/handle';
import { refundMembership } from '@/lib/memberships/commands';
import { membershipParamsSchema, membershipViewSchema } from '@/lib/memberships/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const POST = handle(
  {
    summary: 'End a membership of one’s own within cooling-off and have the days that are left refunded',
    access: 'member',
    whileSuspended: true,
    params: membershipParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    answers: membershipViewSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, params, headers }) => refundMembership(viewer, params.membership, headers['idempotency-key']),
);
