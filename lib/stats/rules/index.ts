export { breakdownView, type BucketNames, monthOverview } from './breakdown-view';
export { foldBreakdowns, mergeBreakdowns } from './breakdown';
export { windowOf, windowSince } from './calendar';
export {
  comparisonLimitsText,
  comparisonQuery,
  comparisonTitle,
  readComparisonFilter,
  stakesText,
} from './comparison';
export { curveOf, curveSince, profitCurve, type Profit, profitOf, tabledPoints, thinCurve } from './curve';
export { recordDay } from './days';
export { hundredthsOf, statisticsOf } from './figures';
export { followedTip, countedLegs } from './followed';
export { luckOf } from './luck';
export { type RecordedTip, RecordFold, settledTipIn } from './record-fold';
export { foldTips, mergeAllRollups } from './rollup';
export type { SettledPlace } from './stored-day';
export { readCompared } from './side-by-side';
export { standingStatistics, type StoredSummary } from './stored-standing';
