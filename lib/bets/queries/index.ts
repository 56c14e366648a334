import 'server-only';
export { betsAPage, exportBets, getBetRecord, listBets } from './bets';
export { listPricesNow } from './prices';
export { listTipLegs } from './tip-legs';
