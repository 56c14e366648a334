import fc from 'fast-check';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import type { Provider } from '@/lib/money/schema';
import {
  cancelMembership,
  changeCard,
  cancelOrder,
  expireOrders,
  keepMembership,
  readCardChange,
  readOrder,
  reconcilePayments,
  refundMembership,
  releaseEarnings,
  renewMemberships,
  setPlans,
  startCheckout,
  watchDisputes,
} from '@/lib/memberships/commands';
import { listMemberships } from '@/lib/memberships/queries';
import { sandbox } from '@/lib/money/commands/sandbox';
import { chooseOutcome, setProvider } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { stripe } from '@/lib/money/commands/stripe';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { onStripe } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();
jest.setTimeout(3_600_000);

const histories = Number(process.env.TIPLEDGER_HISTORIES ?? 12);

const hour = 3_600_000;

type Step =
  | { do: 'buy'; card: 'success' | 'declined' | 'declined-later' | 'chargeback-later' | 'cancelled'; lost: boolean }
  | { do: 'card'; card: (Step & { do: 'buy' })['card']; lost: boolean }
  | { do: 'abandon checkout' | 'cancel' | 'keep' | 'refund' }
  | { do: 'wait'; hours: number; killed: boolean }
  | { do: 'price'; pounds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      card: fc.constantFrom(
        'success',
        'success',
        'declined',
        'declined-later',
        'declined-later',
        'chargeback-later',
        'cancelled',
      ),
      lost: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('card' as const),
      card: fc.constantFrom('success', 'success', 'declined', 'declined-later', 'chargeback-later', 'cancelled'),
      lost: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('abandon checkout', 'cancel', 'keep', 'refund', 'refund') }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      hours: fc.integer({ min: 1, max: 24 * 40 }),
      killed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('price' as const), pounds: fc.integer({ min: 5, max: 40 }) }) },
) as fc.Arbitrary<Step>;

/** What a membership is by the words of product §8, in hours since the beginning and in pence, made by another way than the program's. */
type Model = {
  now: number;
  price: number;
  member: null | {
    card: string;
    pays: number;
    next: null | { price: number; from: number };
    anchor: number;
    periods: number;
    start: number;
    end: number;
    cancelled: boolean;
    tries: number;
    /** What the renewal that failed asks for: the price when it fell due, whatever the price is by now. */
    owed: number | null;
    paid: { at: number; pence: number; coolingOff: boolean; back: boolean; disputed: boolean };
  };
  charged: number;
  refunded: number;
  disputed: number;
  payments: {
    at: number;
    pence: number;
    refunded: number;
    disputable: boolean;
    disputed: boolean;
    membership: object;
  }[];
};

const start = worldNow.getTime();

function monthLater(anchor: number, months: number): number {
  const from = new Date(start + anchor * hour);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = [31, new Date(Date.UTC(year, 2, 0)).getUTCDate(), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const [y, m] = [year + Math.floor(month / 12), month % 12];
  const leap = new Date(Date.UTC(y, 2, 0)).getUTCDate();
  const most = m === 1 ? leap : (lastDay[m] ?? 31);
  const to = Date.UTC(y, m, Math.min(from.getUTCDate(), most), from.getUTCHours(), from.getUTCMinutes());
  return (to - start) / hour;
}

const waits = [24, 72, 120];

/** Lets the time of the model run, a thing after the other in the order in which they fall due. */
function run(model: Model, until: number): void {
  for (;;) {
    const { member } = model;
    const renewal =
      member === null
        ? Number.POSITIVE_INFINITY
        : member.tries === 0
          ? member.end
          : member.end + (waits[member.tries - 1] ?? 0);
    const dispute = Math.min(
      ...model.payments.filter(({ disputable, disputed }) => disputable && !disputed).map(({ at }) => at + 48),
      Number.POSITIVE_INFINITY,
    );
    const due = Math.min(renewal, dispute);
    if (due > until) break;
    if (dispute <= renewal) {
      for (const payment of model.payments.filter(
        ({ at, disputable, disputed }) => disputable && !disputed && at + 48 === dispute,
      )) {
        payment.disputed = true;
        model.disputed += payment.pence - payment.refunded;
        if (model.member?.paid === payment.membership || (model.member && payment.membership === model.member))
          model.member = null;
      }
      continue;
    }
    if (!member) break;
    if (member.cancelled) {
      model.member = null;
      continue;
    }
    if (member.card === 'declined-later') {
      member.tries += 1;
      member.owed ??= priceNow(member);
      if (member.tries > waits.length) model.member = null;
      continue;
    }
    renewed(model, member, due);
  }
  model.now = until;
}

const priceNow = ({ next, end, pays }: NonNullable<Model['member']>) => (next && end >= next.from ? next.price : pays);

/** Has a member charged for the next period at a moment. */
function renewed(model: Model, member: NonNullable<Model['member']>, at: number): void {
  const price = priceNow(member);
  const pence = member.owed ?? price;
  const coolingOff = pence > member.paid.pence;
  if (price === member.next?.price) member.next = null;
  member.pays = price;
  member.owed = null;
  member.periods += 1;
  member.start = member.end;
  member.end = monthLater(member.anchor, member.periods);
  member.tries = 0;
  member.paid = { at, pence, coolingOff, back: false, disputed: false };
  model.charged += pence;
  model.payments.push({
    at,
    pence,
    refunded: 0,
    disputable: member.card === 'chargeback-later',
    disputed: false,
    membership: member,
  });
}

const opensFor = (model: Model) =>
  model.member !== null && model.now < (model.member.cancelled ? model.member.end : model.member.end + 72);

let made = 0;

type Totals = { charged: number; refunded: number };

/** The provider that a history runs at: what its payer does on its page, what it has taken and given back, and what it has that we know nothing of. */
type House = {
  provider: Provider;
  begin: (at: () => Date) => void;
  choose: (payUrl: string, card: (Step & { do: 'buy' })['card']) => Promise<void>;
  /** Something goes wrong with the charges to come. */
  stumble: () => void;
  totals: (accountId: number) => Promise<Totals>;
  orphans: () => Promise<number>;
};

async function trial(house: House, steps: readonly Step[]): Promise<void> {
  made += 1;
  const shop = await openShop(
    `owner-${made}`,
    { name: `Histories ${made}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  const bob: Viewer & { kind: 'member' } = await join(`member-${made}`, worldNow);
  const model: Model = { now: 0, price: 1000, member: null, charged: 0, refunded: 0, disputed: 0, payments: [] };
  const at = () => new Date(start + model.now * hour);
  house.begin(at);
  const during = <T>(work: () => Promise<T>) => decidedAt(at(), work);
  const setPrice = (pence: number) =>
    during(() =>
      setPlans(
        shop.owner,
        shop.reference,
        {
          mainCurrencyId: CurrencyId.GBP,
          plans: [{ period: 'month', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: pence }] }],
        },
        undefined,
        at(),
      ),
    );
  await setPrice(1000);
  let keys = 0;

  const jobs = async () => {
    await during(() => expireOrders(at()));
    await during(() => reconcilePayments(at()));
    await during(() => watchDisputes(at()));
    await during(() => renewMemberships(at()));
    await during(() => releaseEarnings(at()));
  };

  for (const each of steps) {
    if (each.do === 'price') {
      model.price = each.pounds * 100;
      await setPrice(model.price);
      if (model.member && (model.member.next?.price ?? model.member.pays) !== model.price) {
        const raised = model.price > model.member.pays;
        model.member.next = raised ? { price: model.price, from: model.now + 720 } : null;
        if (!raised) model.member.pays = model.price;
      }
    } else if (each.do === 'wait') {
      // An hour at a time would be the clock's way; every job is run at whatever falls due, and once at the end.
      const until = model.now + each.hours;
      while (model.now < until) {
        const next = Math.min(until, ...[nextDue(model), ...edges(model)].filter((due) => due > model.now));
        run(model, next);
        if (each.killed) {
          house.stumble();
          setProvider({
            ...house.provider,
            charge: async (asked) => house.provider.charge(asked).then(() => Promise.reject(new Error('killed'))),
          });
          await during(() => renewMemberships(at()));
          setProvider(null);
          // The one that was killed is started again and reconciles, late enough for it to look.
          await decidedAt(new Date(at().getTime() + 10_000), () =>
            reconcilePayments(new Date(at().getTime() + 10_000)),
          );
        }
        await jobs();
        await agrees(house, model, bob, shop.id, at());
      }
    } else if (each.do === 'buy') {
      const isMember = model.member !== null;
      const bought = await during(() =>
        startCheckout(
          bob,
          { portfolio: shop.reference, period: 'month', amountMinor: model.price },
          `key-${(keys += 1)}`,
        ),
      ).catch((error: Error) => error.message);
      expect(typeof bought === 'string').toBe(isMember);
      if (typeof bought !== 'string') {
        await during(() => house.choose(bought.payUrl ?? '', each.card));
        if (!each.lost) for (const _ of [1, 2]) await during(() => readOrder(bob, bought.reference));
        // Nobody comes back to the page: reconciliation finds it.
        else {
          const later = new Date(at().getTime() + 10_000);
          await during(() => sql`select 1`.execute(database()));
          await decidedAt(at(), () => reconcilePayments(later));
        }
        if (each.card !== 'declined' && each.card !== 'cancelled') {
          const member: NonNullable<Model['member']> = {
            card: each.card,
            pays: model.price,
            next: null,
            anchor: model.now,
            periods: 1,
            start: model.now,
            end: monthLater(model.now, 1),
            cancelled: false,
            tries: 0,
            owed: null,
            paid: { at: model.now, pence: model.price, coolingOff: true, back: false, disputed: false },
          };
          model.member = member;
          model.charged += model.price;
          model.payments.push({
            at: model.now,
            pence: model.price,
            refunded: 0,
            disputable: each.card === 'chargeback-later',
            disputed: false,
            membership: member,
          });
        }
      }
    } else if (each.do === 'abandon checkout') {
      if (model.member === null) {
        const opened = await during(() =>
          startCheckout(
            bob,
            { portfolio: shop.reference, period: 'month', amountMinor: model.price },
            `key-${(keys += 1)}`,
          ),
        );
        await during(() => cancelOrder(bob, opened.reference));
      }
    } else {
      const { running } = await during(() => listMemberships(bob, at()));
      const reference = running[0]?.reference ?? null;
      expect(reference === null).toBe(model.member === null);
      if (reference === null || model.member === null) continue;
      const { member } = model;
      const isOver = member.end <= model.now;
      if (each.do === 'card') {
        const changed = await during(() => changeCard(bob, reference)).catch((error: Error) => error.message);
        expect([typeof changed === 'string', changed]).toEqual([member.cancelled, changed]);
        if (typeof changed === 'string') continue;
        await during(async () => house.choose(changed.payUrl ?? '', each.card));
        if (each.lost) await decidedAt(at(), () => reconcilePayments(new Date(at().getTime() + 10_000)));
        else for (const _ of [1, 2]) await during(() => readCardChange(bob, reference));
        if (each.card === 'declined' || each.card === 'cancelled') continue;
        member.card = each.card;
        // What is past due is charged at once; a card that is declined too uses up none of the days.
        if (member.tries > 0 && each.card !== 'declined-later') renewed(model, member, model.now);
      } else if (each.do === 'cancel') {
        await during(() => cancelMembership(bob, reference));
        if (member.cancelled) continue;
        if (isOver) model.member = null;
        else member.cancelled = true;
      } else if (each.do === 'keep') {
        await during(() => keepMembership(bob, reference));
        member.cancelled = false;
      } else {
        const done = await during(() => refundMembership(bob, reference)).catch((error: Error) => error.message);
        const may = member.paid.coolingOff && model.now < member.paid.at + 14 * 24;
        expect([typeof done === 'string', done]).toEqual([!may, done]);
        if (!may) continue;
        const days = Math.round((member.end - member.start) / 24);
        const used = Math.min(days, Math.ceil((model.now - member.start) / 24));
        const back = Math.floor((member.paid.pence * (days - used)) / days);
        model.refunded += back;
        const last = model.payments.findLast((payment) => payment.membership === member);
        if (last) last.refunded = back;
        model.member = null;
      }
    }
    await agrees(house, model, bob, shop.id, at());
  }
}

// Where a mistake of an hour would be seen.
const edges = ({ member }: Model) => (member === null ? [] : [-1, 1, 71, 73].map((hours) => member.end + hours));

function nextDue({ member, payments }: Model): number {
  const renewal =
    member === null
      ? Number.POSITIVE_INFINITY
      : member.tries === 0
        ? member.end
        : member.end + (waits[member.tries - 1] ?? 0);
  return Math.min(
    renewal,
    ...payments.filter(({ disputable, disputed }) => disputable && !disputed).map(({ at }) => at + 48),
  );
}

async function agrees(
  house: House,
  model: Model,
  bob: Viewer & { kind: 'member' },
  portfolioId: number,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{ opens: boolean; running: number; earned: number }>`
    select exists (select from membership where account_id = ${bob.accountId} and starts_at <= ${at} and ends_at > ${at}) as opens,
      (select count(*)::int from membership where account_id = ${bob.accountId} and ended_at is null) as running,
      (select coalesce(-sum(line.amount_minor), 0)::int from posting join posting_line line on posting_id = posting.id join money_account on money_account.id = account_id
        where portfolio_id = ${portfolioId} and money_account.kind = 'clearing') as earned
  `.execute(database());
  expect({ at: model.now, ...rows[0], ...(await house.totals(bob.accountId)) }).toEqual({
    at: model.now,
    opens: opensFor(model),
    running: model.member === null ? 0 : 1,
    charged: model.charged,
    refunded: model.refunded,
    earned: model.charged - model.disputed,
  });
}

const atSandbox: House = {
  provider: sandbox,
  begin: () => undefined,
  choose: (payUrl, card) => chooseOutcome(payUrl.split('/').at(-1) ?? '', card),
  stumble: () => undefined,
  totals: async (accountId) => {
    const { rows } = await sql<Totals>`
      select coalesce(sum(amount_minor) filter (where status in ('succeeded', 'disputed')), 0)::int as charged, coalesce(sum(refunded_minor), 0)::int as refunded
      from sandbox_payment where customer = ${String(accountId)}
    `.execute(database());
    return rows[0] ?? { charged: 0, refunded: 0 };
  },
  orphans: async () => {
    const { rows } = await sql<{ orphans: number }>`
      select count(*)::int as orphans from sandbox_payment where status in ('succeeded', 'disputed') and amount_minor > 0 and not exists (select from payment where payment.reference = sandbox_payment.reference)
    `.execute(database());
    return rows[0]?.orphans ?? 0;
  },
};

async function runAll(house: House, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), (steps) => trial(house, steps)),
    {
      numRuns: runs,
      endOnFailure: process.env.TIPLEDGER_HISTORIES !== undefined,
      ...(process.env.TIPLEDGER_SEED ? { seed: Number(process.env.TIPLEDGER_SEED) } : {}),
    },
  );
  expect([await listBookProblems(), await house.orphans()]).toEqual([[], 0]);
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from customer_order where status = 'paid' and membership_id is null
  `.execute(database());
  expect(rows).toEqual([{ unread: 0 }]);
}

test(`after ${histories} random histories a member reads what a model says, was charged once for each period, and the books agree`, () =>
  runAll(atSandbox, histories));

describe('at a server that behaves like Stripe', () => {
  const server = onStripe();
  const runs = Math.max(4, Math.floor(histories / 3));
  const sum = (of: readonly Readonly<Record<string, unknown>>[], field: 'amount' | 'amount_refunded') =>
    of.reduce((all, each) => all + Number(each[field]), 0);
  const faults = ['lost', 'fault', 'busy'] as const;
  let stumbles = 0;

  const atStripe: House = {
    provider: stripe,
    begin: (at) => void (server.now = at),
    choose: async (payUrl, card) => server.pay(payUrl.split('/').at(-1) ?? '', card),
    stumble: () => {
      const how = faults[(stumbles += 1) % faults.length] ?? 'lost';
      server.faults.splice(0, server.faults.length, { on: /^POST \/v1\/payment_intents$/, how, times: 1 });
    },
    totals: async (accountId) => {
      const customer = server
        .all('customer')
        .find(({ metadata }) => (metadata as Record<string, string>).customer === String(accountId))?.id;
      const charges = server.all('charge').filter((charge) => customer !== undefined && charge.customer === customer);
      return { charged: sum(charges, 'amount'), refunded: sum(charges, 'amount_refunded') };
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

  test(`${runs} random histories, with answers lost and faults among them, come to the same`, () =>
    runAll(atStripe, runs));
});
