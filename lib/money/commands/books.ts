import 'server-only';
import { sql } from 'kysely';
import { arrayOf, database } from '@/lib/platform/database';
import type { PostingLine } from '../schema/books';
import type { MoneyCurrencyId } from '../schema/currencies';

/** What a posting is about; `key` names what it books, which is booked once. */
export type Posting = {
  key: string;
  kind:
    | 'sale'
    | 'release'
    | 'refund'
    | 'refunded'
    | 'chargeback'
    | 'payout'
    | 'paid-out'
    | 'payout-failed'
    | 'correction'
    | 'share'
    | 'share-back'
    | 'affiliate'
    | 'affiliate-back'
    | 'affiliate-release'
    | 'fee'
    | 'exchange'
    | 'bank';
  currencyId: MoneyCurrencyId;
  orderId?: number;
  paymentId?: number;
  refundId?: number;
  payoutId?: number;
  portfolioId?: number | null;
};

/**
 * Product §8: books a posting with all its lines in one statement, at the end of which the database refuses what does not balance. Nothing is
 * done where its key was booked, or nothing is to be booked. Belongs into the transaction that decides, after every other lock: the balances of its accounts wait for it.
 */
export async function post(
  { key, kind, currencyId, ...about }: Posting,
  lines: readonly PostingLine[],
  at: Date,
): Promise<void> {
  if (lines.length === 0) return;
  const [owners, kinds, currencies] = [
    arrayOf(lines.map(({ owner }) => owner)),
    lines.map(({ kind }) => kind),
    arrayOf(lines.map((line) => line.currencyId ?? currencyId)),
  ];
  await sql`
    insert into money_account (owner_id, kind, currency_id)
    select * from unnest(${owners}::int[], ${kinds}::text[], ${currencies}::smallint[]) line (owner_id, kind, currency_id)
    where not exists (
      select from money_account known where coalesce(known.owner_id, 0) = coalesce(line.owner_id, 0) and known.kind = line.kind and known.currency_id = line.currency_id)
    order by 3, 2, 1 on conflict do nothing
  `.execute(database());
  await sql`
    with written as (
      insert into posting (key, kind, at, order_id, payment_id, refund_id, payout_id, portfolio_id)
      values (${key}, ${kind}, ${at}, ${about.orderId ?? null}, ${about.paymentId ?? null}, ${about.refundId ?? null}, ${about.payoutId ?? null}, ${about.portfolioId ?? null})
      on conflict (key) do nothing returning id
    )
    insert into posting_line (posting_id, account_id, amount_minor)
    select written.id, money_account.id, line.amount_minor
    from written, unnest(${owners}::int[], ${kinds}::text[], ${currencies}::smallint[], ${arrayOf(lines.map(({ amountMinor }) => amountMinor))}::bigint[]) line (owner_id, kind, currency_id, amount_minor)
    join money_account on coalesce(money_account.owner_id, 0) = coalesce(line.owner_id, 0) and money_account.kind = line.kind and money_account.currency_id = line.currency_id
  `.execute(database());
}
