import { sql } from 'kysely';
import {
  changeCard,
  createCoupon,
  readCardChange,
  readOrder,
  renewMemberships,
  setPlans,
  startCheckout,
} from '@/lib/memberships/commands';
import { listMemberships } from '@/lib/memberships/queries';
import { chooseOutcome } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import type { SandboxOutcome } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { pageOf } from '../support/sales';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);
const renewAt = (...days: number[]) =>
  days.reduce<Promise<unknown>>(
    (before, day) => before.then(() => decidedAt(later(day), () => renewMemberships(later(day)))),
    Promise.resolve(),
  );

let turn = 0;

/** Somebody with a membership by the week or the month at 10.00. */
async function joined(
  period: 'week' | 'month',
  { outcome = 'success', halfOff = null }: { outcome?: SandboxOutcome; halfOff?: number | null } = {},
) {
  turn += 1;
  const shop = await openShop(
    `seller-${turn}`,
    { name: `Shop ${turn}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  const bob = await join(`buyer-${turn}`, worldNow);
  const made = await decidedAt(worldNow, async () => {
    const plans = [{ period, onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: 1000 }] }];
    await setPlans(shop.owner, shop.reference, { mainCurrencyId: CurrencyId.GBP, plans }, undefined, worldNow);
    const coupon = halfOff === null ? undefined : 'HALF';
    if (coupon)
      await createCoupon(
        shop.owner,
        shop.reference,
        { code: coupon, percent: 50, periods: halfOff },
        undefined,
        worldNow,
      );
    const asked = { portfolio: shop.reference, period, amountMinor: coupon ? 500 : 1000, coupon };
    return startCheckout(bob, asked, `key-${turn}`);
  });
  const { membership } = await decidedAt(worldNow, async () => {
    await chooseOutcome(pageOf(made), outcome);
    return readOrder(bob, made.reference);
  });
  return { bob, membership: membership ?? '' };
}

type Member = Awaited<ReturnType<typeof joined>>;

const running = async ({ bob }: Member, days: number) => (await listMemberships(bob, later(days))).running[0];
const paid = async ({ bob }: Member) =>
  (await listMemberships(bob, later(40))).receipts.map(({ amountMinor, periodStartsAt }) => [
    amountMinor,
    periodStartsAt,
  ]);

async function told({ bob }: Member) {
  const { rows } = await sql<{ what: string; days: number }>`
    select details ->> 'what' as what, (extract(epoch from at - ${worldNow}::timestamptz) / 86400)::float8 as days
    from event where account_id = ${bob.accountId} and kind = 'membership' order by id
  `.execute(database());
  return rows.map(({ what, days }) => [what, days]);
}

afterEach(async () => expect(await listBookProblems()).toEqual([]));

test('a card that is declined has its days between the tries, though the site was down over all of them', async () => {
  const made = await joined('month', { outcome: 'declined-later' });
  await renewAt(38, 38, 38.001, 38.9);
  expect(await told(made)).toEqual([
    ['joined', 0],
    ['past due', 38],
  ]);
  await renewAt(39, 40.9, 41, 42.9, 43, 44);
  expect(await told(made)).toEqual([
    ['joined', 0],
    ['past due', 38],
    ['past due', 39],
    ['past due', 41],
    ['ended', 43],
  ]);
});

test('a try that comes some hours late moves no other', async () => {
  const made = await joined('month', { outcome: 'declined-later' });
  await renewAt(31.2, 32, 34, 36);
  expect((await told(made)).map(([, days]) => days)).toEqual([0, 31.2, 32, 34, 36]);
});

test('a week that is wholly past is not paid for: the one that runs is, at the price of the coupon’s next payment', async () => {
  const [plain, discounted] = [await joined('week'), await joined('week', { halfOff: 2 })];
  await renewAt(16);
  expect(await running(plain, 16)).toMatchObject({ state: 'active', renewsAt: later(21).toISOString() });
  expect(await paid(plain)).toEqual([
    [1000, later(14).toISOString()],
    [1000, worldNow.toISOString()],
  ]);
  expect(await running(discounted, 16)).toMatchObject({ renewalMinor: 1000, afterCoupon: null });
  await renewAt(21);
  expect((await paid(discounted)).map(([minor]) => minor)).toEqual([1000, 500, 500]);
  expect((await told(plain)).map(([what]) => what)).toEqual(['joined', 'renewed', 'renewed']);
});

test('a renewal that had failed is not tried for a week that is over, by no card: the membership ends, and is told', async () => {
  const made = await joined('week', { outcome: 'declined-later' });
  await renewAt(7, 8);
  await renewAt(15);
  expect(await told(made)).toEqual([
    ['joined', 0],
    ['past due', 7],
    ['past due', 8],
    ['ended', 15],
  ]);
  expect((await listMemberships(made.bob, later(15))).past).toMatchObject([
    { because: 'The renewal could not be charged.' },
  ]);
});

test('a card that is given after an outage is charged at once', async () => {
  const made = await joined('month', { outcome: 'declined-later' });
  await renewAt(38);
  await decidedAt(later(38.1), async () => {
    const change = await changeCard(made.bob, made.membership);
    await chooseOutcome(pageOf(change), 'success');
    await readCardChange(made.bob, made.membership);
  });
  expect(await running(made, 38.1)).toMatchObject({ state: 'active', renewsAt: '2026-05-10T12:00:00.000Z' });
});
