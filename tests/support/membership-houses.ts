import { sql } from 'kysely';
import { takeNotice } from '@/lib/memberships/commands';
import { chooseOutcome } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { stripe } from '@/lib/money/commands/stripe';
import type { Provider } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
import type { Card } from './membership-model';
import type { StripeServer } from './stripe-server';

export type Provided = { charged: number; refunded: number };

/** The provider that histories run at: what a payer does on its page, what it has taken and given back, and what it has that we know nothing of. */
export type House = {
  provider: Provider;
  /** Takes its clock: the moment of what is asked, and the hour, within which the clock goes back. */
  begin: (moment: () => Date, hour: () => Date) => void;
  choose: (payUrl: string, card: Card) => Promise<void>;
  /** What the provider sends of what has happened since it was asked last, each to be delivered at any time, or never. */
  notices: () => (() => Promise<unknown>)[];
  /** Something goes wrong with the charges to come. */
  stumble: () => void;
  /** How many payments and cards it has decided on that the site still waits for. */
  unread: () => Promise<number>;
  totals: (accountIds: readonly number[]) => Promise<Map<number, Provided>>;
  orphans: () => Promise<number>;
};

export const noMoney: Provided = { charged: 0, refunded: 0 };

const perAccount = (rows: readonly (Provided & { accountId: number })[]) =>
  new Map(rows.map(({ accountId, charged, refunded }) => [accountId, { charged, refunded }]));

export const atSandbox: House = {
  provider: sandbox,
  begin: () => undefined,
  choose: (payUrl, card) => chooseOutcome(payUrl.split('/').at(-1) ?? '', card),
  // The sandbox sends none; who buys comes back from its page.
  notices: () => [],
  stumble: () => undefined,
  unread: async () => {
    const { rows } = await sql<{ unread: number }>`
      with asked as (
        select reference from payment where status in ('started', 'pending') union all select reference from card_change where status in ('started', 'pending')
      )
      select count(*)::int as unread from asked join sandbox_payment using (reference) where status not in ('started', 'pending')
    `.execute(database());
    return rows[0]?.unread ?? 0;
  },
  totals: async (accountIds) => {
    const { rows } = await sql<Provided & { accountId: number }>`
      select customer::int as "accountId", coalesce(sum(amount_minor) filter (where status in ('succeeded', 'disputed')), 0)::int as charged, coalesce(sum(refunded_minor), 0)::int as refunded
      from sandbox_payment where customer = any(${accountIds.map(String)}::text[]) group by customer
    `.execute(database());
    return perAccount(rows);
  },
  orphans: async () => {
    const { rows } = await sql<{ orphans: number }>`
      select count(*)::int as orphans from sandbox_payment where status in ('succeeded', 'disputed') and amount_minor > 0 and not exists (select from payment where payment.reference = sandbox_payment.reference)
    `.execute(database());
    return rows[0]?.orphans ?? 0;
  },
};

const faults = ['lost', 'fault', 'busy'] as const;

export function atStripe(server: StripeServer): House {
  let stumbles = 0;
  return {
    provider: stripe,
    begin: (moment, hour) => {
      server.things.clear();
      server.now = moment;
      server.agedUntil = hour;
    },
    choose: async (payUrl, card) => server.pay(payUrl.split('/').at(-1) ?? '', card),
    notices: () =>
      server.events
        .splice(0)
        .map((event) => JSON.stringify(event))
        .map((body) => () => {
          const { signature } = server.sign(body);
          return takeNotice('stripe', { 'stripe-signature': signature }, body);
        }),
    stumble: () => {
      const how = faults[(stumbles += 1) % faults.length] ?? 'lost';
      server.faults.splice(0, server.faults.length, { on: /^POST \/v1\/payment_intents$/, how, times: 1 });
    },
    // Towns at it are smaller than what one run of the program reads.
    unread: async () => 0,
    totals: async () => {
      const made = new Map<number, Provided>();
      const accountOf = new Map(
        server.all('customer').map(({ id, metadata }) => [id, Number((metadata as Record<string, string>).customer)]),
      );
      for (const { customer, amount, amount_refunded: refunded } of server.all('charge')) {
        const accountId = accountOf.get(customer as string) ?? 0;
        const before = made.get(accountId) ?? noMoney;
        made.set(accountId, {
          charged: before.charged + Number(amount),
          refunded: before.refunded + Number(refunded),
        });
      }
      return made;
    },
    orphans: async () => {
      const references = server
        .all('payment_intent')
        .flatMap(({ status, metadata }) =>
          status === 'succeeded' ? [(metadata as Record<string, string>).reference ?? ''] : [],
        );
      const { rows } = await sql<{
        reference: string;
      }>`select reference from payment where status in ('succeeded', 'disputed') and reference = any(${references}::text[])`.execute(
        database(),
      );
      return references.length - rows.length;
    },
  };
}
