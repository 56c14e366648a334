import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { canReadPremium } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import {
  cancelMembership,
  cancelOrder,
  expireOrders,
  keepMembership,
  readOrder,
  reconcilePayments,
  refundMembership,
  releaseEarnings,
  renewMemberships,
  setPlans,
  startCheckout,
  watchDisputes,
} from '@/lib/memberships/commands';
import { countDueMemberships, getSale, listMemberships } from '@/lib/memberships/queries';
import type { OrderView } from '@/lib/memberships/schema';
import type { PlansInput } from '@/lib/memberships/schema/plans';
import { chooseOutcome, findOrder, openOrder } from '@/lib/money/commands';
import { getSandboxPayment, listBookProblems } from '@/lib/money/queries';
import { listBalances } from '@/lib/money/queries/books';
import type { SandboxOutcome } from '@/lib/money/schema';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, idempotencyKeySchema, PortfolioVisibility } from '@/lib/reference/schema';
import { guest } from '@/lib/http/viewer';
import { onOwnConnection, onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { countQueries } from '../support/queries';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number, minutes = 0) => new Date(worldNow.getTime() + days * 86_400_000 + minutes * 60_000);
const monthly: PlansInput = {
  mainCurrencyId: CurrencyId.GBP,
  plans: [
    {
      period: 'month',
      onSale: true,
      prices: [
        { currencyId: CurrencyId.GBP, amountMinor: 2000 },
        { currencyId: CurrencyId.EUR, amountMinor: 2500 },
      ],
    },
    { period: 'year', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: 20_000 }] },
  ],
};

let shops = 0;
async function shop(plans: Partial<PlansInput> = {}) {
  shops += 1;
  const made = await openShop(
    `seller-${shops}`,
    { name: `Shop ${shops}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  await decidedAt(worldNow, () => setPlans(made.owner, made.reference, { ...monthly, ...plans }, undefined, worldNow));
  return made;
}

let people = 0;
const buyer = () => join(`buyer-${(people += 1)}`, worldNow);

let keys = 0;
const order = (
  viewer: Viewer,
  portfolio: string,
  { at = worldNow, amountMinor = 2000, key = `key-${(keys += 1)}`, ...more } = {},
) => decidedAt(at, () => startCheckout(viewer, { portfolio, period: 'month', amountMinor, ...more }, key));

const paymentOf = ({ payUrl }: Pick<OrderView, 'payUrl'>) => payUrl?.split('/').at(-1) ?? '';

async function pay(
  viewer: Viewer,
  made: OrderView,
  { outcome = 'success' as SandboxOutcome, at = worldNow } = {},
): Promise<OrderView> {
  return decidedAt(at, async () => {
    await chooseOutcome(paymentOf(made), outcome);
    return readOrder(viewer, made.reference);
  });
}

const joinAs = async (viewer: Viewer, portfolio: string, more: { outcome?: SandboxOutcome; at?: Date } = {}) =>
  pay(viewer, await order(viewer, portfolio, { at: more.at ?? worldNow }), more);

/** What a membership opens, as the entry reads it at a moment. */
async function reads(viewer: Viewer, portfolioId: number, at: Date): Promise<boolean> {
  const { rows } = await sql<{ subscribes: number[] }>`
    select array(select portfolio_id from membership where account_id = ${viewer.kind === 'member' ? viewer.accountId : 0} and starts_at <= ${at} and ends_at > ${at}) as subscribes
  `.execute(database());
  const seen = { ...viewer, subscribes: rows[0]?.subscribes ?? [] } as Viewer;
  return canReadPremium(seen, { id: portfolioId });
}

const balanceOf = async (viewer: Viewer, kind: string) =>
  (await listBalances()).find(
    (each) => each.kind === kind && each.owner === (viewer.kind === 'member' ? viewer.accountId : null),
  )?.balance ?? 0;

const charges = async (viewer: Viewer) =>
  (
    await sql<{ count: number }>`
      select count(*)::int as count from sandbox_payment where customer = ${String(viewer.kind === 'member' ? viewer.accountId : 0)} and status in ('succeeded', 'disputed') and amount_minor > 0
    `.execute(database())
  ).rows[0]?.count;

const renew = (at: Date) => decidedAt(at, () => renewMemberships(at));
const first = async (viewer: Viewer, at: Date) => {
  const { running, past } = await listMemberships(viewer, at);
  return running[0] ?? past[0];
};

/** What a member was told about their memberships, the first first. */
const told = async ({ accountId }: { accountId: number }) =>
  (
    await sql<{ what: string }>`
      select details ->> 'what' as what from event where account_id = ${accountId} and kind = 'membership' order by id
    `.execute(database())
  ).rows.map(({ what }) => what);

/** The key that the release before gave the renewal of a member's only membership. */
async function clockKeyOf({ accountId }: { accountId: number }, due: Date): Promise<string> {
  const { rows } = await sql<{ id: number }>`select id from membership where account_id = ${accountId}`.execute(
    database(),
  );
  const mark = createHash('sha256').update(due.toISOString()).digest('hex').slice(0, 8);
  return `renewal-${rows[0]?.id}-2-${mark}`;
}

afterEach(async () => expect(await listBookProblems()).toEqual([]));

describe('joining', () => {
  test('opens the portfolio once the payment has succeeded, and not before; a receipt is issued and everybody owed their share', async () => {
    const { id, reference, owner } = await shop();
    const bob = await buyer();
    const made = await order(bob, reference);
    expect(made).toMatchObject({
      status: 'open',
      amountMinor: 2000,
      currencyId: CurrencyId.GBP,
      payUrl: expect.stringContaining('/dashboard/sandbox/'),
      _expires: later(0, 30).toISOString(),
    });
    expect(await reads(bob, id, worldNow)).toBe(false);
    expect(await pay(bob, made)).toMatchObject({ status: 'paid', payUrl: null, membership: expect.any(String) });
    expect(await reads(bob, id, worldNow)).toBe(true);
    expect(await balanceOf(owner, 'held')).toBe(1400);
    const { running, receipts } = await listMemberships(bob, worldNow);
    expect(running).toMatchObject([
      {
        state: 'active',
        period: 'month',
        renewalMinor: 2000,
        renewsAt: '2026-04-10T12:00:00.000Z',
        endsAt: '2026-04-10T12:00:00.000Z',
      },
    ]);
    expect(receipts).toMatchObject([{ amountMinor: 2000, isRefund: false, order: made.reference }]);
  });

  test('twice, at once, or with the same key is one order and one charge', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    const both = await Promise.all([
      order(bob, reference, { key: 'one' }),
      order(bob, reference, { key: 'one' }),
      order(bob, reference),
      order(bob, reference),
    ]);
    expect(new Set(both.map((each) => each.reference)).size).toBe(1);
    const made = both[0] as OrderView;
    await decidedAt(worldNow, () => chooseOutcome(paymentOf(made), 'success'));
    await Promise.all([1, 2, 3].map(() => decidedAt(worldNow, () => readOrder(bob, made.reference))));
    expect(await charges(bob)).toBe(1);
    expect((await listMemberships(bob, worldNow)).receipts).toHaveLength(1);
    await expect(order(bob, reference)).rejects.toThrow('You are already a member of this portfolio');
    expect(await order(bob, reference, { key: 'one' })).toMatchObject({ reference: made.reference, status: 'paid' });
    await expect(order(bob, reference, { key: 'one', amountMinor: 1 })).rejects.toThrow('idempotency key');
  });

  test('by another plan takes the place of an order that nobody paid, whose page is closed', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    const month = await order(bob, reference);
    const year = await order(bob, reference, { period: 'year', amountMinor: 20_000 } as never);
    expect(year.reference).not.toBe(month.reference);
    await expect(decidedAt(worldNow, () => chooseOutcome(paymentOf(month), 'success'))).rejects.toThrow(
      'already has an outcome',
    );
    expect(await decidedAt(worldNow, () => readOrder(bob, month.reference))).toMatchObject({ status: 'cancelled' });
    expect(await pay(bob, year)).toMatchObject({ status: 'paid' });
  });

  test.each([
    ['declined', 'failed', 'The card was declined.'],
    ['cancelled', 'cancelled', 'You cancelled the payment.'],
  ] as const)('that is %s opens nothing, and can be begun again', async (outcome, status, because) => {
    const { id, reference } = await shop();
    const bob = await buyer();
    expect(await joinAs(bob, reference, { outcome })).toMatchObject({ status, because });
    expect(await reads(bob, id, worldNow)).toBe(false);
    expect(await joinAs(bob, reference)).toMatchObject({ status: 'paid' });
  });

  test('whose payment is pending waits, and is opened by reconciliation when nobody looks', async () => {
    const { id, reference } = await shop();
    const bob = await buyer();
    expect(await joinAs(bob, reference, { outcome: 'pending' })).toMatchObject({ status: 'processing' });
    expect(await reads(bob, id, worldNow)).toBe(false);
    const at = later(0, 5);
    await decidedAt(at, () => reconcilePayments(at));
    expect(await reads(bob, id, at)).toBe(true);
  });

  test('whose bank takes weeks is looked at until it has decided', async () => {
    const { id, reference } = await shop();
    const bob = await buyer();
    expect(await joinAs(bob, reference, { outcome: 'pending' })).toMatchObject({ status: 'processing' });
    await decidedAt(later(20), () => reconcilePayments(later(20)));
    expect(await reads(bob, id, later(20))).toBe(true);
  });

  test('asks for the bank where the payer chooses so', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    const made = await order(bob, reference);
    expect(await pay(bob, made, { outcome: 'authentication-needed' })).toMatchObject({ status: 'open' });
    expect(await pay(bob, made, { outcome: 'confirm' })).toMatchObject({ status: 'paid' });
  });

  test('expires after half an hour, and nothing can be paid then', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    const made = await order(bob, reference);
    const at = later(0, 31);
    await decidedAt(at, () => expireOrders(at));
    expect(await decidedAt(at, () => readOrder(bob, made.reference))).toMatchObject({
      status: 'expired',
      payUrl: null,
    });
    await expect(decidedAt(at, () => chooseOutcome(paymentOf(made), 'success'))).rejects.toThrow(
      'already has an outcome',
    );
  });

  test('that was paid in the last moment is paid, although the order was to expire', async () => {
    const { id, reference } = await shop();
    const bob = await buyer();
    const made = await order(bob, reference);
    await decidedAt(later(0, 29), () => chooseOutcome(paymentOf(made), 'success'));
    await decidedAt(later(0, 31), () => expireOrders(later(0, 31)));
    expect(await reads(bob, id, later(0, 31))).toBe(true);
  });

  test('that was given up cannot be paid; what was paid before is not given up', async () => {
    const { id, reference } = await shop();
    const [bob, cat] = [await buyer(), await buyer()];
    const made = await order(bob, reference);
    expect(await decidedAt(worldNow, () => cancelOrder(bob, made.reference))).toMatchObject({ status: 'cancelled' });
    const other = await order(cat, reference);
    await decidedAt(worldNow, () => chooseOutcome(paymentOf(other), 'success'));
    expect(await decidedAt(worldNow, () => cancelOrder(cat, other.reference))).toMatchObject({ status: 'paid' });
    expect([await reads(bob, id, worldNow), await reads(cat, id, worldNow)]).toEqual([false, true]);
  });

  test('is refused at a price that is not the price any more, to the owner, to guests, and where nothing is sold', async () => {
    const { reference, owner } = await shop();
    const bob = await buyer();
    await expect(order(bob, reference, { amountMinor: 1500 })).rejects.toThrow('The price or the terms have changed');
    await expect(order(owner, reference)).rejects.toThrow('your own portfolio');
    await expect(order(guest(), reference)).rejects.toThrow('Sign in');
    await decidedAt(worldNow, () =>
      setPlans(owner, reference, { mainCurrencyId: CurrencyId.GBP, plans: [] }, undefined, worldNow),
    );
    await expect(order(bob, reference)).rejects.toThrow('no plan on sale');
    expect(await getSale(guest(), reference)).toMatchObject({ open: false, plans: [] });
  });

  test('charges in the currency that the member buys in where it is offered', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    await sql`update account set buy_currency_id = ${CurrencyId.EUR} where id = ${bob.accountId}`.execute(database());
    expect(await order(bob, reference, { amountMinor: 2500 })).toMatchObject({
      currencyId: CurrencyId.EUR,
      amountMinor: 2500,
    });
  });

  test('by more than the portfolio takes, at once: as many get in as it takes, and the others are told why', async () => {
    const { id, reference } = await shop({ memberLimit: 5 });
    const buyers = await Promise.all(Array.from({ length: 30 }, buyer));
    const outcomes = await Promise.allSettled(buyers.map((each) => joinAs(each, reference)));
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason.message)] : [],
    );
    expect(refused).toEqual(
      Array(25).fill('This portfolio is full: it takes 5 members. Try again when a member has left.'),
    );
    const { rows } = await sql<{ members: number; charges: number }>`
      select (select count(*)::int from membership where portfolio_id = ${id}) as members, (select count(*)::int from payment join customer_order on customer_order.id = order_id
        where portfolio_id = ${id} and payment.status = 'succeeded') as charges
    `.execute(database());
    expect(rows).toEqual([{ members: 5, charges: 5 }]);
    expect(await getSale(guest(), reference)).toMatchObject({ open: false, why: expect.stringContaining('full') });
  });

  test('is nobody else’s to see: order, payment and membership are missing to others', async () => {
    const { reference } = await shop();
    const [bob, eve] = [await buyer(), await buyer()];
    const made = await order(bob, reference);
    await expect(readOrder(eve, made.reference)).rejects.toThrow('no such order');
    await expect(cancelOrder(eve, made.reference)).rejects.toThrow('no such order');
    await expect(getSandboxPayment(eve, paymentOf(made))).rejects.toThrow('no such payment');
    const { membership } = await pay(bob, made);
    for (const act of [cancelMembership, keepMembership, refundMembership])
      await expect(act(eve, membership ?? '')).rejects.toThrow('no such membership');
  });
});

describe('a membership', () => {
  test('is renewed by the clock, once, however many look', async () => {
    const { id, reference, owner } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference);
    const at = new Date('2026-04-10T12:00:01.000Z');
    expect(await countDueMemberships(at)).toBeGreaterThan(0);
    await Promise.all([renew(at), renew(at), renew(at)]);
    await renew(at);
    expect(await countDueMemberships(at)).toBe(0);
    expect(await charges(bob)).toBe(2);
    expect(await first(bob, at)).toMatchObject({ state: 'active', renewsAt: '2026-05-10T12:00:00.000Z' });
    expect(await balanceOf(owner, 'held')).toBe(2800);
    expect(await reads(bob, id, at)).toBe(true);
  });

  test('is renewed while another of the same portfolio is', async () => {
    const { id, reference } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference);
    const at = new Date('2026-04-10T12:00:01.000Z');
    await onOwnConnection(async (other) => {
      await other.query('begin');
      await other.query(`select from portfolio where id = ${id} for share`);
      await renew(at);
      await other.query('rollback');
    });
    expect(await charges(bob)).toBe(2);
    expect(await first(bob, at)).toMatchObject({ state: 'active', renewsAt: '2026-05-10T12:00:00.000Z' });
  });

  test('is renewed in the same run as the others of its member', async () => {
    const shops = [await shop(), await shop(), await shop()];
    const viewers = await Promise.all(Array.from({ length: 4 }, () => buyer()));
    for (const viewer of viewers) for (const { reference } of shops) await joinAs(viewer, reference);
    await renew(later(31));
    expect(await Promise.all(viewers.map(charges))).toEqual(viewers.map(() => 2 * shops.length));
  });

  test('stays open between the end of a period and its renewal', async () => {
    const { id, reference } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference);
    expect(await reads(bob, id, new Date('2026-04-10T18:00:00.000Z'))).toBe(true);
  });

  test('that was cancelled runs to its end and opens nothing a moment later; cancelling can be undone till then', async () => {
    const { id, reference } = await shop();
    const bob = await buyer();
    const { membership } = await joinAs(bob, reference);
    expect(await decidedAt(later(20), () => cancelMembership(bob, membership ?? ''))).toMatchObject({
      state: 'cancelled',
      renewsAt: null,
    });
    expect(await decidedAt(later(21), () => keepMembership(bob, membership ?? ''))).toMatchObject({ state: 'active' });
    await decidedAt(later(22), () => cancelMembership(bob, membership ?? ''));
    const end = new Date('2026-04-10T12:00:00.000Z');
    expect(await reads(bob, id, new Date(end.getTime() - 1))).toBe(true);
    expect(await reads(bob, id, end)).toBe(false);
    await renew(end);
    expect(await charges(bob)).toBe(1);
    expect(await first(bob, end)).toMatchObject({ state: 'ended', because: 'You cancelled it.' });
    await expect(decidedAt(end, () => keepMembership(bob, membership ?? ''))).rejects.toThrow('has ended');
    expect(await joinAs(bob, reference, { at: end })).toMatchObject({ status: 'paid' });
  });

  test('whose renewal is declined is open for three days, tried after 1, 3 and 5, and ended then', async () => {
    const { id, reference } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference, { outcome: 'declined-later' });
    const due = new Date('2026-04-10T12:00:00.000Z');
    const after = (days: number) => new Date(due.getTime() + days * 86_400_000);
    const tries = async () =>
      (
        await sql<{
          count: number;
        }>`select count(*)::int as count from payment join customer_order on customer_order.id = order_id where account_id = ${bob.accountId} and kind = 'renewal'`.execute(
          database(),
        )
      ).rows[0]?.count;
    await renew(due);
    expect([await tries(), (await first(bob, due))?.state, await reads(bob, id, after(2.9))]).toEqual([
      1,
      'past due',
      true,
    ]);
    expect(await reads(bob, id, after(3))).toBe(false);
    await renew(after(0.9));
    expect(await tries()).toBe(1);
    for (const [days, count] of [
      [1, 2],
      [3, 3],
      [5, 4],
    ] as const) {
      await renew(after(days));
      expect(await tries()).toBe(count);
    }
    expect(await first(bob, after(5))).toMatchObject({ state: 'ended', because: 'The renewal could not be charged.' });
    expect(await charges(bob)).toBe(1);
  });

  test('that is past due is paid by the next try that succeeds, and keeps its day of the month', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference, { outcome: 'declined-later' });
    const due = new Date('2026-04-10T12:00:00.000Z');
    await renew(due);
    await sql`update membership set method_id = (select max(id) from payment_method where provider_method like 'card-card-%') where account_id = ${bob.accountId}`.execute(
      database(),
    );
    await renew(new Date(due.getTime() + 86_400_000));
    expect(await first(bob, new Date(due.getTime() + 86_400_000))).toMatchObject({
      state: 'active',
      renewsAt: '2026-05-10T12:00:00.000Z',
    });
  });

  test('that was killed after the charge and before it was booked is booked later, and charged once', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference);
    const due = new Date('2026-04-10T12:00:00.000Z');
    const { setProvider } = await import('@/lib/money/commands');
    const { sandbox } = await import('@/lib/money/commands/sandbox');
    setProvider({
      ...sandbox,
      charge: async (asked) => sandbox.charge(asked).then(() => Promise.reject(new Error('killed'))),
    });
    await renew(due);
    setProvider(null);
    expect([await charges(bob), (await first(bob, due))?.renewsAt]).toEqual([2, '2026-04-10T12:00:00.000Z']);
    const at = new Date(due.getTime() + 60_000);
    await decidedAt(at, () => reconcilePayments(at));
    expect([await charges(bob), (await first(bob, at))?.renewsAt]).toEqual([2, '2026-05-10T12:00:00.000Z']);
  });

  test('that ends while it is being charged has the charge given back whole, and its member is told', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    const { membership } = await joinAs(bob, reference);
    const due = new Date('2026-04-10T12:00:00.000Z');
    const { setProvider } = await import('@/lib/money/commands');
    const { sandbox } = await import('@/lib/money/commands/sandbox');
    setProvider({
      ...sandbox,
      charge: async (asked) => sandbox.charge(asked).then(() => Promise.reject(new Error('killed'))),
    });
    await renew(due);
    setProvider(null);
    await decidedAt(due, () => cancelMembership(bob, membership ?? ''));
    const at = new Date(due.getTime() + 60_000);
    await decidedAt(at, () => reconcilePayments(at));
    expect([await charges(bob), await first(bob, at)]).toEqual([
      2,
      expect.objectContaining({ state: 'ended', because: 'You cancelled it.' }),
    ]);
    const { rows: orders } = await sql`
      select customer_order.status, refund.amount_minor as back, refund.status as given from customer_order join payment on payment.order_id = customer_order.id left join refund on payment_id = payment.id
      where account_id = ${bob.accountId} order by customer_order.id
    `.execute(database());
    expect(orders).toEqual([
      { status: 'paid', back: null, given: null },
      { status: 'cancelled', back: 2000, given: 'done' },
    ]);
    expect(await told(bob)).toEqual(['joined', 'ended', 'refunded']);
  });

  test('that is cancelled while it is past due leaves no order under way', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    const { membership } = await joinAs(bob, reference, { outcome: 'declined-later' });
    const due = new Date('2026-04-10T12:00:00.000Z');
    await renew(due);
    const at = new Date(due.getTime() + 6 * 60_000);
    await decidedAt(at, () => cancelMembership(bob, membership ?? ''));
    await decidedAt(at, () => expireOrders(at));
    const { rows } = await sql`
      select kind, status, because from customer_order where account_id = ${bob.accountId} order by id
    `.execute(database());
    expect(rows).toEqual([
      { kind: 'first', status: 'paid', because: null },
      { kind: 'renewal', status: 'cancelled', because: 'The membership ended while it was being renewed.' },
    ]);
    expect([await charges(bob), await told(bob)]).toEqual([1, ['joined', 'past due', 'ended']]);
  });

  test('can be taken back within 14 days, by days left, once; the tipster gives up the same days', async () => {
    const { id, reference, owner } = await shop();
    const bob = await buyer();
    const { membership } = await joinAs(bob, reference);
    expect(await first(bob, later(3))).toMatchObject({ refundMinor: 1806, refundUntil: later(14).toISOString() });
    expect(await decidedAt(later(3), () => refundMembership(bob, membership ?? ''))).toMatchObject({
      state: 'ended',
      because: 'You asked for a refund.',
    });
    expect(await reads(bob, id, later(3))).toBe(false);
    const { receipts } = await listMemberships(bob, later(3));
    expect(receipts.map(({ amountMinor }) => amountMinor)).toEqual([-1806, 2000]);
    expect(await balanceOf(owner, 'held')).toBe(1400 - 1265);
    expect(
      (
        await sql`select refunded_minor from sandbox_payment where customer = ${String(bob.accountId)}`.execute(
          database(),
        )
      ).rows,
    ).toEqual([{ refunded_minor: 1806 }]);
    await expect(decidedAt(later(4), () => refundMembership(bob, membership ?? ''))).rejects.toThrow('has ended');
  });

  test('cannot be taken back after 14 days; what was earned is payable then', async () => {
    const { reference, owner } = await shop();
    const bob = await buyer();
    const { membership } = await joinAs(bob, reference);
    await expect(decidedAt(later(14), () => refundMembership(bob, membership ?? ''))).rejects.toThrow('is over');
    await decidedAt(later(13), () => releaseEarnings(later(13)));
    expect(await balanceOf(owner, 'payable')).toBe(0);
    for (const at of [later(14), later(15)]) await decidedAt(at, () => releaseEarnings(at));
    expect([await balanceOf(owner, 'held'), await balanceOf(owner, 'payable')]).toEqual([0, 1400]);
  });

  test('ends with a chargeback, and what was earned by it is taken back, though it was payable', async () => {
    const { id, reference, owner } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference, { outcome: 'chargeback-later' });
    await decidedAt(later(1), () => watchDisputes(later(1)));
    expect(await reads(bob, id, later(1))).toBe(true);
    for (const at of [later(3), later(4)]) await decidedAt(at, () => watchDisputes(at));
    expect([await reads(bob, id, later(4)), await balanceOf(owner, 'held')]).toEqual([false, 0]);
    expect(await first(bob, later(4))).toMatchObject({
      state: 'ended',
      because: 'The payment was disputed at the bank.',
    });
    expect(await told(bob)).toEqual(['joined', 'ended']);
  });

  test('begins with a trial at no charge, once a buyer, and is charged when it ends', async () => {
    const { id, reference } = await shop({ trialDays: 7 });
    const bob = await buyer();
    const { membership } = await pay(bob, await order(bob, reference, { amountMinor: 0 }));
    expect([await charges(bob), await reads(bob, id, worldNow), (await first(bob, worldNow))?.state]).toEqual([
      0,
      true,
      'trial',
    ]);
    await renew(later(7));
    expect([await charges(bob), await first(bob, later(7))]).toEqual([
      1,
      expect.objectContaining({ state: 'active', renewsAt: '2026-04-17T12:00:00.000Z', refundMinor: 2000 }),
    ]);
    await decidedAt(later(8), () => refundMembership(bob, membership ?? ''));
    await expect(order(bob, reference, { at: later(9), amountMinor: 0 })).rejects.toThrow(
      'The price or the terms have changed',
    );
    expect(await order(bob, reference, { at: later(9) })).toMatchObject({ amountMinor: 2000 });
  });

  test('goes on at the price that it began at where a higher one was set less than 30 days ago; a lower one holds at once', async () => {
    const { reference, owner } = await shop();
    const [bob, cat] = [await buyer(), await buyer()];
    for (const each of [bob, cat]) await joinAs(each, reference);
    const price = (amountMinor: number): PlansInput => ({
      mainCurrencyId: CurrencyId.GBP,
      plans: [{ period: 'month', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor }] }],
    });
    await decidedAt(later(20), () => setPlans(owner, reference, price(3000), undefined, later(20)));
    expect(await first(bob, later(20))).toMatchObject({ renewalMinor: 2000 });
    await renew(later(31));
    expect(await first(bob, later(31))).toMatchObject({ renewsAt: '2026-05-10T12:00:00.000Z', renewalMinor: 3000 });
    await renew(later(61));
    expect((await listMemberships(bob, later(61))).receipts.map(({ amountMinor }) => amountMinor)).toEqual([
      3000, 2000, 2000,
    ]);
    await decidedAt(later(62), () => setPlans(owner, reference, price(1000), undefined, later(62)));
    await renew(later(92));
    expect((await listMemberships(cat, later(92))).receipts[0]).toMatchObject({ amountMinor: 1000 });
  });

  test('at a higher price is told to all members at once', async () => {
    const dearer = async (members: number) => {
      const { reference, owner } = await shop();
      const all = [];
      for (let made = 0; made < members; made += 1) all.push(await buyer());
      for (const each of all) await joinAs(each, reference);
      const plans = {
        ...monthly,
        plans: [
          { period: 'month' as const, onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: 3000 }] },
        ],
      };
      const asked = await countQueries(() =>
        decidedAt(later(20), () => setPlans(owner, reference, plans, undefined, later(20))),
      );
      const { rows } = await sql<{ accountId: number; from: number; to: number }>`
        select account_id as "accountId", (details ->> 'fromMinor')::int as from, (details ->> 'toMinor')::int as to
        from event where kind = 'membership' and details ->> 'what' = 'price' and account_id = any(${all.map(({ accountId }) => accountId)}::int[]) order by account_id
      `.execute(database());
      expect(rows).toEqual(all.map(({ accountId }) => ({ accountId, from: 2000, to: 3000 })));
      return asked;
    };
    // The first finds nothing kept of what does not change.
    await dearer(1);
    expect(await dearer(4)).toBe(await dearer(1));
  });

  test('ends where the portfolio was abandoned, and charges nothing', async () => {
    const { id, reference } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference);
    await sql`update portfolio set abandoned_at = ${later(5)} where id = ${id}`.execute(database());
    await renew(later(31));
    expect([await charges(bob), (await first(bob, later(31)))?.state]).toEqual([1, 'ended']);
  });

  test('is renewed although its member has used the key that the clock had for the renewal', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference);
    const due = new Date('2026-04-10T12:00:00.000Z');
    await order(bob, (await shop()).reference, { key: await clockKeyOf(bob, due) });
    await renew(due);
    expect([await charges(bob), (await first(bob, due))?.renewsAt]).toEqual([2, '2026-05-10T12:00:00.000Z']);
    const { rows } = await sql<{ key: string }>`
      select idempotency_key as key from customer_order where account_id = ${bob.accountId} and kind = 'renewal'
    `.execute(database());
    expect(rows.map(({ key }) => idempotencyKeySchema.safeParse(key).success)).toEqual([false]);
  });

  test('whose renewal is under way by a key of the release before is charged by it, once', async () => {
    const { reference } = await shop();
    const bob = await buyer();
    await joinAs(bob, reference);
    const due = new Date('2026-04-10T12:00:00.000Z');
    const key = await clockKeyOf(bob, due);
    const { rows: held } = await sql<{ id: number; methodId: number }>`
      select id, method_id as "methodId" from membership where account_id = ${bob.accountId}
    `.execute(database());
    const { rows: orders } = await sql<{ reference: string }>`
      select reference from customer_order where account_id = ${bob.accountId}
    `.execute(database());
    const begun = await findOrder(orders[0]?.reference ?? '');
    if (!begun || !held[0]) throw new Error('It was paid.');
    const { id: membershipId, methodId } = held[0];
    await transact(() =>
      openOrder(
        {
          ...begun,
          membershipId,
          methodId,
          kind: 'renewal',
          periodNumber: 2,
          periodStartsAt: due,
          idempotencyKey: key,
          requestHash: key,
          expiresAt: new Date(due.getTime() + 60_000),
        },
        due,
      ),
    );
    const at = new Date(due.getTime() + 6 * 60_000);
    for (const _ of [1, 2]) await renew(at);
    expect([await charges(bob), (await first(bob, at))?.renewsAt]).toEqual([2, '2026-05-10T12:00:00.000Z']);
    const { rows } =
      await sql`select from customer_order where account_id = ${bob.accountId} and kind = 'renewal'`.execute(
        database(),
      );
    expect(rows).toHaveLength(1);
  });
});
