import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { decideOnPayout } from '@/lib/money/commands';
import { staffOrderSchema, staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff approve a payout that waits for them, or refuse it; nobody decides on their own',
    access: 'staff',
    params: z.object({ payout: z.string().regex(/^[a-z0-9]{20}$/, 'is not the reference of a payout') }),
    body: staffOrderSchema.extend({ action: z.enum(['payout.approve', 'payout.refuse']) }),
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => decideOnPayout({ staff: viewer, reference: params.payout, ...body }),
);
