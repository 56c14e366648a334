import { handle } from '@/lib/api/handle';
import { payOutAffiliate } from '@/lib/affiliates/commands';
import { payoutInputSchema } from '@/lib/memberships/schema';
import { requestedPayoutSchema } from '@/lib/money/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';

export const POST = handle(
  {
    summary: 'Have what is payable to the member as an affiliate paid out',
    access: 'confirmed',
    headers: idempotencyHeadersSchema,
    body: payoutInputSchema,
    answers: requestedPayoutSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, headers, body, now }) => payOutAffiliate(viewer, body.currencyId, headers['idempotency-key'], now),
);
