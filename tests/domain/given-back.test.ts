import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { member } from '@/lib/http/viewer';
import {
  cancelMembership,
  closeMemberships,
  expireOrders,
  readOrder,
  reconcilePayments,
  refundMembership,
  refundOrder,
  renewMemberships,
  setPlans,
  startCheckout,
} from '@/lib/memberships/commands';
import { advanceOrder } from '@/lib/memberships/commands/advance';
import { soldBy } from '@/lib/memberships/commands/sold';
import { getSale, listMemberships } from '@/lib/memberships/queries';
import type { OrderView, PlanPeriod } from '@/lib/memberships/schema';
import { chooseOutcome, compareWithProviders, findOrder, recordRefund, setProvider } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { listBookProblems } from '@/lib/money/queries';
import type { ProviderPayment } from '@/lib/money/schema';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decidedAt } from '@/lib/platform/moment';
import { abandonPortfolio, changePortfolio, changePortfolioByStaff } from '@/lib/portfolios/commands';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { pageOf } from '../support/sales';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);
let turn = 0;

/** A shop that sells a period at a price, and somebody who ordered the first. */
async function ordered(period: PlanPeriod, amountMinor: number, trialDays = 0) {
  turn += 1;
  const shop = await openShop(
    `seller-${turn}`,
    { name: `Shop ${turn}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  const bob = await join(`buyer-${turn}`, worldNow);
  const made = await decidedAt(worldNow, async () => {
    const plans = [{ period, onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor }] }];
    await setPlans(
      shop.owner,
      shop.reference,
      { mainCurrencyId: CurrencyId.GBP, trialDays, plans },
      undefined,
      worldNow,
    );
    const asked = { portfolio: shop.reference, period, amountMinor: trialDays > 0 ? 0 : amountMinor };
    return startCheckout(bob, asked, `key-${turn}`);
  });
  return { ...shop, bob, made };
}

/** A shop that sells a period at a price, and somebody who bought the first. */
async function bought(period: PlanPeriod, amountMinor: number) {
  const { made, ...shop } = await ordered(period, amountMinor);
  const order = await payAt(shop.bob, made, worldNow);
  return { ...shop, order, membership: order.membership ?? '' };
}

const payAt = (viewer: Viewer, made: OrderView, at: Date) =>
  decidedAt(at, async () => {
    await chooseOutcome(pageOf(made), 'success');
    return readOrder(viewer, made.reference);
  });

type Bought = Awaited<ReturnType<typeof bought>>;
type Shop = Pick<Bought, 'id' | 'reference' | 'owner'>;

/** Has so much of what somebody bought given back before. */
async function giveBack({ order }: Bought, amountMinor: number): Promise<void> {
  const held = await findOrder(order.reference);
  if (!held) throw new Error('It was paid.');
  await decidedAt(later(2), () =>
    transact(async () => {
      const { sale, details } = await soldBy(held);
      await recordRefund(sale, { amountMinor, because: 'by staff', details }, later(2));
    }),
  );
}

async function closeAt({ id }: Bought, at: Date): Promise<void> {
  await sql`update portfolio set abandoned_at = ${at} where id = ${id}`.execute(database());
  await decidedAt(at, closeMemberships);
}

/** What a member was told last of a membership, and of how much that they have back. */
async function lastTold({ bob }: Pick<Bought, 'bob'>): Promise<{ what: string; minor: number | null } | undefined> {
  const { rows } = await sql<{ what: string; minor: number | null }>`
    select details ->> 'what' as what, (details ->> 'amountMinor')::int as minor from event where account_id = ${bob.accountId} and kind = 'membership' order by id desc limit 1
  `.execute(database());
  return rows[0];
}

const amounts = async ({ bob }: Pick<Bought, 'bob'>) =>
  (await listMemberships(bob, later(8))).receipts.map(({ amountMinor }) => amountMinor);

afterEach(async () => expect(await listBookProblems()).toEqual([]));

describe('when a portfolio closes', () => {
  test('a member whose payment went back whole before is told of no money', async () => {
    const made = await bought('month', 2000);
    await giveBack(made, 2000);
    await closeAt(made, later(5));
    expect(await lastTold(made)).toEqual({ what: 'ended', minor: null });
  });

  test('the order of a membership says so, and what went back', async () => {
    const made = await bought('month', 2000);
    const look = (at: Date) => decidedAt(at, () => readOrder(made.bob, made.order.reference));
    expect(await look(later(5))).toMatchObject({ status: 'paid', runs: true, closed: false, givenBackMinor: 0 });
    await closeAt(made, later(5));
    expect(await look(later(5))).toMatchObject({ status: 'paid', runs: false, closed: true, givenBackMinor: 1677 });
  });

  test('a member whose payment went back in part is told of what was left', async () => {
    const made = await bought('month', 2000);
    await giveBack(made, 1500);
    await closeAt(made, later(5));
    expect(await lastTold(made)).toEqual({ what: 'refunded', minor: 500 });
    expect(await amounts(made)).toEqual([-500, -1500, 2000]);
  });
});

test('the order of a membership runs until what was paid is over, also where it was cancelled', async () => {
  const made = await bought('week', 1000);
  await decidedAt(later(1), () => cancelMembership(made.bob, made.membership));
  const runs = (at: Date) => decidedAt(at, async () => (await readOrder(made.bob, made.order.reference)).runs);
  expect([await runs(later(6.99)), await runs(later(7))]).toEqual([true, false]);
});

describe('in a week that a coupon made free, after one that was paid', () => {
  async function inFreeWeek(): Promise<Bought> {
    const made = await bought('week', 1000);
    // From the second week on it costs nothing.
    await sql`
      with free as (insert into coupon (portfolio_id, code, percent, most_uses, created_at) values (${made.id}, 'FREE', 100, 5, ${worldNow}) returning id)
      update membership set coupon_id = free.id from free where account_id = ${made.bob.accountId}
    `.execute(database());
    await decidedAt(later(7), () => renewMemberships(later(7)));
    return made;
  }

  test('nothing of the paid one is taken back', async () => {
    const made = await inFreeWeek();
    expect((await listMemberships(made.bob, later(8))).running).toMatchObject([{ state: 'active', refundMinor: null }]);
    await expect(decidedAt(later(8), () => refundMembership(made.bob, made.membership))).rejects.toThrow('is over');
    expect(await amounts(made)).toEqual([1000]);
  });

  test('nothing of the paid one goes back when the portfolio closes', async () => {
    const made = await inFreeWeek();
    await closeAt(made, later(8));
    expect(await amounts(made)).toEqual([1000]);
    expect(await lastTold(made)).toEqual({ what: 'ended', minor: null });
  });
});

async function openAdmin(): Promise<Viewer> {
  turn += 1;
  const { rows } = await sql<{ id: number }>`
    insert into account (username, created_at, role) values (${`staff-${turn}`}, ${worldNow}, ${Role.admin}) returning id
  `.execute(database());
  return member({ accountId: rows[0]?.id ?? 0, role: Role.admin, pro: false, owns: [], subscribes: [], proven: true });
}

const closings: readonly [string, (shop: Shop, at: Date) => Promise<unknown>][] = [
  ['is abandoned', ({ owner, reference }, at) => abandonPortfolio(owner, reference, `key-${(turn += 1)}`, at)],
  [
    'is hidden by staff',
    async ({ reference }) =>
      changePortfolioByStaff({
        staff: await openAdmin(),
        reference,
        action: 'portfolio.hide',
        reason: 'It copies another.',
        preview: false,
      }),
  ],
  [
    'is hidden by its owner',
    ({ owner, reference }, at) =>
      changePortfolio(owner, { reference, visibility: PortfolioVisibility.hidden }, `key-${(turn += 1)}`, at),
  ],
  [
    'is made free for all',
    ({ owner, reference }, at) =>
      changePortfolio(owner, { reference, visibility: PortfolioVisibility.public }, `key-${(turn += 1)}`, at),
  ],
];

describe.each(closings)('when a portfolio %s while an order is open', (_, close) => {
  const minutes = (count: number) => later(count / 1440);

  test('what is paid after that goes back whole, and opens nothing', async () => {
    const shop = await ordered('week', 1000);
    const { bob, made } = shop;
    await decidedAt(minutes(5), async () => {
      // Paid on the page that was open, and not taken yet.
      await chooseOutcome(pageOf(made), 'success');
      await close(shop, minutes(5));
    });
    await decidedAt(minutes(6), () => reconcilePayments(minutes(6)));
    expect(await decidedAt(minutes(6), () => readOrder(bob, made.reference))).toMatchObject({
      status: 'cancelled',
      because: 'The portfolio was closed.',
      givenBackMinor: 1000,
      membership: null,
    });
    expect((await listMemberships(bob, minutes(7))).running).toEqual([]);
    expect(await amounts(shop)).toEqual([-1000, 1000]);
    expect(await lastTold(shop)).toEqual({ what: 'given back', minor: 1000 });
  });

  test('the order is closed with its page, by the clock or by whoever looks at it', async () => {
    for (const look of [expireOrders, reconcilePayments]) {
      const shop = await ordered('week', 1000);
      const { bob, made } = shop;
      await decidedAt(minutes(5), () => close(shop, minutes(5)));
      if (look === expireOrders) await decidedAt(minutes(6), () => expireOrders(minutes(6)));
      expect(await decidedAt(minutes(6), () => readOrder(bob, made.reference))).toMatchObject({
        status: 'cancelled',
        because: 'The portfolio was closed.',
        givenBackMinor: 0,
      });
      await expect(decidedAt(minutes(7), () => chooseOutcome(pageOf(made), 'success'))).rejects.toMatchObject({
        kind: 'conflict',
      });
    }
  });

  test('asking for it again is refused', async () => {
    const shop = await ordered('week', 1000);
    await decidedAt(minutes(5), () => close(shop, minutes(5)));
    const again = decidedAt(minutes(6), () =>
      startCheckout(shop.bob, { portfolio: shop.reference, period: 'week', amountMinor: 1000 }, `key-${(turn += 1)}`),
    );
    await expect(again).rejects.toMatchObject({ kind: 'conflict' });
  });
});

test('an owner who hides a portfolio ends its memberships, and everyone has their unused days back', async () => {
  const made = await bought('week', 1000);
  const { owner, reference } = made;
  const other = await join(`buyer-${(turn += 1)}`, worldNow);
  const asked = { portfolio: reference, period: 'week', amountMinor: 1000 } as const;
  await payAt(other, await decidedAt(worldNow, () => startCheckout(other, asked, `key-${turn}`)), worldNow);
  const turnedTo = (visibility: PortfolioVisibility, at: Date) =>
    changePortfolio(owner, { reference, visibility }, `key-${(turn += 1)}`, at);
  const at = later(3);
  await decidedAt(at, () => turnedTo(PortfolioVisibility.hidden, at));
  // What they have paid for is not to be opened to all before they have their money.
  await expect(turnedTo(PortfolioVisibility.public, at)).rejects.toMatchObject({ kind: 'invalid' });
  await decidedAt(at, closeMemberships);
  for (const bob of [made.bob, other]) {
    expect(await amounts({ bob })).toEqual([-571, 1000]);
    expect(await listMemberships(bob, at)).toMatchObject({
      running: [],
      past: [{ because: 'The portfolio was closed.' }],
    });
    expect(await lastTold({ bob })).toEqual({ what: 'refunded', minor: 571 });
  }
  expect(await getSale(owner, reference)).toMatchObject({ open: false });
  expect(await turnedTo(PortfolioVisibility.public, later(3.001))).toMatchObject({ type: PortfolioVisibility.public });
});

test('an order of a closed portfolio is closed although more than are looked at together cannot be', async () => {
  const stuck = await ordered('week', 1000);
  // Without a payment nothing is done with them.
  await sql`
    with people as (insert into account (username, created_at) select 'stuck-' || number, ${worldNow}::timestamptz from generate_series(1, 200) number returning id)
    insert into customer_order (reference, account_id, portfolio_id, plan_id, kind, period_number, currency_id, full_minor, amount_minor, tax_minor, terms, status, idempotency_key, request_hash, created_at, expires_at, changed_at)
    select translate(substr(md5('stuck' || people.id), 1, 10), '01', 'zy'), people.id, portfolio_id, plan_id, kind, period_number, currency_id, full_minor, amount_minor, tax_minor, terms, status, 'stuck', 'stuck', created_at, expires_at, changed_at
    from people cross join customer_order where reference = ${stuck.made.reference}
  `.execute(database());
  const last = await ordered('week', 1000);
  for (const { id } of [stuck, last])
    await sql`update portfolio set abandoned_at = ${later(0.001)} where id = ${id}`.execute(database());
  for (const _ of [1, 2]) await decidedAt(later(0.001), () => expireOrders(later(0.001)));
  const { rows } = await sql<{ status: string }>`
    select status from customer_order where reference = ${last.made.reference}
  `.execute(database());
  expect(rows).toEqual([{ status: 'cancelled' }]);
  await sql`update customer_order set status = 'cancelled' where idempotency_key = 'stuck'`.execute(database());
});

/** The sandbox, where payments come to this status with another amount than they were asked for. */
function ofAnotherAmount(status: ProviderPayment['status']) {
  const differing = (told: ProviderPayment) => ({ ...told, status, amountMinor: 900 });
  const read = jest.fn(async (reference: string) => {
    const told = await sandbox.read(reference);
    return told && differing(told);
  });
  setProvider({ ...sandbox, charge: async (asked) => differing(await sandbox.charge(asked)), read });
  return read;
}

async function newestPayment({ bob }: Pick<Bought, 'bob'>): Promise<{ reference: string; status: string }> {
  const { rows } = await sql<{ reference: string; status: string }>`
    select payment.reference, payment.status from payment join customer_order on customer_order.id = order_id where account_id = ${bob.accountId} order by payment.id desc limit 1
  `.execute(database());
  if (!rows[0]) throw new Error('There is no payment.');
  return rows[0];
}

test('a renewal that was charged another amount is ended with its membership, which its member is told once, and asked about no more', async () => {
  const made = await bought('week', 1000);
  const read = ofAnotherAmount('succeeded');
  for (const days of [7, 7.1, 8]) await decidedAt(later(days), () => renewMemberships(later(days)));
  await decidedAt(later(8), () => reconcilePayments(later(8)));
  read.mockClear();
  await decidedAt(later(8), () => reconcilePayments(later(8)));
  setProvider(null);
  const payment = await newestPayment(made);
  expect(payment.status).toBe('succeeded');
  expect(read).not.toHaveBeenCalledWith(payment.reference);
  const because = expect.stringMatching(/^Your card was charged another amount than was agreed\. Write to us/);
  expect(await listMemberships(made.bob, later(8))).toMatchObject({ running: [], past: [{ because }] });
  const { rows } = await sql<{ what: string; because: string | null }>`
    select details ->> 'what' as what, details ->> 'because' as because from event where account_id = ${made.bob.accountId} and kind = 'membership' order by id
  `.execute(database());
  expect(rows).toEqual([
    { what: 'joined', because: null },
    { what: 'ended', because },
  ]);
  const orders = await sql<{ status: string }>`
    select status from customer_order where account_id = ${made.bob.accountId} order by id
  `.execute(database());
  expect(orders.rows.map((order) => order.status)).toEqual(['paid', 'cancelled']);
  expect(await amounts(made)).toEqual([1000]);
  const differences = await compareWithProviders({ from: later(6), to: later(9) });
  expect(differences.filter(({ reference }) => reference === payment.reference)).toMatchObject([
    { what: 'It is not in the books.' },
  ]);
});

test('a renewal that failed with another amount took no money: it is tried again, as any other', async () => {
  const made = await bought('week', 1000);
  ofAnotherAmount('failed');
  await decidedAt(later(7), () => renewMemberships(later(7)));
  setProvider(null);
  expect((await listMemberships(made.bob, later(7))).running).toMatchObject([{ state: 'past due' }]);
  for (const days of [8, 9, 10]) await decidedAt(later(days), () => renewMemberships(later(days)));
  expect((await listMemberships(made.bob, later(10))).running).toMatchObject([{ state: 'active' }]);
  expect(await amounts(made)).toEqual([1000, 1000]);
});

test('a first payment that failed with another amount ends its order as any other that failed', async () => {
  const { bob, made } = await ordered('week', 1000);
  ofAnotherAmount('failed');
  await decidedAt(later(0.01), () => reconcilePayments(later(0.01)));
  setProvider(null);
  expect(await decidedAt(later(0.01), () => readOrder(bob, made.reference))).toMatchObject({ status: 'failed' });
  expect((await newestPayment({ bob })).status).toBe('failed');
});

test.each(['cancelled', 'expired'] as const)(
  'what is paid with another amount for an order that is %s already is logged, and asked about once',
  async (status) => {
    const { bob, made } = await ordered('week', 1000);
    await sql`update customer_order set status = ${status} where reference = ${made.reference}`.execute(database());
    const logged = jest.spyOn(log, 'error').mockImplementation(() => undefined);
    const read = ofAnotherAmount('succeeded');
    const told = () =>
      logged.mock.calls.filter(
        ([line]) =>
          Reflect.get(Object(line), 'event') === 'payment_differs' &&
          Reflect.get(Object(line), 'order') === made.reference,
      );
    for (const _ of [1, 2]) await decidedAt(later(0.01), () => reconcilePayments(later(0.01)));
    setProvider(null);
    expect(told()).toMatchObject([[{ status: 'succeeded', amountMinor: 900, currencyId: CurrencyId.GBP }]]);
    logged.mockRestore();
    const payment = await newestPayment({ bob });
    expect(payment.status).toBe('succeeded');
    expect(read.mock.calls.filter(([reference]) => reference === payment.reference)).toHaveLength(1);
    expect(await amounts({ bob })).toEqual([]);
    expect(await lastTold({ bob })).toEqual({ what: 'other amount', minor: null });
  },
);

test('whoever was charged another amount for a first order is told it once, and reads it on the order', async () => {
  const { bob, made } = await ordered('week', 1000);
  ofAnotherAmount('succeeded');
  await decidedAt(later(0.01), () => reconcilePayments(later(0.01)));
  const order = await decidedAt(later(0.01), () => readOrder(bob, made.reference));
  await decidedAt(later(0.01), () => advanceOrder(made.reference));
  setProvider(null);
  const because = expect.stringMatching(/^Your card was charged another amount than was agreed\. Write to us/);
  expect(order).toMatchObject({ status: 'cancelled', because, charged: true, givenBackMinor: 0 });
  const { rows } = await sql<{ what: string; because: string | null }>`
    select details ->> 'what' as what, details ->> 'because' as because from event where account_id = ${bob.accountId} and kind = 'membership'
  `.execute(database());
  expect(rows).toEqual([{ what: 'other amount', because }]);
  expect(await amounts({ bob })).toEqual([]);
});

test('a trial that was stopped by a break took nothing, and its order says so', async () => {
  const { bob, made } = await ordered('week', 1000, 7);
  await sql`insert into betting_pause (account_id, from_at, until_at) values (${bob.accountId}, ${later(0)}, ${later(30)})`.execute(
    database(),
  );
  const order = await payAt(bob, made, later(0.01));
  expect(order).toMatchObject({
    status: 'cancelled',
    because: 'You took a break from betting.',
    charged: false,
    givenBackMinor: 0,
  });
});

test('a renewal that was charged before its portfolio closed and is taken after it goes back whole, and its member is told once', async () => {
  const made = await bought('week', 1000);
  setProvider({
    ...sandbox,
    charge: async (asked) => sandbox.charge(asked).then(() => Promise.reject(new Error('killed'))),
  });
  await decidedAt(later(7), () => renewMemberships(later(7)));
  setProvider(null);
  await decidedAt(later(7), () => abandonPortfolio(made.owner, made.reference, `key-${(turn += 1)}`, later(7)));
  const at = later(7.001);
  await decidedAt(at, () => reconcilePayments(at));
  await decidedAt(at, closeMemberships);
  expect(await amounts(made)).toEqual([-1000, 1000, 1000]);
  expect(await lastTold(made)).toEqual({ what: 'refunded', minor: 1000 });
  expect((await listMemberships(made.bob, at)).past).toMatchObject([{ because: 'The portfolio was closed.' }]);
  const { rows } = await sql<{ what: string }>`
    select details ->> 'what' as what from event where account_id = ${made.bob.accountId} and kind = 'membership' order by id
  `.execute(database());
  expect(rows.map(({ what }) => what)).toEqual(['joined', 'refunded']);
});

describe('a payment that comes after its order has ended', () => {
  test('goes back whole, and its payer is told and sees it', async () => {
    const { bob, made } = await ordered('week', 1000);
    await sql`update customer_order set status = 'expired' where reference = ${made.reference}`.execute(database());
    await decidedAt(later(0.01), async () => {
      await chooseOutcome(pageOf(made), 'success');
      await reconcilePayments(later(0.01));
    });
    expect(await decidedAt(later(1), () => readOrder(bob, made.reference))).toMatchObject({
      status: 'expired',
      givenBackMinor: 1000,
    });
    expect(await lastTold({ bob })).toEqual({ what: 'given back', minor: 1000 });
  });
});

describe('what staff give back', () => {
  const refund = async ({ order }: Bought, amountMinor: number | null, ends: boolean, preview = false) => {
    const staff = await openAdmin();
    await decidedAt(later(2), () =>
      refundOrder({ staff, reference: order.reference, amountMinor, ends, reason: 'Goodwill.', preview }),
    );
  };

  test('is told to the member, also where their membership goes on', async () => {
    const made = await bought('week', 1000);
    await refund(made, 200, false, true);
    expect(await lastTold(made)).toEqual({ what: 'joined', minor: null });
    await refund(made, 200, false);
    expect(await lastTold(made)).toEqual({ what: 'given back', minor: 200 });
    expect((await listMemberships(made.bob, later(2))).running).toHaveLength(1);
  });

  test('goes back once where two of staff give it back at once, each by what they saw', async () => {
    const made = await bought('week', 1000);
    const [staff, again] = [await openAdmin(), { reason: 'Goodwill.', ends: false, amountMinor: 200 }];
    const give = (more: { seen?: number; preview: boolean }) =>
      decidedAt(later(2), () => refundOrder({ staff, reference: made.order.reference, ...again, ...more }));
    const both = await Promise.allSettled([1, 2].map(() => give({ seen: 0, preview: false })));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { kind: 'conflict', message: expect.stringMatching(/£2\.00\. Nothing was refunded now/) },
    });
    for (const preview of [true, false])
      await expect(give({ seen: 0, preview })).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringMatching(/£2\.00\. Nothing was refunded now/),
      });
    expect(await amounts(made)).toEqual([-200, 1000]);
    await give({ seen: 200, preview: false });
    await give({ preview: false });
    expect(await amounts(made)).toEqual([-200, -200, -200, 1000]);
  });

  test('is told with the end of the membership where it ends', async () => {
    const made = await bought('week', 1000);
    await refund(made, null, true);
    expect(await lastTold(made)).toEqual({ what: 'refunded', minor: 1000 });
  });

  test('in part leaves the rest of the unused days to whoever takes the payment back', async () => {
    const made = await bought('week', 1000);
    await refund(made, 200, false);
    const [running] = (await listMemberships(made.bob, later(3))).running;
    expect(running).toMatchObject({ refundMinor: 571, refundUntil: later(14).toISOString() });
    await decidedAt(later(3), () => refundMembership(made.bob, made.membership));
    expect(await amounts(made)).toEqual([-571, -200, 1000]);
  });

  test('of an order of an earlier period names that period on its receipt', async () => {
    const made = await bought('week', 1000);
    await decidedAt(later(7), () => renewMemberships(later(7)));
    const staff = await openAdmin();
    await decidedAt(later(8), () =>
      refundOrder({
        staff,
        reference: made.order.reference,
        amountMinor: 100,
        ends: false,
        reason: 'Late.',
        preview: false,
      }),
    );
    const [receipt] = (await listMemberships(made.bob, later(8))).receipts;
    expect(receipt).toMatchObject({
      amountMinor: -100,
      periodStartsAt: worldNow.toISOString(),
      periodEndsAt: later(7).toISOString(),
    });
  });
});

test('a weekly membership can be taken back within 14 days of its first payment, by the days left of the week that runs', async () => {
  const [soon, late] = [await bought('week', 1000), await bought('week', 1000)];
  await decidedAt(later(7), () => renewMemberships(later(7)));
  const running = async ({ bob }: Bought, at: Date) => (await listMemberships(bob, at)).running[0];
  expect(await running(soon, later(7.5))).toMatchObject({ refundMinor: 857, refundUntil: later(14).toISOString() });
  await decidedAt(later(7.5), () => refundMembership(soon.bob, soon.membership));
  expect(await amounts(soon)).toEqual([-857, 1000, 1000]);
  await decidedAt(later(14), () => renewMemberships(later(14)));
  expect(await running(late, later(14))).toMatchObject({ refundMinor: null, refundUntil: null });
  await expect(decidedAt(later(14), () => refundMembership(late.bob, late.membership))).rejects.toThrow('is over');
});
