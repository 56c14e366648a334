import { handle } from '@/lib/api/handle';
import { confirmTeam } from '@/lib/memberships/commands';
import { proStandingSchema, proTeamInputSchema } from '@/lib/memberships/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';

export const PUT = handle(
  {
    summary: 'Fill free places of the team of the member’s Pro with portfolios that take part',
    access: 'confirmed',
    headers: idempotencyHeadersSchema,
    body: proTeamInputSchema,
    answers: proStandingSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, headers, body, now }) => confirmTeam(viewer, body.portfolios, headers['idempotency-key'], now),
);
