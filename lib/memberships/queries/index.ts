import 'server-only';
export { exportEarnings, getEarnings, getMember } from './earnings';
export { listMemberships } from './memberships';
export { listWaitingOrders } from './orders';
export { getOwnPlans, getSale, getTerms, saleTtlSeconds } from './plans';
