import 'server-only';
export { findOfferedLegs, lockLegs } from './legs';
export { type PastTip, publishPastTips } from './past';
export { publishTip } from './publish';
