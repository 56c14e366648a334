import { sql } from 'kysely';
import { readOrder, renewMemberships, setPlans, startCheckout, writeProPlans } from '@/lib/memberships/commands';
import { listMemberships } from '@/lib/memberships/queries';
import type { OrderView } from '@/lib/memberships/schema';
import type { PlansInput } from '@/lib/memberships/schema/plans';
import { chooseOutcome } from '@/lib/money/commands';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join } from '../support/members';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number, minutes = 0) => new Date(worldNow.getTime() + days * 86_400_000 + minutes * 60_000);
const monthlyAt = (amountMinor: number): PlansInput['plans'] => [
  { period: 'month', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor }] },
];

type Buyer = Awaited<ReturnType<typeof join>>;

const payAt = (bob: Buyer, made: OrderView, at: Date) =>
  decidedAt(at, async () => {
    await chooseOutcome(pageOf(made), 'success');
    return readOrder(bob, made.reference);
  });

async function toldTo({ accountId }: Buyer) {
  const { rows } = await sql<{ what: string; since: string | null; minor: number | null }>`
    select details ->> 'what' as what, details ->> 'from' as since, coalesce(details ->> 'renewalMinor', details ->> 'toMinor')::int as minor
    from event where account_id = ${accountId} and kind = 'membership' order by id
  `.execute(database());
  return rows;
}

const paidBy = async (bob: Buyer) =>
  (await listMemberships(bob, later(40))).receipts.map(({ amountMinor }) => amountMinor);

/** Orders a month, has its price changed while the order is open, and pays it at the old one. */
async function payAfter(name: string, amountMinor: number) {
  const shop = await decidedAt(worldNow, () =>
    openMonthly({ owner: `seller-${name}`, portfolio: `Shop ${name}` }, 2000, worldNow),
  );
  const bob = await join(`buyer-${name}`, worldNow);
  const made = await decidedAt(worldNow, () => orderMonth(bob, shop.reference, 2000, `key-${name}`));
  const plans = { mainCurrencyId: CurrencyId.GBP, plans: monthlyAt(amountMinor) };
  await decidedAt(later(0, 5), () => setPlans(shop.owner, shop.reference, plans, undefined, later(0, 5)));
  expect(await payAt(bob, made, later(0, 10))).toMatchObject({ status: 'paid', amountMinor: 2000 });
  return bob;
}

test('whoever pays an order after the price was raised is told 30 days ahead, and pays the higher one from then on', async () => {
  const bob = await payAfter('dearer', 3000);
  // The first renewal begins 31 days on.
  expect(await toldTo(bob)).toEqual([
    { what: 'joined', since: null, minor: 3000 },
    { what: 'price', since: later(30, 10).toISOString(), minor: 3000 },
  ]);
  await decidedAt(later(31, 10), () => renewMemberships(later(31, 10)));
  expect(await paidBy(bob)).toEqual([3000, 2000]);
});

test('whoever pays an order after the price was lowered pays the lower one from the next period on', async () => {
  const bob = await payAfter('cheaper', 1500);
  expect(await toldTo(bob)).toEqual([{ what: 'joined', since: null, minor: 1500 }]);
  await decidedAt(later(31, 10), () => renewMemberships(later(31, 10)));
  expect(await paidBy(bob)).toEqual([1500, 2000]);
});

test('the same holds for Pro', async () => {
  await transact(() =>
    writeProPlans([{ period: 'month', onSale: true, prices: monthlyAt(2000)[0]?.prices ?? [] }], worldNow),
  );
  const bob = await join('buyer-of-pro', worldNow);
  const made = await decidedAt(worldNow, () => startCheckout(bob, { period: 'month', amountMinor: 2000 }, 'key-pro'));
  await transact(() =>
    writeProPlans([{ period: 'month', onSale: true, prices: monthlyAt(3000)[0]?.prices ?? [] }], later(0, 5)),
  );
  await payAt(bob, made, later(0, 10));
  expect((await toldTo(bob)).map(({ what }) => what)).toEqual(['joined', 'price']);
});
