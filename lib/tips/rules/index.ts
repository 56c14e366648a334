export { tipAnswer, tipPageAnswer } from './bet-items';
export { multipleName, selectionHeading } from './bet-names';
export { tipFollowers } from './followers';
export { legsText } from './legs-text';
export { settlementDueAt } from './publication';
export { sealedLegView } from './sealed';
export { sharedTip } from './share';
