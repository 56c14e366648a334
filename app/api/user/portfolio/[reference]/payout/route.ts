import { handle } from '@/lib/api/handle';
import { payOut } from '@/lib/memberships/commands';
import { payoutInputSchema } from '@/lib/memberships/schema';
import { requestedPayoutSchema } from '@/lib/money/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const POST = handle(
  {
    summary: 'Have what is payable of a portfolio of one’s own paid out',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers: idempotencyHeadersSchema,
    body: payoutInputSchema,
    answers: requestedPayoutSchema,
    limit: { hits: 20, windowSeconds: 60 },
  },
  ({ viewer, params, body, headers, now }) =>
    payOut(viewer, params.reference, body.currencyId, headers['idempotency-key'], now),
);
