/** An object as Stripe tells it. */
export type Thing = { id: string; object: string; created: number } & Record<string, unknown>;

/** The card that a payer chose on the page, by what becomes of it. */
export type Card =
  | 'success'
  | 'declined'
  | 'declined-later'
  | 'chargeback-later'
  | 'authentication-later'
  | 'cancelled'
  | 'pending';

let made = 0;
const newId = (prefix: string) => `${prefix}_${String((made += 1)).padStart(14, '0')}`;

/** Makes an object of a kind under a new id; of each kind no more than the program or its package reads, and under Stripe's names. */
export function thing(object: string, created: number, more: Record<string, unknown>): Thing {
  const [prefix, base] = kinds[object] ?? ['obj', {}];
  const metadata = object === 'balance_transaction' ? {} : { metadata: {} };
  return { id: newId(prefix), object, created, ...metadata, ...base, ...more } as Thing;
}

const kinds: Record<string, [prefix: string, base: Record<string, unknown>]> = {
  customer: ['cus', { balance: 0, email: null, name: null }],
  payment_method: ['pm', { type: 'card', customer: null }],
  'checkout.session': [
    'cs_test',
    { status: 'open', payment_status: 'unpaid', payment_intent: null, setup_intent: null },
  ],
  setup_intent: ['seti', { status: 'succeeded', payment_method: null }],
  payment_intent: [
    'pi',
    {
      amount_received: 0,
      last_payment_error: null,
      latest_charge: null,
      payment_method: null,
      canceled_at: null,
      next_action: null,
    },
  ],
  balance_transaction: ['txn', { exchange_rate: null, fee_details: [], status: 'available' }],
  charge: [
    'ch',
    {
      amount_refunded: 0,
      balance_transaction: null,
      disputed: false,
      paid: true,
      refunded: false,
      status: 'succeeded',
    },
  ],
  refund: ['re', { balance_transaction: null, status: 'succeeded', reason: null }],
  dispute: [
    'dp',
    { balance_transactions: [], status: 'needs_response', reason: 'fraudulent', is_charge_refundable: false },
  ],
  transfer: ['tr', { amount_reversed: 0, reversed: false }],
  account: [
    'acct',
    {
      capabilities: { transfers: 'inactive' },
      charges_enabled: false,
      details_submitted: false,
      payouts_enabled: false,
      requirements: {
        currently_due: ['external_account', 'tos_acceptance.date', 'tos_acceptance.ip'],
        disabled_reason: 'requirements.past_due',
        past_due: [],
      },
    },
  ],
  event: ['evt', { api_version: null, pending_webhooks: 1, request: { id: null, idempotency_key: null } }],
};

/** What a card of a payment method is told as. */
export const card = {
  brand: 'visa',
  display_brand: 'visa',
  country: 'GB',
  exp_month: 8,
  exp_year: 2030,
  funding: 'credit',
  last4: '4242',
};

/** The fields of a form as Stripe's package sends them: `a[b][0]` as objects and lists in one another. */
export function fieldsOf(form: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(form)) {
    const [first = '', ...rest] = name.split(/[[\]]+/).filter((part) => part !== '');
    let place = fields;
    let last = first;
    for (const part of rest) {
      place = (place[last] ??= {}) as Record<string, unknown>;
      last = part;
    }
    place[last] = value;
  }
  return fields;
}
