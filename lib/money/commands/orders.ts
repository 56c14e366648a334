import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { newReference, referenceOf } from '@/lib/platform/reference';
import { isForward } from '../rules/states';
import type { MoneyCurrencyId } from '../schema/currencies';
import type { OrderStatus, PaymentStatus } from '../schema/orders';
import type { ProviderPayment } from '../schema/providers';
import { providerOf } from './provider';

/** What is ordered: of whom, for which period, at which price, on which terms. */
export type NewOrder = {
  accountId: number;
  /** None where Pro is ordered. */
  portfolioId: number | null;
  planId: number;
  membershipId: number | null;
  kind: 'first' | 'renewal';
  periodNumber: number;
  periodStartsAt: Date | null;
  currencyId: MoneyCurrencyId;
  fullMinor: number;
  amountMinor: number;
  taxMinor: number;
  couponId: number | null;
  terms: unknown;
  idempotencyKey: string;
  requestHash: string;
  expiresAt: Date;
  methodId: number | null;
};

/** An order with its last payment, as the database holds both. */
export type HeldOrder = Omit<NewOrder, 'terms' | 'idempotencyKey' | 'requestHash' | 'methodId'> & {
  id: number;
  reference: string;
  status: OrderStatus;
  terms: Readonly<Record<string, unknown>>;
  createdAt: Date;
  payment: HeldPayment;
};

/** The last payment of an order. */
export type HeldPayment = {
  id: number;
  reference: string;
  attempt: number;
  provider: string;
  status: PaymentStatus;
  methodId: number | null;
  /** What the provider calls the means of payment; null before one is known. */
  method: string | null;
  /** Whether that means is taken away, or is to be: nothing more is kept of it. */
  isRemoved: boolean;
  changedAt: Date;
};

const paymentReferenceLength = 20;

type Renewed = Pick<NewOrder, 'membershipId' | 'periodNumber' | 'periodStartsAt'>;

/**
 * What the provider is told to know an attempt of a payment by. Ours (0115): of a renewal it follows from what is renewed, so that a site that was
 * restored from before it asks for the same charge again and finds it made; whoever buys has a reference of its own.
 */
async function paymentReference(
  { membershipId, periodNumber, periodStartsAt }: Renewed,
  attempt: number,
): Promise<string> {
  if (membershipId === null || periodStartsAt === null) return newReference(paymentReferenceLength);
  const { rows } = await sql<{
    reference: string;
  }>`select reference from membership where id = ${membershipId}`.execute(database());
  if (!rows[0]) throw new Error('The membership of a renewal is gone.');
  return referenceOf(
    ['renewal', rows[0].reference, periodNumber, periodStartsAt.toISOString(), attempt],
    paymentReferenceLength,
  );
}

/** Opens an order with its first payment, which nobody was asked for yet, at the provider of the means that pays it, or else where its buyer's payments begin; a renewal is processing from the beginning. Belongs into the transaction that decides it. */
export async function openOrder(given: NewOrder, now: Date): Promise<string> {
  const reference = newReference();
  const { currencyId, amountMinor, methodId } = given;
  const payment = await paymentReference(given, 1);
  const by = methodId === null ? (await providerOf(given.accountId)).name : null;
  await sql`
    with opened as (insert into customer_order (reference, account_id, portfolio_id, plan_id, membership_id, kind, period_number, period_starts_at, currency_id, full_minor, amount_minor, tax_minor,
      coupon_id, terms, status, idempotency_key, request_hash, created_at, expires_at, changed_at)
    values (${reference}, ${given.accountId}, ${given.portfolioId}, ${given.planId}, ${given.membershipId}, ${given.kind}, ${given.periodNumber}, ${given.periodStartsAt}, ${given.currencyId},
      ${given.fullMinor}, ${given.amountMinor}, ${given.taxMinor}, ${given.couponId}, ${JSON.stringify(given.terms)}, ${given.kind === 'first' ? 'open' : 'processing'},
      ${given.idempotencyKey}, ${given.requestHash}, ${now}, ${given.expiresAt}, ${now})
    returning id)
    insert into payment (reference, order_id, attempt, provider, method_id, currency_id, amount_minor, status, created_at, changed_at)
    select ${payment}, id, 1, coalesce(${by}, (select provider from payment_method where id = ${methodId}::int)), ${methodId}::int, ${currencyId}::smallint, ${amountMinor}::int, 'started', ${now}::timestamptz, ${now}::timestamptz from opened
  `.execute(database());
  return reference;
}

/** Adds an attempt to pay an order, at the provider of the means that it is to be paid by; its reference is what the provider will know it by. */
export async function addPayment(
  order: HeldOrder,
  { attempt, methodId }: Pick<HeldPayment, 'attempt' | 'methodId'>,
  now: Date,
): Promise<void> {
  const { id, currencyId, amountMinor } = order;
  await sql`
    insert into payment (reference, order_id, attempt, provider, method_id, currency_id, amount_minor, status, created_at, changed_at)
    values (${await paymentReference(order, attempt)}, ${id}, ${attempt}, coalesce((select provider from payment_method where id = ${methodId}::int), ${order.payment.provider}), ${methodId}, ${currencyId}, ${amountMinor}, 'started', ${now}, ${now})
  `.execute(database());
}

/** The order of a reference with its last payment, kept from being changed until the transaction ends where it is held; null when there is none. */
export async function findOrder(reference: string, { hold = false } = {}): Promise<HeldOrder | null> {
  const held = sql.raw(hold ? 'for update of customer_order, payment' : '');
  const { rows } = await sql<
    Omit<HeldOrder, 'payment'> & { payment: Omit<HeldPayment, 'changedAt'>; paymentChangedAt: Date }
  >`
    select customer_order.id, customer_order.reference, customer_order.account_id as "accountId", portfolio_id as "portfolioId", plan_id as "planId", membership_id as "membershipId", kind,
      period_number as "periodNumber", period_starts_at as "periodStartsAt", customer_order.currency_id as "currencyId", full_minor as "fullMinor",
      customer_order.amount_minor as "amountMinor", tax_minor as "taxMinor", coupon_id as "couponId", terms, customer_order.status, customer_order.created_at as "createdAt", expires_at as "expiresAt",
      payment.changed_at as "paymentChangedAt", jsonb_build_object('id', payment.id, 'reference', payment.reference, 'attempt', attempt, 'provider', payment.provider, 'status', payment.status, 'methodId', method_id, 'method', provider_method, 'isRemoved', removal is not null) as payment
    from customer_order join payment on payment.order_id = customer_order.id left join payment_method on payment_method.id = method_id
    where customer_order.reference = ${reference} and attempt = (select max(attempt) from payment last where last.order_id = customer_order.id)
    ${held}
  `.execute(database());
  const [row] = rows;
  if (!row) return null;
  const { paymentChangedAt, payment, ...order } = row;
  return { ...order, payment: { ...payment, changedAt: paymentChangedAt } };
}

/** Moves an order on; the database refuses to move one back. */
export async function moveOrder(
  id: number,
  {
    status,
    because = null,
    membershipId = null,
  }: { status: OrderStatus; because?: string | null; membershipId?: number | null },
  now: Date,
): Promise<void> {
  await sql`
    update customer_order set status = ${status}, because = ${because}, membership_id = coalesce(membership_id, ${membershipId}::int), changed_at = ${now} where id = ${id}
  `.execute(database());
}

/** Moves a payment to where its provider says that it stands, if that is forward, and keeps the means that it was paid by; gives the id of these, null without. */
export async function movePayment(
  { accountId, payment }: Pick<HeldOrder, 'accountId' | 'payment'>,
  told: ProviderPayment,
  now: Date,
): Promise<number | null> {
  if (!isForward(payment.status, told.status)) return payment.methodId;
  const methodId =
    told.method && !payment.isRemoved
      ? await keepMethod(accountId, payment.provider, told.method, now)
      : payment.methodId;
  await sql`update payment set status = ${told.status}, failure = ${told.failure}, method_id = ${methodId}, changed_at = ${now} where id = ${payment.id}`.execute(
    database(),
  );
  return methodId;
}

/** Keeps a means of payment by its provider's name of it, with what is told of it now; gives its id. Of an account that was deleted only what it is taken away by. The caller holds the account. */
export async function keepMethod(
  accountId: number,
  by: string,
  { id, label, expires }: NonNullable<ProviderPayment['method']>,
  now: Date,
): Promise<number> {
  await sql`
    insert into payment_method (account_id, provider, provider_method, label, expires, removal, created_at)
    select account.id, ${by}, ${id}, case when deleted_at is null then ${label} else '' end, case when deleted_at is null then ${expires}::text end, case when deleted_at is not null then 'due' end, ${now}::timestamptz
    from account where account.id = ${accountId}
    on conflict (provider, provider_method) do update set label = excluded.label, expires = excluded.expires
      where payment_method.removal is null and excluded.expires is not null and (payment_method.label, payment_method.expires) is distinct from (excluded.label, excluded.expires)
  `.execute(database());
  const { rows } = await sql<{
    id: number;
  }>`select id from payment_method where provider = ${by} and provider_method = ${id}`.execute(database());
  if (!rows[0]) throw new Error('The means of payment was not kept.');
  return rows[0].id;
}
