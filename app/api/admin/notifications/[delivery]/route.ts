import { handle } from '@/lib/api/handle';
import { orderDelivery } from '@/lib/notifications/commands';
import { deliveryOrderSchema, deliveryParamsSchema } from '@/lib/notifications/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff have a notification tried again now, or give it up',
    access: 'staff',
    params: deliveryParamsSchema,
    body: deliveryOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => orderDelivery(viewer, Number(params.delivery), body),
);
