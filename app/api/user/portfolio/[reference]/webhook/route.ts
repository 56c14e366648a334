import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { Failure } from '@/lib/platform/errors';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { removeWebhook, setWebhook } from '@/lib/webhooks/commands';
import { findWebhook } from '@/lib/webhooks/queries';
import { webhookAnswerSchema, webhookChangedSchema, webhookInputSchema } from '@/lib/webhooks/schema';

export const GET = handle(
  {
    summary: 'Where the events of a portfolio of one’s own are sent, and the log of what was sent',
    access: 'member',
    params: portfolioParamsSchema,
    answers: webhookAnswerSchema,
  },
  async ({ viewer, params }) => ({ webhook: await findWebhook(viewer, params.reference) }),
);

export const PUT = handle(
  {
    summary:
      'Set where the events of a portfolio of one’s own are sent; tells the secret that signs them when it is new',
    access: 'confirmed',
    params: portfolioParamsSchema,
    body: webhookInputSchema,
    answers: webhookChangedSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  async ({ viewer, params, body, now }) => {
    const secret = await setWebhook(viewer, params.reference, body, now);
    const webhook = await findWebhook(viewer, params.reference);
    if (!webhook) throw new Failure('conflict', 'The webhook was removed meanwhile. Set it again.');
    return { webhook, secret };
  },
);

export const DELETE = handle(
  {
    summary: 'Send the events of a portfolio of one’s own no more',
    access: 'confirmed',
    params: portfolioParamsSchema,
    answers: z.strictObject({}),
  },
  async ({ viewer, params }) => {
    await removeWebhook(viewer, params.reference);
    return {};
  },
);
