import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { decisionMoment } from '@/lib/platform/moment';
import { newReference } from '@/lib/platform/reference';
import type { MoneyCurrencyId } from '../schema/currencies';
import type { AskedPayment } from '../schema/providers';
import { askStripe, isReplayedFault } from './stripe-client';

/** What Stripe was asked for under a reference of ours, and what it calls what it made. */
export type StripeRow = {
  reference: string;
  kind: 'page' | 'charge';
  customer: string;
  amountMinor: number;
  currencyId: MoneyCurrencyId;
  method: string | null;
  sessionId: string | null;
  url: string | null;
  intentId: string | null;
  failure: string | null;
  keys: number;
  closedAt: Date | null;
  createdAt: Date;
};

/** The row of a reference; null where Stripe was never asked for it. */
export async function findRow(reference: string): Promise<StripeRow | null> {
  const { rows } = await sql<StripeRow>`
    select reference, kind, customer, amount_minor as "amountMinor", currency_id as "currencyId", method, session_id as "sessionId", url, intent_id as "intentId", failure, keys,
      closed_at as "closedAt", created_at as "createdAt" from stripe_payment where reference = ${reference}
  `.execute(database());
  return rows[0] ?? null;
}

/** The references of payments, by what Stripe calls their intents; none for what is not ours. */
export async function referencesOf(intents: readonly string[]): Promise<Map<string, string>> {
  if (intents.length === 0) return new Map();
  const { rows } = await sql<{ intentId: string; reference: string }>`
    select intent_id as "intentId", reference from stripe_payment where intent_id = any(${intents}::text[])
  `.execute(database());
  return new Map(rows.map(({ intentId, reference }) => [intentId, reference]));
}

/** Keeps what Stripe is about to be asked for; `isNew` is false where it was asked before and may have made it. */
export async function openRow(
  { reference, customer, amountMinor, currencyId }: AskedPayment,
  kind: StripeRow['kind'],
  method: string | null,
): Promise<{ row: StripeRow; isNew: boolean }> {
  const { rows } = await sql`
    insert into stripe_payment (reference, kind, customer, amount_minor, currency_id, method, created_at)
    values (${reference}, ${kind}, ${customer}, ${amountMinor}, ${currencyId}, ${method}, ${await decisionMoment()}) on conflict do nothing returning reference
  `.execute(database());
  const row = await findRow(reference);
  if (!row) throw new Error('What Stripe is asked for was not kept.');
  return { row, isNew: rows.length > 0 };
}

/** Keeps what became known of a row, and gives it as it stands then. */
export async function keepInRow(
  { reference }: Pick<StripeRow, 'reference'>,
  known: Partial<Pick<StripeRow, 'sessionId' | 'url' | 'intentId' | 'failure' | 'keys' | 'closedAt'>>,
): Promise<StripeRow> {
  const { sessionId = null, url = null, intentId = null, failure = null, keys = null, closedAt = null } = known;
  await sql`
    update stripe_payment set session_id = coalesce(session_id, ${sessionId}), url = coalesce(url, ${url}), intent_id = coalesce(intent_id, ${intentId}),
      failure = coalesce(failure, ${failure}), keys = greatest(keys, ${keys}::smallint), closed_at = coalesce(closed_at, ${closedAt}::timestamptz)
    where reference = ${reference}
  `.execute(database());
  const row = await findRow(reference);
  if (!row) throw new Error('What Stripe was asked for is gone.');
  return row;
}

/** What Stripe calls a payer of ours; null where it was not asked to know them. */
export async function findCustomer(customer: string): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select stripe_id as id from stripe_customer where customer = ${customer}
  `.execute(database());
  return rows[0]?.id ?? null;
}

/** What Stripe calls a payer of ours, whom it is told nothing of but our name for them. */
export async function customerOf(customer: string): Promise<string> {
  const known = await findCustomer(customer);
  if (known !== null) return known;
  await sql`
    insert into stripe_customer (customer, reference, created_at) values (${customer}, ${newReference(20)}, ${await decisionMoment()}) on conflict do nothing
  `.execute(database());
  const { rows } = await sql<{ reference: string }>`
    select reference from stripe_customer where customer = ${customer}
  `.execute(database());
  const id = await makeCustomer(customer, rows[0]?.reference ?? '');
  await sql`update stripe_customer set stripe_id = coalesce(stripe_id, ${id}) where customer = ${customer}`.execute(
    database(),
  );
  return (await findCustomer(customer)) ?? id;
}

async function makeCustomer(customer: string, reference: string): Promise<string> {
  try {
    const { id } = await askStripe((stripe) =>
      stripe.customers.create({ metadata: { customer } }, { idempotencyKey: `customer-${reference}` }),
    );
    return id;
  } catch (error) {
    // A fault that Stripe only repeats: a customer too many does no harm.
    if (isReplayedFault(error))
      await sql`update stripe_customer set reference = ${newReference(20)} where customer = ${customer} and reference = ${reference}`.execute(
        database(),
      );
    throw error;
  }
}
