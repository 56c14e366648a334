import 'server-only';
export { areAutobetsDue, type DueAutobet, getAutobetTotals, listAutobets, listDueAutobets } from './autobets';
export { betsAPage, exportBets, findBetPlace, getBetRecord, listBets } from './bets';
export { listPricesNow } from './prices';
export { listTipLegs } from './tip-legs';
