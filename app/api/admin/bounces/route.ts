import { handle } from '@/lib/api/handle';
import { stopMail } from '@/lib/notifications/commands';
import { stopOrderSchema } from '@/lib/notifications/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff stop news by mail to the address of a member',
    access: 'staff',
    body: stopOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, body }) => stopMail(viewer, body),
);
