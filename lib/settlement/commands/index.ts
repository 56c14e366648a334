import 'server-only';
export { foreseeFixture, foreseeRuling, type ForeseenTip, type TipState } from './foreseen';
export { countLateClosings } from './late-prices';
export { hastenTips, laterLook } from './open-tips';
export { failureText, isOfNoBet, settleApart } from './set-aside';
export { resettleCorrected, settleDueTips } from './settle';
export { byResult, type SettledVersion } from './versions';
export { ruleOnTip, type TipByStaff } from './ruled';
