import 'server-only';
export { eachWayTermsOf, findEachWayTerms } from './each-way';
export { listLatestTips, listTopTips } from './latest';
export { type LegRow, readLegs } from './legs';
export { listOpenTipsOn, listTipsOnFixture } from './on-fixtures';
export { isOpenToAll, selectTips, tipOf } from './rows';
export { getTip, listTips, listTipPrices, listTipsNamed, tipsAPage } from './tips';
