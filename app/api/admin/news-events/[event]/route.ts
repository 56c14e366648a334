import { handle } from '@/lib/api/handle';
import { orderEvent } from '@/lib/notifications/commands';
import { eventOrderSchema, eventParamsSchema } from '@/lib/notifications/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff have an event spread again to whoever has not heard of it, or give it up',
    access: 'staff',
    params: eventParamsSchema,
    body: eventOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => orderEvent(viewer, Number(params.event), body),
);
