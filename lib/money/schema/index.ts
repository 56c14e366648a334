export { type MoneyDifference, type PostingLine } from './books';
export {
  amountFields,
  amountsOf,
  amountText,
  moneyCurrencies,
  type MoneyCurrencyId,
  moneyCurrencyIdSchema,
} from './currencies';
export { orderStatuses, type Receipt, receiptSchema } from './orders';
export { type Payee, payeeInputSchema, payeePageSchema, payeeViewSchema } from './payees';
export {
  type OwnPayout,
  ownPayoutSchema,
  payoutChoiceSchema,
  type RequestedPayout,
  requestedPayoutSchema,
} from './payouts';
export {
  cardSchema,
  type KeptCard,
  noticeParamsSchema,
  noticeTakenSchema,
  type Provider,
  type ProviderPayment,
} from './providers';
export {
  sandboxChoiceSchema,
  type SandboxOutcome,
  sandboxParamsSchema,
  type SandboxPayment,
  sandboxPaymentSchema,
} from './sandbox';
export { taxRateOrderSchema, taxRateOutcomeSchema } from './tax';
