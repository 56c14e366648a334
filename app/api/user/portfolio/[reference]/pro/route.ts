import { handle } from '@/lib/api/handle';
import { setProPart } from '@/lib/memberships/commands';
import { proPartSchema } from '@/lib/memberships/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const PUT = handle(
  {
    summary: 'Let a portfolio of one’s own take part in Tipledger Pro, or no more',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers: idempotencyHeadersSchema,
    body: proPartSchema,
    answers: proPartSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, params, headers, body, now }) =>
    setProPart(viewer, params.reference, body.tipledgerPro, headers['idempotency-key'], now),
);
