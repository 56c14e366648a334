import { handle } from '@/lib/api/handle';
import { keepMembership } from '@/lib/memberships/commands';
import { membershipParamsSchema, membershipViewSchema } from '@/lib/memberships/schema';

export const POST = handle(
  {
    summary: 'Take back that a membership of one’s own was cancelled',
    access: 'member',
    params: membershipParamsSchema,
    answers: membershipViewSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, params }) => keepMembership(viewer, params.membership),
);
