import { handle } from '@/lib/api/handle';
import { orderFees } from '@/lib/affiliates/commands';
import { feesOrderSchema } from '@/lib/affiliates/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff set what a new buyer’s first paid membership earns an affiliate, by currency, in major units',
    access: 'staff',
    body: feesOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, body }) => orderFees(viewer, body),
);
