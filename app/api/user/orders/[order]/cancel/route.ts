import { handle } from '@/lib/api/handle';
import { cancelOrder } from '@/lib/memberships/commands';
import { orderParamsSchema, orderViewSchema } from '@/lib/memberships/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const POST = handle(
  {
    summary: 'Give up an order of one’s own that was not paid; the answer says what became of it',
    access: 'member',
    whileSuspended: true,
    params: orderParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    answers: orderViewSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, params, headers }) => cancelOrder(viewer, params.order, headers['idempotency-key']),
);
