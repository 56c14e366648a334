import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { newReference } from '@/lib/platform/reference';
import { takenBack, takenBackLines } from '../rules/shares';
import type { MoneyCurrencyId } from '../schema/currencies';
import { post } from './books';
import { takeBackFee } from './fees';
import { providerNamed } from './provider';
import { issueReceipt, type NewReceipt } from './receipts';

/** A sale of which something is given back: the order that was paid, and who earned by it. */
export type Sale = {
  orderId: number;
  paymentId: number;
  accountId: number;
  /** None, as its owner, where Pro was sold. */
  portfolioId: number | null;
  owner: number | null;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
  taxMinor: number;
};

const referenceLength = 20;

async function whereEarned({ owner, paymentId }: Sale): Promise<'held' | 'payable' | 'pro'> {
  if (owner === null) return 'pro';
  const { rows } = await sql`select from posting where key = ${`release:${paymentId}`}`.execute(database());
  return rows.length > 0 ? 'payable' : 'held';
}

async function givenBack(paymentId: number): Promise<number> {
  const { rows } = await sql<{ given: number }>`
    select coalesce(sum(amount_minor), 0)::int as given from refund where payment_id = ${paymentId}
  `.execute(database());
  return rows[0]?.given ?? 0;
}

/**
 * Owes a member so much of what they paid: taken back from those who earned it, with a receipt of its own. The fee of an affiliate is taken back where what was
 * bought ends by it (`ends`) or nothing is left of the payment; ours (0123): a part that is given while it goes on leaves the fee, which is for bringing the buyer. The provider is asked by
 * `sendRefunds`. Returns how much, in minor units: nothing where nothing is left to give back. Belongs into the transaction that decides it.
 */
export async function recordRefund(
  sale: Sale,
  {
    amountMinor: asked,
    because,
    details,
    ends = true,
  }: { amountMinor: number; because: string; details: NewReceipt['details']; ends?: boolean },
  now: Date,
): Promise<number> {
  const before = await givenBack(sale.paymentId);
  const amountMinor = Math.min(asked, sale.amountMinor - before);
  if (amountMinor <= 0) return 0;
  const { rows } = await sql<{ id: number }>`
    insert into refund (reference, payment_id, amount_minor, because, status, created_at, changed_at)
    values (${newReference(referenceLength)}, ${sale.paymentId}, ${amountMinor}, ${because}, 'owed', ${now}, ${now}) returning id
  `.execute(database());
  const refundId = rows[0]?.id ?? 0;
  const shares = takenBack(sale, { before, amountMinor });
  await post(
    {
      key: `refund:${refundId}`,
      kind: 'refund',
      currencyId: sale.currencyId,
      orderId: sale.orderId,
      paymentId: sale.paymentId,
      refundId,
      portfolioId: sale.portfolioId,
    },
    takenBackLines(shares, { owner: sale.owner, from: await whereEarned(sale), to: 'refunds' }),
    now,
  );
  if (ends || before + amountMinor === sale.amountMinor) await takeBackFee(sale.paymentId, 'refund', now);
  await issueReceipt(
    {
      accountId: sale.accountId,
      orderId: sale.orderId,
      refundId,
      currencyId: sale.currencyId,
      amountMinor: -amountMinor,
      taxMinor: -shares.tax,
      details,
    },
    now,
  );
  return amountMinor;
}

/** Product §8: books that a payment was charged back: what is left of it is taken back from those who earned it, and what was still owed of it the bank has given. Once, however often it is told. */
export async function bookChargeback(sale: Sale, now: Date): Promise<void> {
  // No provider gives back what the bank took.
  for (const owed of await findOwed({ paymentId: sale.paymentId })) await bookGiven(owed);
  const before = await givenBack(sale.paymentId);
  const amountMinor = sale.amountMinor - before;
  const about = {
    currencyId: sale.currencyId,
    orderId: sale.orderId,
    paymentId: sale.paymentId,
    portfolioId: sale.portfolioId,
  };
  await takeBackFee(sale.paymentId, 'chargeback', now);
  if (amountMinor <= 0) return;
  await post(
    { key: `chargeback:${sale.paymentId}`, kind: 'chargeback', ...about },
    takenBackLines(takenBack(sale, { before, amountMinor }), {
      owner: sale.owner,
      from: await whereEarned(sale),
      to: 'chargebacks',
    }),
    now,
  );
  await post(
    { key: `charged-back:${sale.paymentId}`, kind: 'refunded', ...about },
    [
      { owner: null, kind: 'chargebacks', amountMinor: -amountMinor },
      { owner: null, kind: 'clearing', amountMinor },
    ],
    now,
  );
}

type Owed = {
  id: number;
  reference: string;
  provider: string;
  payment: string;
  amountMinor: number;
  currencyId: MoneyCurrencyId;
  orderId: number;
  paymentId: number;
};

const batch = 100;

async function findOwed(only: { paymentId?: number }): Promise<Owed[]> {
  const { rows } = await sql<Owed>`
    select refund.id, refund.reference, provider, payment.reference as payment, refund.amount_minor as "amountMinor", currency_id as "currencyId", order_id as "orderId", payment.id as "paymentId"
    from refund join payment on payment.id = payment_id
    where refund.status = 'owed' and (${only.paymentId ?? null}::int is null or payment_id = ${only.paymentId ?? null}::int) order by random() limit ${batch}
  `.execute(database());
  return rows;
}

/** Has the providers give back what is owed, and books what they gave; asking twice gives it once. Returns how many were given. */
export async function sendRefunds(): Promise<number> {
  let given = 0;
  for (const owed of await findOwed({})) {
    try {
      await providerNamed(owed.provider).refund(owed);
      await transact(() => bookGiven(owed));
      given += 1;
    } catch (error) {
      // The others go on; this one stays owed, and is asked for again.
      log.error({
        event: 'refund_failed',
        refund: owed.id,
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return given;
}

async function bookGiven(owed: Owed): Promise<void> {
  const held = await sql`select from refund where id = ${owed.id} and status = 'owed' for update`.execute(database());
  if (held.rows.length === 0) return;
  const now = await decisionMoment();
  await sql`update refund set status = 'done', changed_at = ${now} where id = ${owed.id}`.execute(database());
  await post(
    {
      key: `refunded:${owed.id}`,
      kind: 'refunded',
      currencyId: owed.currencyId,
      orderId: owed.orderId,
      paymentId: owed.paymentId,
      refundId: owed.id,
    },
    [
      { owner: null, kind: 'refunds', amountMinor: -owed.amountMinor },
      { owner: null, kind: 'clearing', amountMinor: owed.amountMinor },
    ],
    now,
  );
}
