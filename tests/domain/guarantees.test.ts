import { sql } from 'kysely';
import {
  judgeGuarantees,
  readOrder,
  renewMemberships,
  cancelMembership,
  setPlans,
  startCheckout,
} from '@/lib/memberships/commands';
import { getEarnings, getSale, listMemberships } from '@/lib/memberships/queries';
import { chooseOutcome } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { keepsPromises } from '@/lib/memberships/rules/guarantees';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
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
