import { handle } from '@/lib/api/handle';
import { getProStanding } from '@/lib/memberships/queries';
import { proStandingSchema } from '@/lib/memberships/schema';

export const GET = handle(
  {
    summary: 'Where the member stands with Tipledger Pro: whether it runs, the team, and who can be chosen',
    access: 'member',
    answers: proStandingSchema,
  },
  ({ viewer, now }) => getProStanding(viewer, now),
);
