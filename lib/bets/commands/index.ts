import 'server-only';
export { placeBet, removeBet } from './bets';
export { resettleCorrectedBets, settleDueBets } from './settle';
