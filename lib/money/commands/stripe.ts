import 'server-only';
import type Stripe from 'stripe';
import { now as present } from '@/lib/platform/clock';
import { heldMoment } from '@/lib/platform/moment';
import { whyCannotPay } from '../rules/payouts';
import { isChargeback, isRefusedPayee, statusOfIntent } from '../rules/stripe';
import type { Provider, ProviderEntry } from '../schema/providers';
import { accountOf, openPayee, readPayee } from './stripe-accounts';
import { currencyName, currencyNamed, listMoves, readFee } from './stripe-balance';
import { askStripe, eventIn, firstOf, idOf, pagesOf, periodOf, refusalOf, secondsOf } from './stripe-client';
import { charge, close, detach, read, startCheckout } from './stripe-payments';
import { findRow, referencesOf } from './stripe-rows';

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

const findTransfer = (reference: string) =>
  askStripe((stripe) =>
    firstOf(
      stripe.transfers.list({ transfer_group: reference, limit: 10 }),
      ({ metadata }) => metadata.reference === reference,
    ),
  );

// A reference is of a payout in one currency.
const readPayout: Provider['readPayout'] = async (reference) => (await findTransfer(reference))?.amount ?? null;

const payOut: Provider['payOut'] = async ({ reference, owner, amountMinor, currencyId }) => {
  const sent = await findTransfer(reference);
  if (sent && (sent.amount !== amountMinor || sent.currency !== currencyName(currencyId)))
    throw new Error(`Transfer ${sent.id} of this payout is of another amount.`);
  if (sent) return { refused: null };
  const destination = await accountOf(owner);
  if (destination === null) throw new Error(`Owner ${owner} has no account at Stripe.`);
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
  const asked = { created: { gte: secondsOf(since) }, limit: 100, expand: ['data.payment_intent'] };
  for await (const page of pagesOf((stripe, after) => stripe.disputes.list({ ...asked, ...after })))
    for (const { status, payment_intent: intent } of page) {
      const reference = typeof intent === 'string' ? await referenceOf(intent) : intent?.metadata.reference;
      if (reference && isChargeback(status)) disputed.push(reference);
    }
  return disputed.toSorted();
};

const referenceOf = async (intent: string) => (await referencesOf([intent])).get(intent) ?? null;

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

async function* list(period: { from: Date; to: Date }): AsyncGenerator<ProviderEntry> {
  const page = periodOf(period);
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
  const disputed = new Set(await listDisputed(period.from));
  for await (const intents of pagesOf((stripe, after) => stripe.paymentIntents.list({ ...page, ...after })))
    for (const intent of intents) {
      const status = statusOfIntent(intent.status, 'page');
      const isGone = status === 'succeeded' && disputed.has(intent.metadata.reference ?? '');
      yield entry('payment', intent, isGone ? 'disputed' : status);
    }
  for await (const refunds of pagesOf((stripe, after) => stripe.refunds.list({ ...page, ...after })))
    for (const given of refunds) yield entry('refund', given, refundStatus(given.status));
  for await (const transfers of pagesOf((stripe, after) => stripe.transfers.list({ ...page, ...after })))
    for (const sent of transfers) yield entry('payout', sent, sent.reversed ? 'cancelled' : 'succeeded');
}

/** Product §8: Stripe, through its own package: hosted pages that keep a card, charges of that card, refunds, disputes, connected accounts and transfers to them, signed notices. */
export const stripe: Provider = {
  name: 'stripe',
  startCheckout,
  charge,
  read,
  close,
  detach,
  refund,
  payOut,
  readPayout,
  readPayee,
  openPayee,
  listDisputed,
  verifyNotice,
  readFee,
  list,
  listMoves,
};
