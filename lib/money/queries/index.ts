import 'server-only';
export { readTaxRate, staffTaxRates } from './tax';
export {
  findPayPages,
  getReceipt,
  getSandboxPayment,
  listBookProblems,
  listReceipts,
  receiptsOf,
} from './books';
export { countDifferences, getDifferenceForStaff, placeOfDifference, staffDifferences } from './differences';
export { getPayoutChoice, listUnpaid, readPayouts } from './payouts';
export { isCardOutOfUse, isOutOfUse } from './provider';
export {
  getOrderForStaff,
  getPayoutForStaff,
  listBalancesByKind,
  staffOrders,
  staffPayouts,
} from './staff';
