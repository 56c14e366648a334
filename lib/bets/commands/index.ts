import 'server-only';
export { finishAutobets, placeAutobet, removeAutobetRule, setAutobetRule } from './autobets';
export { foreseeBets } from './foreseen';
export { placeBet, removeBet } from './bets';
export { areBetsDue, hastenBets, resettleCorrectedBets, settleDueBets } from './settle';
