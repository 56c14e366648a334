export { stakedOf } from './sealed';
export { ordinal, termsText } from './sentences';
export { setSports } from './stored-result';
export { decideTip, settledAt, settleTip } from './tip';
