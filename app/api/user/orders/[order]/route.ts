import { handle } from '@/lib/api/handle';
import { readOrder } from '@/lib/memberships/commands';
import { orderParamsSchema, orderViewSchema } from '@/lib/memberships/schema';

export const GET = handle(
  {
    summary: 'An order of one’s own, as it stands at the provider of payments now',
    access: 'member',
    params: orderParamsSchema,
    answers: orderViewSchema,
    limit: { hits: 120, windowSeconds: 60 },
  },
  ({ viewer, params }) => readOrder(viewer, params.order),
);
