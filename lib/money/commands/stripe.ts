import 'server-only';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { heldMoment } from '@/lib/platform/moment';
import { isChargeback, isRefusedPayee, statusOfIntent, whyCannotPay } from '../rules';
import type { Provider, ProviderEntry } from '../schema/providers';
import { accountOf, openPayee, readPayee } from './stripe-accounts';
import { askStripe, eventIn, firstOf, refusalOf } from './stripe-client';
import { charge, close, currencyName, currencyNamed, feeOf, read, startCheckout } from './stripe-payments';
import { findRow } from './stripe-rows';

const idOf = (given: string | { id: string } | null | undefined) => (typeof given === 'string' ? given : given?.id);
const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1000);

const refund: Provider['refund'] = async ({ reference, payment, amountMinor }) => {
  const told = await read(payment);
  const intent = (await findRow(payment))?.intentId;
  if (!told || !intent) throw new Error(`Stripe knows no payment ${payment} to give back.`);
  // Keys are forgotten after a day, and what is owed may wait longer.
  const given =
    (await askStripe((stripe) =>
      firstOf(
        stripe.refunds.list({ payment_intent: intent, limit: 100 }),
        ({ metadata }) => metadata?.reference === reference,
      ),
    )) ??
    (await askStripe((stripe) =>
      stripe.refunds.create(
        { payment_intent: intent, amount: amountMinor, metadata: { reference } },
        { idempotencyKey: reference },
      ),
    ));
  if (given.status === 'failed' || given.status === 'canceled')
    throw new Error(`Refund ${given.id} of payment ${payment} is ${given.status} at Stripe.`);
};

const payOut: Provider['payOut'] = async ({ reference, owner, amountMinor, currencyId }) => {
  const destination = await accountOf(owner);
  if (destination === null) throw new Error(`Owner ${owner} has no account at Stripe.`);
  const sent = await askStripe((stripe) =>
    firstOf(
      stripe.transfers.list({ transfer_group: reference, limit: 10 }),
      ({ metadata }) => metadata.reference === reference,
    ),
  );
  if (sent) return { refused: null };
  const why = whyCannotPay(await readPayee(owner));
  if (why !== null) return { refused: why };
  try {
    await askStripe((stripe) =>
      stripe.transfers.create(
        {
          amount: amountMinor,
          currency: currencyName(currencyId),
          destination,
          transfer_group: reference,
          metadata: { reference },
        },
        { idempotencyKey: reference },
      ),
    );
    return { refused: null };
  } catch (error) {
    if (!isRefusedPayee(refusalOf(error))) throw error;
    return {
      refused: 'Stripe cannot pay into your payout account as it stands: sign in there and do what it asks for.',
    };
  }
};

const listDisputed: Provider['listDisputed'] = async (since) => {
  const disputed: string[] = [];
  const list = await askStripe(async (stripe) =>
    stripe.disputes.list({ created: { gte: secondsOf(since) }, limit: 100, expand: ['data.payment_intent'] }),
  );
  for (let page = list; ; ) {
    for (const { status, payment_intent: intent } of page.data) {
      const reference = typeof intent === 'string' ? await referenceOf(intent) : intent?.metadata.reference;
      if (reference && isChargeback(status)) disputed.push(reference);
    }
    const last = page.data.at(-1)?.id;
    if (!page.has_more || last === undefined) return disputed.toSorted();
    page = await askStripe((stripe) =>
      stripe.disputes.list({
        created: { gte: secondsOf(since) },
        limit: 100,
        starting_after: last,
        expand: ['data.payment_intent'],
      }),
    );
  }
};

async function referenceOf(intent: string): Promise<string | null> {
  const { rows } = await sql<{ reference: string }>`
    select reference from stripe_payment where intent_id = ${intent}
  `.execute(database());
  return rows[0]?.reference ?? null;
}

type Told = {
  id?: string;
  object?: string;
  metadata?: Record<string, string> | null;
  payment_intent?: string | { id: string } | null;
};

const verifyNotice: Provider['verifyNotice'] = async (headers, body) => {
  const event = await eventIn(headers['stripe-signature'] ?? '', body, heldMoment() ?? present());
  if (!event) return null;
  const told = event.data.object as Told;
  // What a refund bears is a reference of its own; its payment is known by its intent.
  const intent = told.object === 'payment_intent' ? told.id : idOf(told.payment_intent);
  const known = intent === undefined ? null : await referenceOf(intent);
  const own = told.object === 'refund' ? undefined : told.metadata?.reference;
  return { payment: known ?? (own !== undefined && /^[a-z0-9]{20}$/.test(own) ? own : null) };
};

const refundStatus = (status: string | null) =>
  status === 'failed' ? 'failed' : status === 'canceled' ? 'cancelled' : 'succeeded';

async function* list({ from, to }: { from: Date; to: Date }): AsyncGenerator<ProviderEntry> {
  const page = { created: { gte: secondsOf(from), lt: secondsOf(to) }, limit: 100 };
  const entry = (
    kind: ProviderEntry['kind'],
    {
      id,
      amount,
      currency,
      metadata,
    }: { id: string; amount: number; currency: string; metadata: Stripe.Metadata | null },
    status: ProviderEntry['status'],
  ): ProviderEntry => ({
    kind,
    id,
    reference: metadata?.reference ?? null,
    amountMinor: amount,
    currencyId: currencyNamed(currency),
    status,
  });
  const disputed = new Set(await listDisputed(from));
  const intents = await askStripe(async (stripe) => stripe.paymentIntents.list(page));
  for await (const intent of all(intents, (after) =>
    askStripe((stripe) => stripe.paymentIntents.list({ ...page, ...after })),
  )) {
    const status = statusOfIntent(intent.status, 'page');
    const isGone = status === 'succeeded' && disputed.has(intent.metadata.reference ?? '');
    yield entry('payment', intent, isGone ? 'disputed' : status);
  }
  const refunds = await askStripe(async (stripe) => stripe.refunds.list(page));
  for await (const given of all(refunds, (after) => askStripe((stripe) => stripe.refunds.list({ ...page, ...after }))))
    yield entry('refund', given, refundStatus(given.status));
  const transfers = await askStripe(async (stripe) => stripe.transfers.list(page));
  for await (const sent of all(transfers, (after) =>
    askStripe((stripe) => stripe.transfers.list({ ...page, ...after })),
  ))
    yield entry('payout', sent, sent.reversed ? 'cancelled' : 'succeeded');
  const listed = { ...page, expand: ['data.source'] };
  const moved = await askStripe(async (stripe) => stripe.balanceTransactions.list(listed));
  for await (const each of all(moved, (after) =>
    askStripe((stripe) => stripe.balanceTransactions.list({ ...listed, ...after })),
  )) {
    // Of a charge, of what was given back of it, or of its dispute.
    const intent = idOf((each.source as Told | null)?.payment_intent);
    const payment = each.fee === 0 || intent === undefined ? null : await referenceOf(intent);
    if (payment === null) continue;
    const { id, fee: amountMinor } = each;
    const currencyId = currencyNamed(each.currency);
    yield { kind: 'fee', id, reference: id, payment, amountMinor, currencyId, status: 'succeeded' };
  }
}

const readFee: Provider['readFee'] = async (id) => {
  try {
    return feeOf(await askStripe((stripe) => stripe.balanceTransactions.retrieve(id)));
  } catch (error) {
    if (refusalOf(error).statusCode === 404) return null;
    throw error;
  }
};

async function* all<T extends { id: string }>(
  first: Stripe.ApiList<T>,
  next: (after: { starting_after: string }) => Promise<Stripe.ApiList<T>>,
): AsyncGenerator<T> {
  for (let page = first; ; ) {
    yield* page.data;
    const last = page.data.at(-1);
    if (!page.has_more || !last) return;
    page = await next({ starting_after: last.id });
  }
}

/** Product §8: Stripe, through its own package: hosted pages that keep a card, charges of that card, refunds, disputes, connected accounts and transfers to them, signed notices. */
export const stripe: Provider = {
  name: 'stripe',
  startCheckout,
  charge,
  read,
  close,
  refund,
  payOut,
  readPayee,
  openPayee,
  listDisputed,
  verifyNotice,
  readFee,
  list,
};
