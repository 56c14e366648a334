import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { createCoupon } from '@/lib/memberships/commands';
import { listCoupons } from '@/lib/memberships/queries';
import { couponInputSchema, couponSchema } from '@/lib/memberships/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'The coupons of a portfolio of one’s own, the newest first',
    access: 'member',
    params: portfolioParamsSchema,
    answers: z.array(couponSchema),
  },
  ({ viewer, params }) => listCoupons(viewer, params.reference),
);

export const POST = handle(
  {
    summary: 'Make a coupon for a portfolio of one’s own: percent or an amount in its main currency off',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    body: couponInputSchema,
    answers: z.array(couponSchema),
    creates: true,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, params, headers, body, now }) =>
    createCoupon(viewer, params.reference, body, headers['idempotency-key'], now),
);
