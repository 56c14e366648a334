import 'server-only';
export { eachWayTermsOf, findEachWayTerms } from './each-way';
export { listLatestTips, listTopTips } from './latest';
export { type LegRow, readLegs } from './legs';
export { selectTips, tipOf } from './rows';
export { getTip, listTips, listTipsNamed, tipsAPage } from './tips';
