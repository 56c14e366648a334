import { sql } from 'kysely';
import {
  judgeGuarantees,
  readOrder,
  refundMembership,
  renewMemberships,
  cancelMembership,
  setPlans,
  startCheckout,
} from '@/lib/memberships/commands';
import { getEarnings, getSale, listMemberships } from '@/lib/memberships/queries';
import { soldBy } from '@/lib/memberships/commands/sold';
import { renewMembership } from '@/lib/memberships/commands/renew';
import { chooseOutcome, findOrder, recordRefund } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { keepsPromises } from '@/lib/memberships/rules/guarantees';
import { buyAlike } from '../support/bought-alike';
import { onTestDatabase } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);
let turn = 0;

async function sold(promises: { tipsPromised?: number; profitOrFree?: boolean }) {
  const shop = await openShop(
    `promiser-${(turn += 1)}`,
    { name: `Promises ${turn}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  await decidedAt(worldNow, () =>
    setPlans(
      shop.owner,
      shop.reference,
      {
        mainCurrencyId: CurrencyId.GBP,
        plans: [
          { period: 'week', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: 1000 }], ...promises },
        ],
      },
      undefined,
      worldNow,
    ),
  );
  const bob = await join(`believer-${turn}`, worldNow);
  await decidedAt(worldNow, async () => {
    const order = await startCheckout(
      bob,
      { portfolio: shop.reference, period: 'week', amountMinor: 1000 },
      `order-${turn}`,
    );
    await chooseOutcome(order.payUrl?.split('/').at(-1) ?? '', 'success');
    await readOrder(bob, order.reference);
  });
  return { shop, bob };
}

const judge = (at: Date) => decidedAt(at, () => judgeGuarantees(at));
const renew = (at: Date) => decidedAt(at, () => renewMemberships(at));
const amounts = async (bob: Awaited<ReturnType<typeof join>>, at: Date) =>
  (await listMemberships(bob, at)).receipts.map(({ amountMinor }) => amountMinor);

async function orderOf({ accountId }: Awaited<ReturnType<typeof join>>, kind = 'first'): Promise<string> {
  const { rows } = await sql<{ reference: string }>`
    select reference from customer_order where account_id = ${accountId} and kind = ${kind}
  `.execute(database());
  return rows[0]?.reference ?? '';
}

/** Has a membership end with its first week. */
async function ends(bob: Awaited<ReturnType<typeof join>>): Promise<void> {
  const [running] = (await listMemberships(bob, worldNow)).running;
  await decidedAt(worldNow, () => cancelMembership(bob, running?.reference ?? ''));
  const { rows } = await sql<{ id: number }>`select id from membership where account_id = ${bob.accountId}`.execute(
    database(),
  );
  await decidedAt(later(7), () => renewMembership(rows[0]?.id ?? 0));
}

afterEach(async () => expect(await listBookProblems()).toEqual([]));

test('a week without the promised tips is followed by one at no charge, once, and both sides are told', async () => {
  const { shop, bob } = await sold({ tipsPromised: 1 });
  expect((await getSale(bob, shop.reference)).plans).toMatchObject([{ tipsPromised: 1, profitOrFree: false }]);
  expect((await listMemberships(bob, worldNow)).running).toMatchObject([
    { promised: { tipsPromised: 1, profitOrFree: false }, verdict: null },
  ]);
  await judge(later(6));
  await judge(later(7));
  expect(await amounts(bob, later(7))).toEqual([1000]);
  await renew(later(7));
  for (const days of [7, 8]) await judge(later(days));
  expect(await amounts(bob, later(8))).toEqual([-1000, 1000, 1000]);
  expect((await listMemberships(bob, later(8))).running).toMatchObject([
    { state: 'active', verdict: { kept: false, tips: 0, profitHundredths: 0 } },
  ]);
  expect((await getEarnings(shop.owner, shop.reference, later(8))).promises).toEqual({ kept: 0, missed: 1 });
});

test('where no other week follows, the one that missed its promise is given back', async () => {
  const { bob } = await sold({ profitOrFree: true });
  const [running] = (await listMemberships(bob, worldNow)).running;
  await decidedAt(worldNow, () => cancelMembership(bob, running?.reference ?? ''));
  await renew(later(7));
  for (const days of [7, 8]) await judge(later(days));
  expect(await amounts(bob, later(8))).toEqual([-1000, 1000]);
});

test('a week that was sold without a promise is not judged, whatever is promised later', async () => {
  const { shop, bob } = await sold({});
  await sql`update plan set tips_promised = 5 where portfolio_id = ${shop.id}`.execute(database());
  await renew(later(7));
  await judge(later(7));
  expect(await amounts(bob, later(7))).toEqual([1000, 1000]);
});

test.each([
  ['as many tips as promised', { tipsPromised: 3, profitOrFree: false }, { tips: 3, profitMicrounits: -1n }, true],
  ['one tip too few', { tipsPromised: 3, profitOrFree: false }, { tips: 2, profitMicrounits: 9n }, false],
  ['a profit', { tipsPromised: null, profitOrFree: true }, { tips: 1, profitMicrounits: 1n }, true],
  ['neither profit nor loss', { tipsPromised: null, profitOrFree: true }, { tips: 1, profitMicrounits: 0n }, false],
  [
    'tips without profit, both promised',
    { tipsPromised: 1, profitOrFree: true },
    { tips: 9, profitMicrounits: 0n },
    false,
  ],
])('%s: kept is %s', (_, promises, record, kept) => {
  expect(keepsPromises(promises, record)).toBe(kept);
});

test('orders that wait for a tip are not looked at, so that their portfolio is not held for them', async () => {
  const { shop, bob } = await sold({ profitOrFree: true });
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  await publishTip(shop.owner, shop.reference, { idempotencyKey: 'waits', stakeHundredths: 100, legs }, later(0.1));
  await ends(bob);
  const verdicts = async () =>
    (
      await sql`select from guarantee_verdict where order_id = (select id from customer_order where reference = ${await orderOf(bob)})`.execute(
        database(),
      )
    ).rows;
  const others = await judge(later(7));
  expect(await verdicts()).toEqual([]);
  // Two weeks after the end nothing is waited for.
  expect(await judge(later(21))).toBeGreaterThan(others);
  expect(await verdicts()).toHaveLength(1);
});

test('a promise that was missed is answered although more orders than are looked at together wait for a tip', async () => {
  const waiting = await sold({ profitOrFree: true });
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  await publishTip(
    waiting.shop.owner,
    waiting.shop.reference,
    { idempotencyKey: 'waits', stakeHundredths: 100, legs },
    later(0.1),
  );
  await buyAlike(await orderOf(waiting.bob), 200);
  const { bob } = await sold({ tipsPromised: 1 });
  await ends(bob);
  await judge(later(8));
  expect(await amounts(bob, later(8))).toEqual([-1000, 1000]);
});

test.each([
  ['in part by staff, while it goes on, keeps its promise', 400, [-600, -400, 1000]],
  ['whole by staff has nothing left to give', 1000, [-1000, 1000]],
])('a period that was given back %s', async (_, amountMinor, expected) => {
  const { bob } = await sold({ tipsPromised: 1 });
  const order = await findOrder(await orderOf(bob));
  if (!order) throw new Error('It was bought.');
  await decidedAt(later(2), () =>
    transact(async () => {
      const { sale, details } = await soldBy(order);
      await recordRefund(sale, { amountMinor, because: 'by staff', details }, later(2));
    }),
  );
  await ends(bob);
  await judge(later(8));
  expect(await amounts(bob, later(8))).toEqual(expected);
});

test('a period that its member took back is not given back for its promise as well', async () => {
  const { bob } = await sold({ tipsPromised: 1 });
  const [running] = (await listMemberships(bob, later(2))).running;
  await decidedAt(later(2), () => refundMembership(bob, running?.reference ?? ''));
  await judge(later(8));
  expect(await amounts(bob, later(8))).toEqual([-714, 1000]);
});

type Seen = { period: number; kept: boolean; back: number | null };

/** The verdicts on a member's periods in the order in which they were given, each with the period whose payment went back for it. */
async function verdictsOf({ accountId }: Awaited<ReturnType<typeof join>>): Promise<Seen[]> {
  const { rows } = await sql<Seen>`
    select own.period_number as period, kept, (select given.period_number from payment join customer_order given on given.id = order_id where payment.id = refunded_payment_id) as back
    from guarantee_verdict verdict join customer_order own on own.id = verdict.order_id where own.account_id = ${accountId} order by verdict.at, own.id
  `.execute(database());
  return rows;
}

test('a week that was free by a guarantee keeps its own promise: as long as weeks miss theirs, those that follow are free', async () => {
  const { bob } = await sold({ profitOrFree: true });
  for (const days of [7, 14, 21]) {
    await renew(later(days));
    await judge(later(days));
  }
  expect(await verdictsOf(bob)).toEqual([1, 2, 3].map((period) => ({ period, kept: false, back: period + 1 })));
  expect((await amounts(bob, later(22))).toSorted((a, b) => a - b)).toEqual([
    -1000, -1000, -1000, 1000, 1000, 1000, 1000,
  ]);
});

test('where no other week follows one that was free by a guarantee, nothing is given for it again', async () => {
  const { bob } = await sold({ profitOrFree: true });
  await renew(later(7));
  await judge(later(7));
  const [running] = (await listMemberships(bob, later(8))).running;
  await decidedAt(later(8), () => cancelMembership(bob, running?.reference ?? ''));
  await renew(later(14));
  await judge(later(14));
  expect(await verdictsOf(bob)).toEqual([
    { period: 1, kept: false, back: 2 },
    { period: 2, kept: false, back: null },
  ]);
  expect((await amounts(bob, later(14))).toSorted((a, b) => a - b)).toEqual([-1000, 1000, 1000]);
});

test('a week is judged after those before it, although one of them waits for its tips', async () => {
  const { shop, bob } = await sold({ profitOrFree: true });
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  await publishTip(shop.owner, shop.reference, { idempotencyKey: 'first', stakeHundredths: 100, legs }, later(0.1));
  await renew(later(7));
  const [running] = (await listMemberships(bob, later(8))).running;
  await decidedAt(later(8), () => cancelMembership(bob, running?.reference ?? ''));
  await renew(later(14));
  await judge(later(14));
  expect(await verdictsOf(bob)).toEqual([]);
  for (const days of [21, 22]) await judge(later(days));
  expect(await verdictsOf(bob)).toEqual([
    { period: 1, kept: false, back: 2 },
    { period: 2, kept: false, back: null },
  ]);
});

test('what staff gave back of a period before is not told again', async () => {
  const { bob } = await sold({ tipsPromised: 1 });
  await renew(later(7));
  const reference = await orderOf(bob, 'renewal');
  const order = await findOrder(reference);
  if (!order) throw new Error('It was renewed.');
  await decidedAt(later(7), () =>
    transact(async () => {
      const { sale, details } = await soldBy(order);
      await recordRefund(sale, { amountMinor: 400, because: 'by staff', details }, later(7));
    }),
  );
  await judge(later(8));
  const { rows } = await sql<{ minor: number }>`
    select (details ->> 'amountMinor')::int as minor from event where account_id = ${bob.accountId} and details ->> 'what' = 'guarantee'
  `.execute(database());
  expect(rows).toEqual([{ minor: 600 }]);
});
