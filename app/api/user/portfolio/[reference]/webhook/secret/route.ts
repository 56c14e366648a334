import { handle } from '@/lib/api/handle';
import { Failure } from '@/lib/platform/errors';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { renewSecret } from '@/lib/webhooks/commands';
import { findWebhook } from '@/lib/webhooks/queries';
import { webhookChangedSchema } from '@/lib/webhooks/schema';

export const POST = handle(
  {
    summary: 'Make another secret that signs the events of a portfolio of one’s own, and tell it',
    access: 'confirmed',
    params: portfolioParamsSchema,
    answers: webhookChangedSchema,
    limit: { hits: 10, windowSeconds: 60 },
  },
  async ({ viewer, params }) => {
    const secret = await renewSecret(viewer, params.reference);
    const webhook = await findWebhook(viewer, params.reference);
    if (!webhook) throw new Failure('conflict', 'The webhook was removed meanwhile. Set it again.');
    return { webhook, secret };
  },
);
