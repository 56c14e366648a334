import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { endSiteCoupon } from '@/lib/memberships/commands';
import { siteCouponParamsSchema } from '@/lib/memberships/schema';
import { staffOrderSchema, staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff end a coupon of the site; who began with it keeps what it takes off',
    access: 'staff',
    params: siteCouponParamsSchema,
    body: staffOrderSchema.extend({ action: z.literal('coupon.end') }),
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body: { reason, preview } }) => endSiteCoupon(viewer, params.code, { reason, preview }),
);
