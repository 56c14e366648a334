import { handle } from '@/lib/api/handle';
import { changeCard, readCardChange } from '@/lib/memberships/commands';
import { cardChangeViewSchema, membershipParamsSchema } from '@/lib/memberships/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const GET = handle(
  {
    summary:
      'How a membership of one’s own is charged, and the last change of that as it stands at the provider of payments now',
    access: 'member',
    params: membershipParamsSchema,
    answers: cardChangeViewSchema,
    limit: { hits: 120, windowSeconds: 60 },
  },
  ({ viewer, params }) => readCardChange(viewer, params.membership),
);

export const POST = handle(
  {
    summary:
      'Change the card of a membership of one’s own: the answer says where to give it; what is past due is charged to it at once',
    access: 'member',
    params: membershipParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    answers: cardChangeViewSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  ({ viewer, params, headers }) => changeCard(viewer, params.membership, headers['idempotency-key']),
);
