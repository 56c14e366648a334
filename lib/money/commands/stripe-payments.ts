import 'server-only';
import type Stripe from 'stripe';
import { env } from '@/lib/platform/env';
import { decisionMoment } from '@/lib/platform/moment';
import { isChargeback, statusOfIntent, whyDeclined } from '../rules/stripe';
import type { Provider, ProviderFee, ProviderPayment } from '../schema/providers';
import { currencyName, currencyNamed, feeOf } from './stripe-balance';
import { allOf, askStripe, firstOf, isReplayedFault, refusalOf } from './stripe-client';
import { customerOf, findCustomer, findRow, keepInRow, openRow, type StripeRow } from './stripe-rows';

const intentParts = ['latest_charge.balance_transaction', 'payment_method'];
const sessionParts = [
  'payment_intent.latest_charge.balance_transaction',
  'payment_intent.payment_method',
  'setup_intent.payment_method',
];
// Stripe keeps a page open for half an hour at least, counted from when it hears of it; ours closes it when the order is over.
const pageMilliseconds = 35 * 60_000;
// A fault that Stripe only repeats is asked for anew no sooner: what it may have done shows by then.
const faultMilliseconds = 60_000;

const ofReference =
  (reference: string) =>
  ({ metadata }: { metadata: Record<string, string> | null }) =>
    metadata?.reference === reference;

async function findSession(row: StripeRow): Promise<Stripe.Checkout.Session | null> {
  const customer = await findCustomer(row.customer);
  if (customer === null) return null;
  return askStripe((stripe) =>
    firstOf(stripe.checkout.sessions.list({ customer, limit: 100 }), ofReference(row.reference)),
  );
}

async function findIntent(row: StripeRow): Promise<Stripe.PaymentIntent | null> {
  const customer = await findCustomer(row.customer);
  if (customer === null) return null;
  return askStripe((stripe) =>
    firstOf(stripe.paymentIntents.list({ customer, limit: 100 }), ofReference(row.reference)),
  );
}

/** Has something made under the key of a row. An answer with a fault that Stripe only repeats uses up the key, once what was asked for is nowhere to be found. */
async function make<T>(
  row: StripeRow,
  {
    find,
    ask,
    waitMilliseconds,
  }: { find: () => Promise<T | null>; ask: (key: string) => Promise<T>; waitMilliseconds: number },
): Promise<T> {
  const key = row.keys === 0 ? row.reference : `${row.reference}-${row.keys}`;
  try {
    return await ask(key);
  } catch (error) {
    if (!isReplayedFault(error)) throw error;
    const found = await find();
    if (found) return found;
    const isOld = (await decisionMoment()).getTime() - row.createdAt.getTime() >= waitMilliseconds;
    if (!isOld || row.keys >= 20) throw error;
    return make(await keepInRow(row, { keys: row.keys + 1 }), { find, ask, waitMilliseconds });
  }
}

/** Opens Stripe's page for a payment, or for a card alone where nothing is paid yet. */
export const startCheckout: Provider['startCheckout'] = async (asked) => {
  const { reference, amountMinor, currencyId, description, expiresAt, returnPath } = asked;
  const { row, isNew } = await openRow(asked, 'page', null);
  const back = `${env().siteUrl}${returnPath}`;
  if (row.url !== null || row.closedAt !== null) return { url: row.url ?? back };
  const customer = await customerOf(asked.customer);
  const metadata = { reference };
  const common = {
    customer,
    client_reference_id: reference,
    metadata,
    allowed_payment_method_types: ['card' as const],
    success_url: back,
    cancel_url: back,
    expires_at: Math.floor((expiresAt.getTime() + pageMilliseconds) / 1000),
  };
  const params: Stripe.Checkout.SessionCreateParams =
    amountMinor === 0
      ? { ...common, mode: 'setup', setup_intent_data: { metadata } }
      : {
          ...common,
          mode: 'payment',
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currencyName(currencyId),
                unit_amount: amountMinor,
                product_data: { name: description },
              },
            },
          ],
          payment_intent_data: { description, metadata, setup_future_usage: 'off_session' },
        };
  const find = () => findSession(row);
  const session =
    (isNew ? null : await find()) ??
    (await make(row, {
      find,
      ask: (idempotencyKey) => askStripe((stripe) => stripe.checkout.sessions.create(params, { idempotencyKey })),
      waitMilliseconds: 0,
    }));
  const known = await keepInRow(row, { sessionId: session.id, url: session.url ?? back });
  // It was given up while it was being opened.
  if (known.closedAt !== null) await expire(session.id);
  return { url: known.url ?? back };
};

async function expire(session: string): Promise<void> {
  try {
    await askStripe((stripe) => stripe.checkout.sessions.expire(session));
  } catch (error) {
    // One that is not open any more cannot be closed: it is read as it is.
    if (refusalOf(error).statusCode !== 400) throw error;
  }
}

/**
 * Charges a card that was kept. What Stripe will never do is a payment that failed; what is not known to have happened is an error, to be asked for again. It is
 * looked for first, always: a site that was restored does not know what it has asked for (0115).
 */
export const charge: Provider['charge'] = async ({ method, ...asked }) => {
  const { row } = await openRow(asked, 'charge', method);
  const known = await readRow(row);
  if (known) return known;
  const { reference, amountMinor, currencyId, description } = asked;
  const customer = await customerOf(asked.customer);
  const params: Stripe.PaymentIntentCreateParams = {
    amount: amountMinor,
    currency: currencyName(currencyId),
    customer,
    payment_method: method,
    allowed_payment_method_types: ['card'],
    confirm: true,
    off_session: true,
    description,
    metadata: { reference },
  };
  try {
    const intent = await make(row, {
      find: () => findIntent(row),
      ask: (idempotencyKey) => askStripe((stripe) => stripe.paymentIntents.create(params, { idempotencyKey })),
      waitMilliseconds: faultMilliseconds,
    });
    await keepInRow(row, { intentId: intent.id });
  } catch (error) {
    const { type, statusCode, code, decline_code: declineCode, payment_intent: intent } = refusalOf(error);
    if (intent) await keepInRow(row, { intentId: intent.id });
    else if (
      type === 'StripeCardError' ||
      (type === 'StripeInvalidRequestError' && (statusCode === 400 || statusCode === 404))
    )
      await keepInRow(row, { failure: whyDeclined(code, declineCode) });
    else throw error;
  }
  const told = await readRow(await keepInRow(row, {}));
  if (!told) throw new Error('Stripe does not know a payment that it made.');
  return told;
};

/** The payment of a reference as Stripe has it now. */
export const read: Provider['read'] = async (reference) => {
  const row = await findRow(reference);
  return row && readRow(row);
};

async function readRow(row: StripeRow): Promise<ProviderPayment | null> {
  const { intentId, kind, method } = row;
  if (kind === 'charge' && row.amountMinor === 0)
    return toldOf(row, {
      status: 'succeeded',
      method: method === null ? null : { id: method, label: 'Card', expires: null },
    });
  if (intentId !== null)
    return toldOfIntent(
      row,
      await askStripe((stripe) => stripe.paymentIntents.retrieve(intentId, { expand: intentParts })),
    );
  if (kind === 'page') {
    const id = row.sessionId ?? (await findSession(row))?.id;
    if (id === undefined) return null;
    const session = await askStripe((stripe) => stripe.checkout.sessions.retrieve(id, { expand: sessionParts }));
    return toldOfSession(await keepInRow(row, { sessionId: id, ...(session.url && { url: session.url }) }), session);
  }
  // The answer to the charge was lost on its way.
  const intent = await findIntent(row);
  if (intent) return readRow(await keepInRow(row, { intentId: intent.id }));
  return row.failure === null ? null : toldOf(row, { status: 'failed', failure: row.failure });
}

function toldOf(
  { amountMinor, currencyId }: StripeRow,
  told: Pick<ProviderPayment, 'status'> & Partial<ProviderPayment>,
): ProviderPayment {
  return { amountMinor, currencyId, method: null, failure: null, ...told };
}

function methodOf(given: string | Stripe.PaymentMethod | null): ProviderPayment['method'] {
  if (given === null) return null;
  if (typeof given === 'string') return { id: given, label: 'Card', expires: null };
  const { card, id, type } = given;
  if (!card) return { id, label: type, expires: null };
  const label = `${card.display_brand ?? card.brand} ending in ${card.last4}`;
  return {
    id,
    label: label.replace(/^./, (first) => first.toUpperCase()),
    expires: `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`,
  };
}

async function toldOfSession(row: StripeRow, session: Stripe.Checkout.Session): Promise<ProviderPayment> {
  if (session.status === 'open') return toldOf(row, { status: 'started' });
  if (session.status !== 'complete')
    return toldOf(row, {
      status: 'cancelled',
      failure: row.closedAt === null ? 'The page of the payment has expired.' : 'The payment was cancelled.',
    });
  const { payment_intent: intent, setup_intent: setup } = session;
  if (intent !== null && typeof intent !== 'string')
    return toldOfIntent(await keepInRow(row, { intentId: intent.id }), intent);
  if (setup !== null && typeof setup !== 'string')
    return toldOf(row, { status: 'succeeded', method: methodOf(setup.payment_method) });
  throw new Error(`Session ${session.id} is complete and tells no payment.`);
}

async function toldOfIntent(row: StripeRow, intent: Stripe.PaymentIntent): Promise<ProviderPayment> {
  const currencyId = currencyNamed(intent.currency);
  if (currencyId === null) throw new Error(`Payment ${intent.id} is in ${intent.currency}, which we take no money in.`);
  const status = statusOfIntent(intent.status, row.kind);
  // What a bank asks of somebody who is not there is taken back, so that nobody pays it after it was counted as failed.
  if (status === 'failed' && /^requires_(action|confirmation|capture)$/.test(intent.status))
    await askStripe((stripe) => stripe.paymentIntents.cancel(intent.id));
  const { code, decline_code: declineCode } = intent.last_payment_error ?? {};
  const failure =
    status === 'failed'
      ? whyDeclined(intent.status === 'requires_action' ? 'authentication_required' : code, declineCode)
      : status === 'cancelled'
        ? 'The payment was cancelled.'
        : null;
  const disputes = await disputesOf(intent);
  const isGone = disputes.some((each) => isChargeback(each.status));
  return {
    status: status === 'succeeded' && isGone ? 'disputed' : status,
    amountMinor: intent.amount,
    currencyId,
    method: status === 'succeeded' || status === 'pending' ? methodOf(intent.payment_method) : null,
    failure,
    fees: await feesOf(intent, disputes),
  };
}

/** What Stripe kept for itself of a payment, of what was given back of it and of its disputes, as far as it is known. */
async function feesOf(intent: Stripe.PaymentIntent, disputes: readonly Stripe.Dispute[]): Promise<ProviderFee[]> {
  const { id, latest_charge: charge } = intent;
  if (charge === null || typeof charge === 'string') return [];
  const parts = { payment_intent: id, limit: 100, expand: ['data.balance_transaction'] };
  const refunds = charge.amount_refunded === 0 ? [] : await askStripe((stripe) => allOf(stripe.refunds.list(parts)));
  const moved = [
    charge.balance_transaction,
    ...disputes.flatMap((each) => each.balance_transactions),
    ...refunds.map((each) => each.balance_transaction),
  ];
  return moved.flatMap((each) => (each === null || typeof each === 'string' ? [] : (feeOf(each) ?? [])));
}

async function disputesOf({ id, latest_charge: charged }: Stripe.PaymentIntent): Promise<Stripe.Dispute[]> {
  if (charged === null || typeof charged === 'string' || !charged.disputed) return [];
  return askStripe((stripe) => allOf(stripe.disputes.list({ payment_intent: id, limit: 100 })));
}

/** Closes a page that nobody has paid on, also one that is just being opened. */
export const close: Provider['close'] = async (reference) => {
  const known = await findRow(reference);
  if (!known) return null;
  const row = await keepInRow(known, { closedAt: await decisionMoment() });
  const session = row.intentId === null ? (row.sessionId ?? (await findSession(row))?.id) : undefined;
  if (session !== undefined) await expire(session);
  return readRow(row);
};

/** Takes a card from the payer whom Stripe keeps it for, after which it can never be charged again; one that Stripe keeps no more, or for nobody, is gone already. */
export const detach: Provider['detach'] = async (method) => {
  try {
    const { customer } = await askStripe((stripe) => stripe.paymentMethods.retrieve(method));
    if (customer !== null) await askStripe((stripe) => stripe.paymentMethods.detach(method));
  } catch (error) {
    if (refusalOf(error).code !== 'resource_missing') throw error;
  }
};
