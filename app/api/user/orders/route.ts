import { handle } from '@/lib/api/handle';
import { startCheckout } from '@/lib/memberships/commands';
import { checkoutInputSchema, orderViewSchema } from '@/lib/memberships/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';

export const POST = handle(
  {
    summary: 'Order a plan of a portfolio, at the price that was shown; the answer says where to pay',
    access: 'confirmed',
    headers: idempotencyHeadersSchema,
    body: checkoutInputSchema,
    answers: orderViewSchema,
    creates: true,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, headers, body }) => startCheckout(viewer, body, headers['idempotency-key']),
);
