import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { decideOnDifference } from '@/lib/money/commands';
import { staffOrderSchema, staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff say that a difference between a provider of payments and the books is settled, or take that back',
    access: 'staff',
    params: z.object({ difference: z.string().regex(/^\d{1,9}$/, 'is not the number of a difference') }),
    body: staffOrderSchema.extend({ action: z.enum(['difference.settle', 'difference.reopen']) }),
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => decideOnDifference({ staff: viewer, id: Number(params.difference), ...body }),
);
