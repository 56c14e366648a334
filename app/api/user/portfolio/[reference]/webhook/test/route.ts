import { handle } from '@/lib/api/handle';
import { Failure } from '@/lib/platform/errors';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { testWebhook } from '@/lib/webhooks/commands';
import { findWebhook } from '@/lib/webhooks/queries';
import { webhookChangedSchema } from '@/lib/webhooks/schema';

export const POST = handle(
  {
    summary: 'Send a test to the webhook of a portfolio of one’s own, and say what came of it in its log',
    access: 'confirmed',
    params: portfolioParamsSchema,
    answers: webhookChangedSchema,
    limit: { hits: 10, windowSeconds: 60 },
  },
  async ({ viewer, params, now }) => {
    await testWebhook(viewer, params.reference, now);
    const webhook = await findWebhook(viewer, params.reference);
    if (!webhook) throw new Failure('conflict', 'The webhook was removed meanwhile. Set it again.');
    return { webhook, secret: null };
  },
);
