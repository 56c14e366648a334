export { priceNoticeDays } from './calendar';
export { afterCoupon, discounted, discountText, firstPayments } from './coupons';
export { markOfPrices, markOfTerms, priceFor } from './plans';
export { proName } from './pro';
export { otherAmountBecause } from './states';
