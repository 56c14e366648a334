import { handle } from '@/lib/api/handle';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { publishTip } from '@/lib/tips/commands';
import { publishedSchema, tipBodySchema } from '@/lib/tips/schema';

export const POST = handle(
  {
    summary: 'Publish a tip in a portfolio of one’s own; 409 names the prices that moved',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers: idempotencyHeadersSchema,
    body: tipBodySchema,
    answers: publishedSchema,
    creates: true,
    limit: { hits: 60, windowSeconds: 60 },
  },
  async ({ viewer, params, headers, body }) => {
    const { reference, publishedAt } = await publishTip(viewer, params.reference, {
      ...body,
      idempotencyKey: headers['idempotency-key'],
    });
    return { reference, publishedAt };
  },
);
