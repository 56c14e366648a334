import 'server-only';
export { foreseeFixture, foreseeRuling, type ForeseenTip, type TipState } from './foreseen';
export { countLateClosings } from './late-prices';
export { areTipsDue, hastenTips, laterLook } from './open-tips';
export { failureText, settleApart } from './set-aside';
export { settleInBatches } from './batches';
export { areTipsCorrected, resettleCorrected, settleDueTips } from './settle';
export { byResult, isOther, type SettledVersion } from './versions';
export { ruleOnTip, type TipByStaff } from './ruled';
