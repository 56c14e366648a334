import 'server-only';
export { findOfferedLegs, holdLegs } from './legs';
export { type PastTip, publishPastTips } from './past';
export { publishTip } from './publish';
