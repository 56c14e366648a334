import { sql } from 'kysely';
import {
  closeMemberships,
  readOrder,
  refundMembership,
  renewMemberships,
  setPlans,
  startCheckout,
} from '@/lib/memberships/commands';
import { soldBy } from '@/lib/memberships/commands/advance';
import { listMemberships } from '@/lib/memberships/queries';
import type { PlanPeriod } from '@/lib/memberships/schema';
import { chooseOutcome, findOrder, recordRefund } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { pageOf } from '../support/sales';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);
let turn = 0;

/** A shop that sells a period at a price, and somebody who bought the first. */
async function bought(period: PlanPeriod, amountMinor: number) {
  turn += 1;
  const shop = await openShop(
    `seller-${turn}`,
    { name: `Shop ${turn}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  const bob = await join(`buyer-${turn}`, worldNow);
  const order = await decidedAt(worldNow, async () => {
    const plans = [{ period, onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor }] }];
    await setPlans(shop.owner, shop.reference, { mainCurrencyId: CurrencyId.GBP, plans }, undefined, worldNow);
    const made = await startCheckout(bob, { portfolio: shop.reference, period, amountMinor }, `key-${turn}`);
    await chooseOutcome(pageOf(made), 'success');
    return readOrder(bob, made.reference);
  });
  return { id: shop.id, bob, order, membership: order.membership ?? '' };
}

type Bought = Awaited<ReturnType<typeof bought>>;

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
async function lastTold({ bob }: Bought): Promise<{ what: string; minor: number | null } | undefined> {
  const { rows } = await sql<{ what: string; minor: number | null }>`
    select details ->> 'what' as what, (details ->> 'amountMinor')::int as minor from event where account_id = ${bob.accountId} and kind = 'membership' order by id desc limit 1
  `.execute(database());
  return rows[0];
}

const amounts = async ({ bob }: Bought) =>
  (await listMemberships(bob, later(8))).receipts.map(({ amountMinor }) => amountMinor);

afterEach(async () => expect(await listBookProblems()).toEqual([]));

describe('when a portfolio closes', () => {
  test('a member whose payment went back whole before is told of no money', async () => {
    const made = await bought('month', 2000);
    await giveBack(made, 2000);
    await closeAt(made, later(5));
    expect(await lastTold(made)).toEqual({ what: 'ended', minor: null });
  });

  test('a member whose payment went back in part is told of what was left', async () => {
    const made = await bought('month', 2000);
    await giveBack(made, 1500);
    await closeAt(made, later(5));
    expect(await lastTold(made)).toEqual({ what: 'refunded', minor: 500 });
    expect(await amounts(made)).toEqual([-500, -1500, 2000]);
  });
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
