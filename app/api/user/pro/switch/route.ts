import { handle } from '@/lib/api/handle';
import { switchTeam } from '@/lib/memberships/commands';
import { proStandingSchema, proSwitchInputSchema } from '@/lib/memberships/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';

export const POST = handle(
  {
    summary: 'Put one portfolio in the place of another in the team of the member’s Pro, once a week',
    access: 'confirmed',
    headers: idempotencyHeadersSchema,
    body: proSwitchInputSchema,
    answers: proStandingSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, headers, body, now }) => switchTeam(viewer, body, headers['idempotency-key'], now),
);
