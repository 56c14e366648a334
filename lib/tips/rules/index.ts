export { tipFollowers } from './followers';
export { legsText } from './legs-text';
export { settlementDueAt } from './publication';
export { sealedLegView } from './sealed';
export { type SharedTip, sharedTip } from './share';
