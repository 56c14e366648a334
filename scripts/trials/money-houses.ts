import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { chooseOutcome, setPayee } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId } from '@/lib/reference/schema';
import { type Notice, StripeServer } from '../../tests/support/stripe-server';

/** Money that a provider moved, by the reference that it was asked under. */
export type Moved = { reference: string; amountMinor: number };

/** All that a provider holds, in its own words: what it took (and what of it was disputed), gave back, paid out and kept for itself. */
export type Holdings = {
  taken: (Moved & { isDisputed: boolean })[];
  givenBack: (Moved & { payment: string })[];
  paidOut: Moved[];
  keptMinor: number;
};

/** A provider of the trial: what its payers do on its pages, what becomes of what is pending, and what it holds. */
export type House = {
  name: 'sandbox' | 'stripe';
  /** What an instance needs to know to ask it. */
  settings: Record<string, string>;
  setClock: (clock: () => Date) => void;
  welcome: (username: string, accountId: number) => Promise<void>;
  pay: (payUrl: string) => Promise<void>;
  settlePending: () => void;
  notices: () => Notice[];
  holdings: () => Promise<Holdings>;
  close: () => Promise<void>;
};

// Most pay; some by a card that will be declined or disputed later.
const choices = [
  ...Array<'success'>(11).fill('success'),
  ...Array<'declined-later'>(3).fill('declined-later'),
  ...Array<'chargeback-later'>(2).fill('chargeback-later'),
  ...Array<'pending'>(2).fill('pending'),
  'declined' as const,
  'cancelled' as const,
];
const chooseAny = () => choices[randomInt(choices.length)] ?? 'success';

/** The sandbox, in the database of the trial. */
export function sandboxHouse(): House {
  let present = () => new Date();
  return {
    name: 'sandbox',
    settings: {},
    setClock: (clock) => void (present = clock),
    welcome: async () => undefined,
    // A page that was decided before, such as by the first of two clicks, stays as it is.
    pay: (payUrl) =>
      decidedAt(present, () => chooseOutcome(payUrl.split('/').at(-1) ?? '', chooseAny())).catch(() => undefined),
    settlePending: () => undefined,
    notices: () => [],
    holdings: async () => {
      const taken = await sql<Holdings['taken'][number]>`
        select reference, amount_minor as "amountMinor", status = 'disputed' as "isDisputed" from sandbox_payment where status in ('succeeded', 'disputed') and amount_minor > 0
      `.execute(database());
      const sent = await sql<Moved & { kind: 'refund' | 'payout'; payment: string }>`
        select reference, kind, payment, amount_minor as "amountMinor" from sandbox_transfer
      `.execute(database());
      const of = (kind: string) => sent.rows.filter((each) => each.kind === kind);
      return { taken: taken.rows, givenBack: of('refund'), paidOut: of('payout'), keptMinor: 0 };
    },
    close: async () => undefined,
  };
}

type Told = { metadata: { reference?: string }; amount: number; payment_intent: string; status: string };

/** A server that behaves like Stripe, in the program that holds the trial, so that it outlives all that is killed. */
export async function stripeHouse(): Promise<House> {
  const server = await new StripeServer().open();
  const settings = {
    STRIPE_SECRET_KEY: server.key,
    STRIPE_WEBHOOK_SECRET: server.secret,
    STRIPE_API_BASE: server.url,
  };
  Object.assign(process.env, settings);
  const all = (object: string) => server.all(object) as unknown as (Told & { id: string })[];
  return {
    name: 'stripe',
    settings,
    setClock: (clock) => void (server.now = clock),
    welcome: async (username, accountId) => {
      await setPayee(username, `acct_${accountId}`);
      server.onboard(server.account(`acct_${accountId}`).id);
    },
    pay: async (payUrl) => server.pay(payUrl.split('/').at(-1) ?? '', chooseAny()),
    settlePending: () => {
      for (const { id, status } of all('payment_intent'))
        if (status === 'processing') server.settle(id, randomInt(2) === 0 ? 'succeeded' : 'failed');
    },
    notices: () => server.notices(),
    holdings: async () => {
      const [intents, charges] = [all('payment_intent'), all('charge')];
      const referenceOf = new Map(intents.map(({ id, metadata }) => [id, metadata.reference ?? '']));
      const disputed = new Set(all('dispute').map((dispute) => dispute.payment_intent));
      const moved = ({ metadata, amount }: Told) => ({ reference: metadata.reference ?? '', amountMinor: amount });
      return {
        taken: charges.map((charge) => ({
          reference: referenceOf.get(charge.payment_intent) ?? '',
          amountMinor: charge.amount,
          isDisputed: disputed.has(charge.payment_intent),
        })),
        givenBack: all('refund').map((refund) => ({
          ...moved(refund),
          payment: referenceOf.get(refund.payment_intent) ?? '',
        })),
        paidOut: all('transfer').map(moved),
        keptMinor: server.all('balance_transaction').reduce((sum, each) => sum + Number(each.fee), 0),
      };
    },
    close: () => server.close(),
  };
}

/** The currency in which the trial sells. */
export const currencyId = CurrencyId.GBP;
