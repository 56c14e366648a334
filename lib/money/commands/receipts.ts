import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { MoneyCurrencyId } from '../schema/currencies';

/** What a receipt says. */
export type NewReceipt = {
  accountId: number;
  orderId: number;
  refundId?: number;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
  taxMinor: number;
  details: {
    description: string;
    periodStartsAt: string | null;
    periodEndsAt: string | null;
    coupon: string | null;
    discountMinor: number;
  };
};

/** Product §8: issues a receipt under the next number, of which none is left out: whoever issues one waits for the one before. Belongs into the transaction that books the payment, at its end. */
export async function issueReceipt(given: NewReceipt, now: Date): Promise<void> {
  await sql`
    with next as (update receipt_end set number = number + 1 returning number)
    insert into receipt (number, account_id, order_id, refund_id, issued_at, currency_id, amount_minor, tax_minor, details)
    select number, ${given.accountId}::int, ${given.orderId}::int, ${given.refundId ?? null}::int, ${now}::timestamptz, ${given.currencyId}::smallint, ${given.amountMinor}::int, ${given.taxMinor}::int,
      ${JSON.stringify(given.details)}::jsonb from next
  `.execute(database());
}
