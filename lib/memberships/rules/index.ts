export {
  accessEndsAt,
  afterPeriods,
  daysLater,
  graceDays,
  nextTryAt,
  priceNoticeDays,
  reminderDays,
  retryDays,
  trialReminderDays,
  triesAfter,
} from './calendar';
export { type CouponState, type CouponTerms, discounted, offWords, whyCouponFails } from './coupons';
export { keepsPromises, periodRecord, type PeriodTip, periodTip, type PublishedTip } from './guarantees';
export { byLength, type Joinable, markOfPrices, priceFor, renewalPrice, termsFor, whyClosed } from './plans';
export { inProportion, nextSwitchAt, proName, shareByDays, shareDays, shareUntil, type TeamDays } from './pro';
export { stateOf, whyCardStays } from './states';
