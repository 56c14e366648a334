import 'server-only';
export { listCoupons } from './coupons';
export { getSiteCoupon, staffCoupons } from './site-coupons';
export { exportEarnings, getEarnings, getMember, listClosedEarnings, listUnpaidOf } from './earnings';
export { previewGuarantees } from './guarantees';
export { countDueMemberships, listMemberships } from './memberships';
export { listWaitingOrders } from './orders';
export { getOwnPlans, getProOffer, getProSale, getSale, getTerms, saleTtlSeconds } from './plans';
export { getProStanding, listProPortfolios } from './pro';
