export { isPlaceable, type LegState, quoteKey, stateOf } from './check';
export {
  type Plan,
  type PlannedBet,
  planOf,
  readAmount,
  returnsOf,
  stakeField,
  type StakeRule,
  writeAmount,
} from './plan';
export { differsByPricesOnly, isSent, selectionsOf, type Sent, type TipToPublish } from './sent';
export {
  type Added,
  atPrice,
  emptySlip,
  heldPrice,
  isSlipLeg,
  priceOf,
  readSlip,
  type Slip,
  type SlipLeg,
  unansweredOf,
  whatAdding,
  withLeg,
  withoutLegs,
  withOwnWords,
  withPrice,
  withUnanswered,
} from './slip';
