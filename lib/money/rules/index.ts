export { differencesOf } from './differences';
export { monthlyPayoutDays, neededWords, payoutBounds, payoutBoundsIn, payoutMonth, whyCannotPay } from './payouts';
export {
  bankLines,
  exchangeLines,
  feeLines,
  markOfAmounts,
  platformPercent,
  ratePercent,
  saleLines,
  sharesOf,
  takenBack,
  takenBackLines,
  taxIn,
  unusedMinor,
} from './shares';
export { coolingOffDays, isForward, isSettled, orderAfter, orderMilliseconds } from './states';
export { isChargeback, isRefusedPayee, statusOfIntent, whyDeclined } from './stripe';
