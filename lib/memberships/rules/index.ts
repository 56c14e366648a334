export { priceNoticeDays } from './calendar';
export { offWords } from './coupons';
export { markOfPrices, priceFor } from './plans';
export { proName } from './pro';
