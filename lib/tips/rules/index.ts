export { tipAnswer, tipPageAnswer } from './bet-items';
export { selectionHeading } from './bet-names';
export { tipFollowers } from './followers';
export { legsText } from './legs-text';
export { isBelow, minPriceProblem, type PriceStill, priceStill } from './min-price';
export { settlementDueAt } from './publication';
export { sealedLegView } from './sealed';
export { sharedTip } from './share';
