import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { refundOrder } from '@/lib/memberships/commands';
import { staffOrderSchema, staffOutcomeSchema } from '@/lib/staff/schema';

const amount = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,8}$/, 'Enter a whole number of pence or cents, such as 500 for 5.00, or of yen.')
  .transform(Number);

export const POST = handle(
  {
    summary: 'Staff refund what was paid for an order, in part or all that is left, and end its membership or not',
    access: 'staff',
    params: z.object({ order: z.string().regex(/^[a-z0-9]{10}$/, 'is not the reference of an order') }),
    body: staffOrderSchema.extend({
      action: z.literal('order.refund'),
      amountMinor: z
        .literal('')
        .transform(() => null)
        .or(amount)
        .default(null),
      ends: z.stringbool({ truthy: ['true'], falsy: ['false'] }),
      seen: z
        .string()
        .regex(/^\d{1,9}$/, 'is not what was given back, in minor units')
        .transform(Number)
        .optional(),
    }),
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body: { amountMinor, ends, seen, reason, preview } }) =>
    refundOrder({ staff: viewer, reference: params.order, amountMinor, ends, seen, reason, preview }),
);
