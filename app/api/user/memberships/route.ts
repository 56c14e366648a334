import { handle } from '@/lib/api/handle';
import { listMemberships } from '@/lib/memberships/queries';
import { membershipsSchema } from '@/lib/memberships/schema';

export const GET = handle(
  {
    summary: 'One’s own memberships, those that run and those that ended, with all receipts',
    access: 'member',
    answers: membershipsSchema,
  },
  ({ viewer, now }) => listMemberships(viewer, now),
);
