import { sql } from 'kysely';
import {
  cancelMembership,
  createCoupon,
  keepMembership,
  readOrder,
  renewMemberships,
  setPlans,
  startCheckout,
  writeProPlans,
} from '@/lib/memberships/commands';
import { getTerms, listMemberships } from '@/lib/memberships/queries';
import { markOfTerms } from '@/lib/memberships/rules';
import type { CouponInput, OrderView } from '@/lib/memberships/schema';
import type { MembershipNews } from '@/lib/events/schema';
import type { PlansInput } from '@/lib/memberships/schema/plans';
import { chooseOutcome } from '@/lib/money/commands';
import { database, transact } from '@/lib/platform/database';
import { membershipWords } from '@/lib/notifications/rules/texts';
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

test('two higher prices that are set at one moment are told both', async () => {
  const names = { owner: 'seller-twice', portfolio: 'Shop twice' };
  const shop = await decidedAt(worldNow, () => openMonthly(names, 2000, worldNow));
  const bob = await join('buyer-twice', worldNow);
  await payAt(bob, await decidedAt(worldNow, () => orderMonth(bob, shop.reference, 2000, 'key-twice')), worldNow);
  for (const amountMinor of [2500, 3000]) {
    const plans = { mainCurrencyId: CurrencyId.GBP, plans: monthlyAt(amountMinor) };
    await decidedAt(later(1), () => setPlans(shop.owner, shop.reference, plans, undefined, later(1)));
  }
  expect((await toldTo(bob)).slice(1)).toMatchObject([
    { what: 'price', minor: 2500 },
    { what: 'price', minor: 3000 },
  ]);
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

describe('whoever has a coupon', () => {
  type Off = Pick<CouponInput, 'percent' | 'amountMinor' | 'periods'>;

  /** Joins at 10.00 a month with a coupon, has the price changed some days after, and gives what is told of it. */
  async function toldOfPrice(
    name: string,
    off: Partial<Off>,
    { first, to, days = 1 }: { first: number; to: number; days?: number },
  ) {
    const shop = await decidedAt(worldNow, () =>
      openMonthly({ owner: `seller-${name}`, portfolio: `Shop ${name}` }, 1000, worldNow),
    );
    const coupon = { code: 'OFF', onceEach: false, percent: null, amountMinor: null, periods: 1, ...off };
    await decidedAt(worldNow, () => createCoupon(shop.owner, shop.reference, coupon, undefined, worldNow));
    const bob = await join(`buyer-${name}`, worldNow);
    const asked = { portfolio: shop.reference, period: 'month', amountMinor: first, coupon: 'OFF' } as const;
    await payAt(bob, await decidedAt(worldNow, () => startCheckout(bob, asked, `key-${name}`)), worldNow);
    const plans = { mainCurrencyId: CurrencyId.GBP, plans: monthlyAt(to) };
    await decidedAt(later(days), () => setPlans(shop.owner, shop.reference, plans, undefined, later(days)));
    const { rows } = await sql<{ details: MembershipNews }>`
      select details from event where account_id = ${bob.accountId} and details ->> 'what' = 'price' order by id
    `.execute(database());
    const told = rows.map(({ details }) => membershipWords('Shop', details, 'Europe/London').body.split('\n')[0]);
    const pays = async (days: number) => {
      await decidedAt(later(days), () => renewMemberships(later(days)));
      return (await listMemberships(bob, later(days))).receipts[0]?.amountMinor;
    };
    return { told, pays };
  }

  const since = 'Periods that begin on Fri 10 Apr 2026 or later cost';
  const paid = 'The period that you have already paid for does not change.';

  test.each([
    ['off every payment', { percent: 50, periods: null }, 500, 1500, `${since} £7.50 instead of £5.00. ${paid}`],
    [
      'that ends later',
      { amountMinor: 333, periods: 2 },
      667,
      1500,
      `${since} £11.67 instead of £6.67 with your coupon, and £15.00 after the first 2 payments. ${paid}`,
    ],
    [
      'of all until it ends',
      { percent: 100, periods: 2 },
      0,
      1500,
      `${since} £15.00 instead of £10.00 once your coupon no longer applies, after the first 2 payments. Until then you pay the same as before.`,
    ],
  ])('%s is told what they pay themselves', async (name, off, first, to, said) => {
    const { told } = await toldOfPrice(name.replaceAll(' ', '-'), off, { first, to });
    expect(told).toEqual([said]);
  });

  test.each([
    ['of all of it, always', { percent: 100, periods: null }, 0, 1500],
    ['that leaves less than is charged', { amountMinor: 950, periods: null }, 0, 1040],
  ])('%s is told nothing, as nothing is charged', async (name, off, first, to) => {
    const { told } = await toldOfPrice(name.replaceAll(/[^a-z]+/g, '-'), off, { first, to });
    expect(told).toEqual([]);
  });

  test('that is used up by the day of the higher price is told both without it', async () => {
    const { told } = await toldOfPrice('used-up', { percent: 50, periods: 2 }, { first: 500, to: 1500, days: 5 });
    expect(told).toEqual([`Periods that begin on Tue 14 Apr 2026 or later cost £15.00 instead of £10.00. ${paid}`]);
  });

  test('pays what was told', async () => {
    const { told, pays } = await toldOfPrice('pays', { percent: 50, periods: 2 }, { first: 500, to: 1500 });
    expect(told).toEqual([
      `${since} £7.50 instead of £5.00 with your coupon, and £15.00 after the first 2 payments. ${paid}`,
    ]);
    expect([await pays(31), await pays(61)]).toEqual([750, 1500]);
  });
});

describe('whoever has cancelled', () => {
  const member = async (name: string) => {
    const shop = await decidedAt(worldNow, () =>
      openMonthly({ owner: `seller-${name}`, portfolio: `Shop ${name}` }, 2000, worldNow),
    );
    const bob = await join(`buyer-${name}`, worldNow);
    const made = await decidedAt(worldNow, () => orderMonth(bob, shop.reference, 2000, `key-${name}`));
    const { membership } = await payAt(bob, made, worldNow);
    const prices = (amountMinor: number, at: Date) =>
      decidedAt(at, () =>
        setPlans(
          shop.owner,
          shop.reference,
          { mainCurrencyId: CurrencyId.GBP, plans: monthlyAt(amountMinor) },
          undefined,
          at,
        ),
      );
    const change = (what: typeof cancelMembership, at: Date) => decidedAt(at, () => what(bob, membership ?? ''));
    return { bob, prices, change };
  };

  test('is told no higher price, which charges them nothing; who keeps the membership is told then, 30 days ahead', async () => {
    const { bob, prices, change } = await member('leaving');
    await change(cancelMembership, later(1));
    await prices(3000, later(2));
    expect((await toldTo(bob)).map(({ what }) => what)).toEqual(['joined', 'cancelled']);
    const kept = await change(keepMembership, later(20));
    expect(kept).toMatchObject({ state: 'active', renewalMinor: 2000 });
    await change(keepMembership, later(21));
    expect((await toldTo(bob)).slice(2)).toEqual([{ what: 'price', since: later(50).toISOString(), minor: 3000 }]);
    for (const days of [31, 61]) await decidedAt(later(days), () => renewMemberships(later(days)));
    expect((await listMemberships(bob, later(62))).receipts.map(({ amountMinor }) => amountMinor)).toEqual([
      3000, 2000, 2000,
    ]);
  });

  test('and was told before keeps the day that was told; a lower price is theirs, should they stay', async () => {
    const [told, cheaper] = [await member('told'), await member('lower')];
    await told.prices(3000, later(1));
    await told.change(cancelMembership, later(2));
    await told.change(keepMembership, later(20));
    expect((await toldTo(told.bob)).filter(({ what }) => what === 'price')).toMatchObject([
      { since: later(31).toISOString() },
    ]);
    await cheaper.change(cancelMembership, later(2));
    await cheaper.prices(1500, later(3));
    expect(await cheaper.change(keepMembership, later(20))).toMatchObject({ renewalMinor: 1500 });
  });

  test('of Pro is told a higher price as they keep it', async () => {
    const set = (amountMinor: number, at: Date) =>
      transact(() =>
        writeProPlans([{ period: 'month', onSale: true, prices: monthlyAt(amountMinor)[0]?.prices ?? [] }], at),
      );
    await set(2000, worldNow);
    const bob = await join('buyer-leaving-pro', worldNow);
    const made = await decidedAt(worldNow, () =>
      startCheckout(bob, { period: 'month', amountMinor: 2000 }, 'key-leave'),
    );
    const { membership } = await payAt(bob, made, worldNow);
    await decidedAt(later(1), () => cancelMembership(bob, membership ?? ''));
    await set(3000, later(2));
    await decidedAt(later(3), () => keepMembership(bob, membership ?? ''));
    expect((await toldTo(bob)).slice(1)).toMatchObject([
      { what: 'cancelled' },
      { what: 'price', since: later(33).toISOString(), minor: 3000 },
    ]);
  });
});

describe('an order', () => {
  const shopOf = (name: string, more: Partial<PlansInput>) =>
    decidedAt(worldNow, () =>
      openMonthly({ owner: `seller-${name}`, portfolio: `Shop ${name}` }, 1000, worldNow, more),
    );
  const saves = ({ owner, reference }: Awaited<ReturnType<typeof shopOf>>, more: Partial<PlansInput>) =>
    decidedAt(worldNow, () =>
      setPlans(
        owner,
        reference,
        { mainCurrencyId: CurrencyId.GBP, plans: monthlyAt(1000), ...more },
        undefined,
        worldNow,
      ),
    );
  const sees = async (bob: Buyer, portfolio: string) => {
    const terms = await getTerms(bob, portfolio, { period: 'month' }, worldNow);
    const { currencyId, amountMinor } = terms;
    const seen = markOfTerms(terms);
    let turn = 0;
    return (more: { seen?: string } = { seen }) =>
      decidedAt(worldNow, () =>
        startCheckout(
          bob,
          { portfolio, period: 'month', currencyId, amountMinor, ...more },
          `key-${bob.accountId}-${seen}-${(turn += 1)}`,
        ),
      );
  };
  const promised = (tipsPromised: number | null) => monthlyAt(1000).map((plan) => ({ ...plan, tipsPromised }));
  const inEuros = [{ currencyId: CurrencyId.EUR, amountMinor: 1000 } as const];

  test.each([
    ['a trial', { trialDays: 14 }, { trialDays: 1, plans: monthlyAt(9000) }],
    ['the days of a trial alone', { trialDays: 14 }, { trialDays: 1 }],
    ['a promise', { plans: promised(20) }, { plans: promised(null) }],
  ])('is not made on other terms than those that were shown: %s', async (name, before, after) => {
    const shop = await shopOf(name.replaceAll(' ', '-'), before);
    const bob = await join(`buyer-${name.replaceAll(' ', '-')}`, worldNow);
    const press = await sees(bob, shop.reference);
    await saves(shop, after);
    await expect(press()).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('terms') });
    const again = await sees(bob, shop.reference);
    expect(await again()).toMatchObject({ status: 'open' });
  });

  test('is not made in another currency than the one that was shown, though the number is the same', async () => {
    const [pounds] = monthlyAt(1000);
    if (!pounds) throw new Error('Nothing is sold.');
    const both = [{ ...pounds, prices: [...pounds.prices, ...inEuros] }];
    const shop = await shopOf('currency', { plans: both });
    const bob = await join('buyer-currency', worldNow);
    await sql`update account set buy_currency_id = ${CurrencyId.EUR} where id = ${bob.accountId}`.execute(database());
    const press = await sees(bob, shop.reference);
    await saves(shop, {});
    await expect(press({})).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('that waits is given again on the same terms, and gives way to one on others at the same price', async () => {
    const shop = await shopOf('waiting', { trialDays: 14 });
    const bob = await join('buyer-waiting', worldNow);
    const press = await sees(bob, shop.reference);
    const first = await press();
    expect((await press()).reference).toBe(first.reference);
    await saves(shop, { trialDays: 3 });
    const second = await (await sees(bob, shop.reference))();
    expect(second.terms.trialDays).toBe(3);
    expect(await decidedAt(worldNow, () => readOrder(bob, first.reference))).toMatchObject({ status: 'cancelled' });
  });
});
