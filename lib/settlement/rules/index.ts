export { latePricesReason, stakedOf } from './sealed';
export { ordinal, termsText } from './sentences';
export { decideTip, settledAt, settleTip } from './tip';
