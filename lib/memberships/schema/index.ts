export { type CardChangeView, cardChangeViewSchema } from './cards';
export {
  type Coupon,
  type CouponInput,
  couponInputSchema,
  couponLimits,
  couponParamsSchema,
  couponSchema,
  siteCouponOrderSchema,
  siteCouponParamsSchema,
} from './coupons';
export {
  checkoutInputSchema,
  type EarningBalance,
  type EarningPosting,
  type Earnings,
  earningsSchema,
  memberParamsSchema,
  memberSchema,
  membershipParamsSchema,
  membershipsSchema,
  type MembershipView,
  membershipViewSchema,
  orderParamsSchema,
  type OrderView,
  orderViewSchema,
  payoutInputSchema,
  type Terms,
  termsQuerySchema,
  termsSchema,
} from './memberships';
export {
  type OwnPlans,
  ownPlansSchema,
  planLimits,
  type PlanPeriod,
  planPeriods,
  plansInputSchema,
  type Promises,
  saleSchema,
  type SaleView,
} from './plans';
export {
  proPartSchema,
  proPeriods,
  proStandingSchema,
  proSwitchInputSchema,
  proTeamInputSchema,
} from './pro';
