import { handle } from '@/lib/api/handle';
import { beginFactor } from '@/lib/staff/commands';
import { factorKeySchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'A new key for the second factor of a member of staff who has none',
    access: 'staff-entry',
    answers: factorKeySchema,
    limit: { hits: 20, windowSeconds: 300 },
  },
  ({ viewer }) => beginFactor(viewer),
);
