import { handle } from '@/lib/api/handle';
import { orderMail } from '@/lib/notifications/commands';
import { mailOrderSchema, mailParamsSchema } from '@/lib/notifications/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff have a mail of the outbox tried again now, or give it up',
    access: 'staff',
    params: mailParamsSchema,
    body: mailOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => orderMail(viewer, Number(params.mail), body),
);
