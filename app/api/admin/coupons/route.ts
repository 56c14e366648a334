import { handle } from '@/lib/api/handle';
import { createSiteCoupon } from '@/lib/memberships/commands';
import { siteCouponOrderSchema } from '@/lib/memberships/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff make a coupon that every portfolio and Tipledger Pro take',
    access: 'staff',
    body: siteCouponOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, body }) => createSiteCoupon(viewer, body),
);
