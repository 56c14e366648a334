export { neededWords, payoutBoundsIn } from './payouts';
export { markOfAmounts, saleLines, taxIn, unusedMinor } from './shares';
export { coolingOffDays, isForward, isSettled, orderAfter, orderMilliseconds } from './states';
