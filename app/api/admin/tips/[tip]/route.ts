import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { orderRuling } from '@/lib/rulings/commands';
import { rulingOutcomeSchema } from '@/lib/rulings/schema';
import { seenMarkSchema, staffOrderSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff void a tip, or settle it anew by its results; the reason stands on the record',
    access: 'staff',
    params: z.object({ tip: z.string().regex(/^[a-z0-9]{10}$/, 'is not the reference of a tip') }),
    body: staffOrderSchema.extend({ action: z.enum(['tip.void', 'tip.settle']), seen: seenMarkSchema }),
    answers: rulingOutcomeSchema,
  },
  ({ viewer, params, body }) => orderRuling({ staff: viewer, reference: params.tip, ...body }),
);
