import 'server-only';
import { sql } from 'kysely';
import { throughEach } from '@/lib/platform/batches';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { sharesOf } from '../rules/shares';
import { coolingOffDays } from '../rules/states';
import type { MoneyCurrencyId } from '../schema/currencies';
import { post } from './books';

type PaidSale = {
  orderId: number;
  paymentId: number;
  accountId: number;
  owner: number | null;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
  taxMinor: number;
};

/** What an affiliate earns by a sale. */
type SaleFee = { affiliate: number; amountMinor: number };

/**
 * Product §8: the fee of the affiliate by whose link a buyer signed up, for the buyer's first paid membership and no other: what staff set
 * for the currency, at most what the site keeps of the payment; null where none is earned. Nobody earns by what they buy or sell themselves.
 */
export async function findFee(sale: PaidSale): Promise<SaleFee | null> {
  const { rows } = await sql<{ affiliate: number; feeMinor: number }>`
    select affiliate_id as affiliate, fee.amount_minor as "feeMinor"
    from referral join account affiliate on affiliate.id = affiliate_id join affiliate_fee fee on fee.currency_id = ${sale.currencyId}
    where referral.account_id = ${sale.accountId} and affiliate.affiliate_reference is not null and affiliate_id is distinct from ${sale.owner}::int
  `.execute(database());
  const [referred] = rows;
  const amountMinor = Math.min(referred?.feeMinor ?? 0, sharesOf(sale.amountMinor, sale.taxMinor).platform);
  if (!referred || amountMinor <= 0 || (await hasPaidBefore(sale))) return null;
  return { affiliate: referred.affiliate, amountMinor };
}

async function hasPaidBefore({ accountId, orderId }: PaidSale): Promise<boolean> {
  // Of an order that was paid too late the sale is booked and given back: it opened nothing.
  const { rows } = await sql`
    select from customer_order earlier where account_id = ${accountId} and id <> ${orderId} and status = 'paid' and exists (select from posting where order_id = earlier.id and kind = 'sale') limit 1
  `.execute(database());
  return rows.length > 0;
}

/** Books the fee of an affiliate. Belongs behind the booking of the sale, into its transaction. */
export async function bookFee(
  { accountId, currencyId, orderId, paymentId }: PaidSale,
  { affiliate, amountMinor }: SaleFee,
  now: Date,
): Promise<void> {
  await post(
    { key: `affiliate:${accountId}`, kind: 'affiliate', currencyId, orderId, paymentId },
    [
      { owner: null, kind: 'platform', amountMinor: -amountMinor },
      { owner: affiliate, kind: 'affiliate-held', amountMinor },
    ],
    now,
  );
}

type Fee = { orderId: number; affiliate: number; currencyId: MoneyCurrencyId; amountMinor: number };

async function isReleased(paymentId: number): Promise<boolean> {
  const { rows } = await sql`select from posting where key = ${`affiliate-release:${paymentId}`}`.execute(database());
  return rows.length > 0;
}

/** Product §8: takes back the fee for a payment that was given back while it was held, or charged back at any time; once. Belongs into the transaction that books that. */
export async function takeBackFee(paymentId: number, because: 'refund' | 'chargeback', now: Date): Promise<void> {
  const { rows } = await sql<Fee>`
    select order_id as "orderId", owner_id as affiliate, money_account.currency_id as "currencyId", amount_minor::int as "amountMinor"
    from posting fee join posting_line on posting_id = fee.id join money_account on money_account.id = posting_line.account_id
    where fee.payment_id = ${paymentId} and fee.kind = 'affiliate' and money_account.kind = 'affiliate-held'
      and not exists (select from posting where key = ${`affiliate-back:${paymentId}`})
  `.execute(database());
  const [fee] = rows;
  if (!fee) return;
  const released = await isReleased(paymentId);
  if (released && because === 'refund') return;
  const { orderId, affiliate, currencyId, amountMinor } = fee;
  await post(
    { key: `affiliate-back:${paymentId}`, kind: 'affiliate-back', currencyId, orderId, paymentId },
    [
      { owner: affiliate, kind: released ? 'affiliate-payable' : 'affiliate-held', amountMinor: -amountMinor },
      { owner: null, kind: 'platform', amountMinor },
    ],
    now,
  );
}

const batch = 500;

/** A fee by its posting, with the postings after which something is held of it. */
type DueFee = { id: number; paymentId: number; orderId: number; postingIds: number[] };

/**
 * Product §8: makes the fees of affiliates payable whose cooling-off is over: what is left of each, once. Each is released by itself, so that one that
 * fails keeps no other from its turn; its error is thrown behind all others. Returns how many it looked at.
 */
export async function releaseFees(now: Date): Promise<number> {
  return throughEach(
    (after) => listDue(after, now),
    (fee) => transact(() => releaseFee(fee)),
    ({ paymentId }, error) => log.error({ event: 'release_failed', payment: paymentId, err: error }),
  );
}

async function listDue(after: number, now: Date): Promise<DueFee[]> {
  const over = new Date(now.getTime() - coolingOffDays * 86_400_000);
  const { rows } = await sql<DueFee>`
    select fee.id, due.payment_id as "paymentId", fee.order_id as "orderId", array_agg(due.posting_id) as "postingIds"
    from earning_due due cross join lateral (select id, at, order_id from posting where payment_id = due.payment_id and kind = 'affiliate' limit 1) fee
    where due.kind = 'affiliate-held' and fee.at <= ${over} and fee.id > ${after}
    group by fee.id, due.payment_id, fee.order_id order by fee.id limit ${batch}
  `.execute(database());
  return rows;
}

async function releaseFee({ paymentId, orderId, postingIds }: DueFee): Promise<void> {
  // A refund of it is decided under the same lock.
  await sql`select from payment where id = ${paymentId} for update`.execute(database());
  const at = await decisionMoment();
  const { rows: held } = await sql<{ affiliate: number; currencyId: MoneyCurrencyId; amountMinor: number }>`
    select owner_id as affiliate, money_account.currency_id as "currencyId", sum(amount_minor)::int as "amountMinor"
    from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
    where payment_id = ${paymentId} and money_account.kind = 'affiliate-held' group by owner_id, money_account.currency_id
  `.execute(database());
  for (const { affiliate, currencyId, amountMinor } of held.filter((each) => each.amountMinor !== 0))
    await post(
      { key: `affiliate-release:${paymentId}`, kind: 'affiliate-release', currencyId, orderId, paymentId },
      [
        { owner: affiliate, kind: 'affiliate-held', amountMinor: -amountMinor },
        { owner: affiliate, kind: 'affiliate-payable', amountMinor },
      ],
      at,
    );
  // What is booked meanwhile is still due.
  await sql`delete from earning_due where kind = 'affiliate-held' and posting_id = any(${postingIds}::int[])`.execute(
    database(),
  );
}
