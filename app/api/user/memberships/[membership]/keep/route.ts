import { handle } from '@/lib/api/handle';
import { keepMembership } from '@/lib/memberships/commands';
import { membershipParamsSchema, membershipViewSchema } from '@/lib/memberships/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const POST = handle(
  {
    summary: 'Take back that a membership of one’s own was cancelled',
    access: 'member',
    params: membershipParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    answers: membershipViewSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, params, headers }) => keepMembership(viewer, params.membership, headers['idempotency-key']),
);
