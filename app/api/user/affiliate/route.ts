import { handle } from '@/lib/api/handle';
import { becomeAffiliate } from '@/lib/affiliates/commands';
import { getAffiliate } from '@/lib/affiliates/queries';
import { affiliateSchema } from '@/lib/affiliates/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const GET = handle(
  { summary: 'Where the member stands as an affiliate', access: 'member', answers: affiliateSchema },
  ({ viewer }) => getAffiliate(viewer),
);

export const POST = handle(
  {
    summary: 'Become an affiliate, with a code of one’s own',
    access: 'confirmed',
    headers: optionalIdempotencyHeadersSchema,
    answers: affiliateSchema,
    limit: { hits: 10, windowSeconds: 60 },
  },
  ({ viewer, headers }) => becomeAffiliate(viewer, headers['idempotency-key']),
);
