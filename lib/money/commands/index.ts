import 'server-only';
export { post } from './books';
export { addPayment, findOrder, type HeldOrder, moveOrder, movePayment, openOrder } from './orders';
export { requestPayout, sendPayouts } from './payouts';
export { provider, providerNamed } from './provider';
export { issueReceipt } from './receipts';
export { bookChargeback, oweRefund, type Sale, sendRefunds } from './refunds';
export { chooseOutcome } from './sandbox';
