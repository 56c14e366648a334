import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { endCoupon } from '@/lib/memberships/commands';
import { couponParamsSchema, couponSchema } from '@/lib/memberships/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const DELETE = handle(
  {
    summary: 'End a coupon of a portfolio of one’s own: nobody begins anything with it any more, and who did keeps it',
    access: 'confirmed',
    params: couponParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    answers: z.array(couponSchema),
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, params, headers, now }) =>
    endCoupon(viewer, params.reference, params.code, headers['idempotency-key'], now),
);
