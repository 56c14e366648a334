export { type AccountKind, type MoneyDifference, type OwnEntry, type PostingLine } from './books';
export {
  amountFields,
  amountsOf,
  amountText,
  type MoneyCode,
  moneyCurrencies,
  type MoneyCurrencyId,
  moneyCurrencyIdSchema,
} from './currencies';
export { type OrderStatus, orderStatuses, type PaymentStatus, type Receipt, receiptSchema } from './orders';
export {
  type Payee,
  type PayeeInput,
  payeeInputSchema,
  payeePageSchema,
  payeeSchema,
  type PayeeView,
  payeeViewSchema,
} from './payees';
export {
  type AskedPayment,
  cardSchema,
  type KeptCard,
  noticeParamsSchema,
  noticeTakenSchema,
  type Provider,
  type ProviderEntry,
  type ProviderFee,
  type ProviderPayment,
} from './providers';
export {
  sandboxChoiceSchema,
  type SandboxOutcome,
  sandboxOutcomes,
  sandboxParamsSchema,
  type SandboxPayment,
  sandboxPaymentSchema,
} from './sandbox';
export { type TaxRateOrder, taxRateOrderSchema } from './tax';
