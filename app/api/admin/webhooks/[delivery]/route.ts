import { handle } from '@/lib/api/handle';
import { orderWebhookDelivery } from '@/lib/webhooks/commands';
import { webhookDeliveryParamsSchema, webhookOrderSchema } from '@/lib/webhooks/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff have a webhook delivery tried again now, or give it up',
    access: 'staff',
    params: webhookDeliveryParamsSchema,
    body: webhookOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => orderWebhookDelivery(viewer, Number(params.delivery), body),
);
