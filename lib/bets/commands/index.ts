import 'server-only';
export { finishAutobets, placeAutobet, removeAutobetRule, setAutobetRule } from './autobets';
export { previewBets } from './previewed';
export { placeBet, removeBet } from './bets';
export { areBetsDue, retryBetsNow, resettleCorrectedBets, resettlePlayedBets, settleDueBets } from './settle';
