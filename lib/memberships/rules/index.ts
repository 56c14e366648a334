export { priceNoticeDays } from './calendar';
export { discountText } from './coupons';
export { markOfPrices, priceFor } from './plans';
export { proName } from './pro';
