import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { newReference } from '@/lib/platform/reference';
import { routes } from '@/lib/routes';
import type { PaymentStatus } from '../schema/orders';
import type { AskedPayment, Provider, ProviderEntry, ProviderPayment } from '../schema/providers';
import type { SandboxOutcome } from '../schema/sandbox';

type Row = ProviderPayment & {
  method: never;
  methodId: string | null;
  step: 'choose' | 'authenticate' | 'done';
  settlesAt: Date | null;
  disputedAt: Date | null;
  expiresAt: Date | null;
};

const pendingMilliseconds = 60_000;
const disputeMilliseconds = 2 * 86_400_000;

// What a card of the sandbox does later stands in its name.
const labels = {
  card: 'Sandbox card ending in 4242',
  declines: 'Sandbox card ending in 0341, declined at renewals',
  disputes: 'Sandbox card ending in 0259, disputed later',
} as const;
type Card = keyof typeof labels;
const cardOf = (method: string) => method.split('-')[1] as Card;

/** When a bank disputes what was paid by a card: nobody disputes a charge of nothing. */
const disputedAt = (card: Card, { amountMinor }: { amountMinor: number }, now: Date): Date | null =>
  card === 'disputes' && amountMinor > 0 ? new Date(now.getTime() + disputeMilliseconds) : null;

async function findPayment(reference: string, now: Date): Promise<Row | null> {
  // What becomes of it by itself has become of it whenever it is looked at.
  await sql`
    update sandbox_payment set
      status = case when status = 'pending' then 'succeeded' when status = 'started' then 'cancelled' else 'disputed' end,
      step = 'done', failure = case when status = 'started' then 'The page of the payment has expired.' else failure end
    where reference = ${reference} and ((status = 'pending' and settles_at <= ${now}) or (status = 'succeeded' and disputed_at <= ${now}) or (status = 'started' and expires_at <= ${now}))
  `.execute(database());
  const { rows } = await sql<Row>`
    select status, amount_minor as "amountMinor", currency_id as "currencyId", method as "methodId", failure, step, settles_at as "settlesAt", disputed_at as "disputedAt",
      expires_at as "expiresAt" from sandbox_payment where reference = ${reference} for update
  `.execute(database());
  return rows[0] ?? null;
}

function told({ status, amountMinor, currencyId, methodId, failure }: Row): ProviderPayment {
  return {
    status,
    amountMinor,
    currencyId,
    failure,
    method: methodId === null ? null : { id: methodId, label: labels[cardOf(methodId)], expires: null },
  };
}

const read = (reference: string) =>
  transact(async () => {
    const payment = await findPayment(reference, await decisionMoment());
    return payment && told(payment);
  });

/** Product §8: the provider that stands in for one: its page lets the payer choose what becomes of the payment. No money moves. */
export const sandbox: Provider = {
  name: 'sandbox',
  async startCheckout(asked) {
    const { reference, expiresAt, returnPath } = asked;
    await transact(async () => {
      await insertPayment(asked, { status: 'started', expiresAt, returnPath }, await decisionMoment());
    });
    return { url: routes.sandboxPayment(reference) };
  },
  async charge({ method, ...asked }) {
    await transact(async () => {
      const now = await decisionMoment();
      const isDeclined = cardOf(method) === 'declines';
      await insertPayment(
        asked,
        isDeclined
          ? { status: 'failed', failure: 'The card was declined.', method }
          : { status: 'succeeded', method, disputedAt: disputedAt(cardOf(method), asked, now) },
        now,
      );
    });
    const payment = await read(asked.reference);
    if (!payment) throw new Error('The sandbox lost a payment.');
    return payment;
  },
  read,
  close: (reference) =>
    transact(async () => {
      const now = await decisionMoment();
      const payment = await findPayment(reference, now);
      if (payment?.status !== 'started') return payment && told(payment);
      await sql`update sandbox_payment set status = 'cancelled', step = 'done', failure = 'The payment was cancelled.' where reference = ${reference}`.execute(
        database(),
      );
      const closed = await findPayment(reference, now);
      return closed && told(closed);
    }),
  detach: async (method) =>
    void (await sql`update sandbox_payment set method = null where method = ${method}`.execute(database())),
  async refund({ reference, payment, amountMinor, currencyId }) {
    await transact(async () => {
      const { rows } = await insertTransfer({ reference, kind: 'refund', payment, amountMinor, currencyId });
      if (rows.length > 0)
        await sql`update sandbox_payment set refunded_minor = refunded_minor + ${amountMinor} where reference = ${payment}`.execute(
          database(),
        );
    });
  },
  async payOut({ reference, amountMinor, currencyId }) {
    await insertTransfer({ reference, kind: 'payout', payment: null, amountMinor, currencyId });
    return { refused: null };
  },
  listDisputed: (since) =>
    transact(async () => {
      const now = await decisionMoment();
      await sql`update sandbox_payment set status = 'disputed' where status = 'succeeded' and disputed_at <= ${now}`.execute(
        database(),
      );
      const { rows } = await sql<{ reference: string }>`
        select reference from sandbox_payment where status = 'disputed' and disputed_at >= ${since} order by reference
      `.execute(database());
      return rows.map(({ reference }) => reference);
    }),
  readPayout: null,
  readPayee: null,
  openPayee: null,
  verifyNotice: async () => null,
  readFee: async () => null,
  listMoves: null,
  async *list({ from, to }) {
    const { rows } = await sql<ProviderEntry>`
      select 'payment' as kind, reference as id, reference, amount_minor as "amountMinor", currency_id as "currencyId", status
      from sandbox_payment where created_at >= ${from} and created_at < ${to} and amount_minor > 0
      union all
      select kind, reference, reference, amount_minor, currency_id, 'succeeded' from sandbox_transfer where created_at >= ${from} and created_at < ${to}
      order by 1, 2
    `.execute(database());
    yield* rows;
  },
};

type Made = {
  status: PaymentStatus;
  failure?: string;
  method?: string;
  disputedAt?: Date | null;
  expiresAt?: Date;
  returnPath?: string;
};

async function insertPayment(asked: AskedPayment, made: Made, now: Date): Promise<void> {
  const { reference, amountMinor, currencyId, description, customer } = asked;
  await sql`
    insert into sandbox_payment (reference, amount_minor, currency_id, description, customer, status, step, failure, method, disputed_at, return_path, created_at, expires_at)
    values (${reference}, ${amountMinor}, ${currencyId}, ${description}, ${customer}, ${made.status}, ${made.status === 'started' ? 'choose' : 'done'}, ${made.failure ?? null},
      ${made.method ?? null}, ${made.disputedAt ?? null}, ${made.returnPath ?? null}, ${now}, ${made.expiresAt ?? null})
    on conflict (reference) do nothing
  `.execute(database());
}

const insertTransfer = (given: {
  reference: string;
  kind: 'refund' | 'payout';
  payment: string | null;
  amountMinor: number;
  currencyId: number;
}) =>
  decisionMoment().then((now) =>
    sql<{ reference: string }>`
      insert into sandbox_transfer (reference, kind, payment, amount_minor, currency_id, created_at)
      values (${given.reference}, ${given.kind}, ${given.payment}, ${given.amountMinor}, ${given.currencyId}, ${now}) on conflict do nothing returning reference
    `.execute(database()),
  );

/** Lets a payment of the sandbox become what its payer chose. Failure 'missing' for none, 'conflict' once it was decided. */
export async function chooseOutcome(reference: string, outcome: SandboxOutcome): Promise<void> {
  await transact(async () => {
    const now = await decisionMoment();
    const payment = await findPayment(reference, now);
    if (!payment) throw new Failure('missing', 'There is no such payment.');
    const isConfirming = outcome === 'confirm' || outcome === 'refuse';
    if (payment.status !== 'started' || isConfirming !== (payment.step === 'authenticate'))
      throw new Failure('conflict', 'This payment already has an outcome. Go back to see it.');
    const card: Card = outcome === 'declined-later' ? 'declines' : outcome === 'chargeback-later' ? 'disputes' : 'card';
    const kept = `card-${card}-${newReference(12)}`;
    const [status, failure] = stateAfter(outcome);
    const isPaid = status === 'succeeded' || status === 'pending';
    await sql`
      update sandbox_payment set status = ${status}, step = ${outcome === 'authentication-needed' ? 'authenticate' : 'done'}, failure = ${failure}, method = ${isPaid ? kept : null},
        settles_at = ${status === 'pending' ? new Date(now.getTime() + pendingMilliseconds) : null},
        disputed_at = ${disputedAt(card, payment, now)}
      where reference = ${reference}
    `.execute(database());
  });
}

function stateAfter(outcome: SandboxOutcome): [PaymentStatus, string | null] {
  if (outcome === 'pending') return ['pending', null];
  if (outcome === 'authentication-needed') return ['started', null];
  if (outcome === 'cancelled') return ['cancelled', 'You cancelled the payment.'];
  if (outcome === 'declined') return ['failed', 'The card was declined.'];
  if (outcome === 'refuse') return ['failed', 'Your bank did not confirm that it was you.'];
  return ['succeeded', null];
}
