import 'server-only';
export { previewFixture, previewRuling, type PreviewedTip, type TipState } from './previewed';
export { countLateClosings } from './late-prices';
export { areTipsDue, retryTipsNow, laterLook } from './open-tips';
export { failureText, settleByHalving } from './set-aside';
export { settleInBatches } from './batches';
export { areTipsCorrected, resettleCorrected, resettlePlayed, settleDueTips } from './settle';
export { byResult, isOther, type SettledVersion } from './versions';
export { ruleOnTip, type TipByStaff } from './ruled';
