import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import {
  cancelOrder,
  createCoupon,
  endCoupon,
  readOrder,
  renewMemberships,
  setPlans,
  startCheckout,
} from '@/lib/memberships/commands';
import type { MembershipNews } from '@/lib/events/schema';
import { exportEarnings, getEarnings, getTerms, listCoupons, listMemberships } from '@/lib/memberships/queries';
import type { CouponInput } from '@/lib/memberships/schema';
import type { PlansInput } from '@/lib/memberships/schema/plans';
import { chooseOutcome } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { membershipWords } from '@/lib/notifications/rules/texts';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { getManagedPortfolio } from '@/lib/portfolios/queries';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);
const sold: PlansInput = {
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

let made = 0;
async function shopWith(...coupons: CouponInput[]) {
  made += 1;
  const shop = await openShop(
    `coupons-${made}`,
    { name: `Coupons ${made}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  await decidedAt(worldNow, () => setPlans(shop.owner, shop.reference, sold, undefined, worldNow));
  for (const coupon of coupons)
    await decidedAt(worldNow, () => createCoupon(shop.owner, shop.reference, coupon, undefined, worldNow));
  return shop;
}

let keys = 0;
const order = (viewer: Viewer, portfolio: string, coupon: string | undefined, amountMinor: number, at = worldNow) =>
  decidedAt(at, () =>
    startCheckout(viewer, { portfolio, period: 'month', amountMinor, coupon }, `coupon-key-${(keys += 1)}`),
  );
async function pay(viewer: Viewer, { reference, payUrl }: { reference: string; payUrl: string | null }, at = worldNow) {
  await decidedAt(at, () => chooseOutcome(payUrl?.split('/').at(-1) ?? '', 'success'));
  return decidedAt(at, () => readOrder(viewer, reference));
}
const buyer = () => join(`coupon-buyer-${(made += 1)}`, worldNow);

const ofSite = (code: string, percent: number) =>
  sql`insert into coupon (portfolio_id, code, percent, periods, created_at) values (null, ${code}, ${percent}, 1, ${worldNow})`.execute(
    database(),
  );

describe('a coupon', () => {
  test('of a portfolio that has ended, expired or is used up hides none of the site with the same code; one that can be used goes first', async () => {
    const shop = await shopWith(
      { code: 'ENDEDWITH', percent: 1 },
      { code: 'OVERWITH', percent: 1, endsAt: later(1).toISOString() },
      { code: 'FULLWITH', percent: 1, mostUses: 1 },
      { code: 'OWNWITH', percent: 1 },
      { code: 'ALONEWITH', percent: 1 },
    );
    const first = await buyer();
    await pay(first, await order(first, shop.reference, 'FULLWITH', 1980));
    for (const code of ['ENDEDWITH', 'OVERWITH', 'FULLWITH', 'OWNWITH']) await ofSite(code, 50);
    for (const code of ['ENDEDWITH', 'ALONEWITH'])
      await decidedAt(later(2), () => endCoupon(shop.owner, shop.reference, code, undefined, later(2)));
    const bob = await buyer();
    const price = async (coupon: string) =>
      (await getTerms(bob, shop.reference, { period: 'month', coupon }, later(2))).amountMinor;
    expect([
      await price('ENDEDWITH'),
      await price('OVERWITH'),
      await price('FULLWITH'),
      await price('OWNWITH'),
    ]).toEqual([1000, 1000, 1000, 1980]);
    await expect(price('ALONEWITH')).rejects.toThrow('This coupon was ended. Join without it.');
    const made = await order(bob, shop.reference, 'ENDEDWITH', 1000, later(2));
    expect(await pay(bob, made, later(2))).toMatchObject({ status: 'paid', amountMinor: 1000 });
  });

  test.each([
    ['a quarter off the first payment', { percent: 25 }, [1500, 2000]],
    ['off every payment', { percent: 25, periods: null }, [1500, 1500]],
    ['of an amount, off two', { amountMinor: 333, periods: 2 }, [1667, 1667]],
    ['that would leave less than 1.00, all of it', { amountMinor: 1950 }, [0, 2000]],
    ['of all of it, and no more', { percent: 100 }, [0, 2000]],
  ])('takes %s', async (_, off, [first = 0, second = 0]) => {
    const shop = await shopWith({ code: 'OFF', ...off });
    const bob = await buyer();
    const terms = await getTerms(bob, shop.reference, { period: 'month', coupon: ' off ' }, worldNow);
    expect(terms).toMatchObject({ fullMinor: 2000, amountMinor: first, renewalMinor: second, coupon: 'OFF' });
    expect(await pay(bob, await order(bob, shop.reference, 'OFF', first))).toMatchObject({
      status: 'paid',
      amountMinor: first,
    });
    await decidedAt(later(31), () => renewMemberships(later(31)));
    const { rows } = await sql<{ minor: number }>`
      select amount_minor as minor from customer_order where account_id = ${bob.accountId} and status = 'paid' order by id
    `.execute(database());
    expect(rows.map(({ minor }) => minor)).toEqual([first, second]);
  });

  test('of the first payments is told with the price behind them: before the button, in the list and by the news', async () => {
    const shop = await shopWith({ code: 'TWICE', percent: 50, periods: 2 }, { code: 'ONCE', percent: 50 });
    const onTrial = { ...sold, trialDays: 7 };
    const bob = await buyer();
    const terms = (coupon: string) => getTerms(bob, shop.reference, { period: 'month', coupon }, worldNow);
    expect(await terms('ONCE')).toMatchObject({ couponPeriods: 1, fullMinor: 2000, renewalMinor: 2000 });
    await pay(bob, await order(bob, shop.reference, 'TWICE', 1000));
    const after = { payments: 2, amountMinor: 2000 };
    expect((await listMemberships(bob, worldNow)).running).toMatchObject([{ renewalMinor: 1000, afterCoupon: after }]);
    await decidedAt(worldNow, () => setPlans(shop.owner, shop.reference, onTrial, undefined, worldNow));
    const carl = await buyer();
    const offered = await getTerms(carl, shop.reference, { period: 'month', coupon: 'ONCE' }, worldNow);
    expect(offered).toMatchObject({ couponPeriods: 1, fullMinor: 2000, amountMinor: 0, renewalMinor: 1000 });
    await pay(carl, await order(carl, shop.reference, 'ONCE', 0));
    const news = await sql<{ details: MembershipNews }>`
      select details from event where account_id in (${bob.accountId}, ${carl.accountId}) and details ->> 'what' = 'joined' order by id
    `.execute(database());
    expect(news.rows.map(({ details }) => membershipWords('Shop', details, 'Europe/London').body)).toEqual([
      expect.stringContaining('After the first 2 payments it renews at £20.00.'),
      expect.stringContaining('After the first payment it renews at £20.00.'),
    ]);
    await decidedAt(later(31), () => renewMemberships(later(31)));
    expect((await listMemberships(bob, later(31))).running).toMatchObject([{ renewalMinor: 2000, afterCoupon: null }]);
  });

  test('stands on the receipt, in the earnings and in their file, and only what was paid is booked', async () => {
    const shop = await shopWith({ code: 'TENTH', percent: 10 });
    const bob = await buyer();
    await pay(bob, await order(bob, shop.reference, 'TENTH', 1800));
    const { receipts } = await listMemberships(bob, worldNow);
    expect(receipts).toMatchObject([{ amountMinor: 1800, coupon: 'TENTH', discountMinor: 200 }]);
    const { months } = await getEarnings(shop.owner, shop.reference, worldNow);
    expect(months).toMatchObject([{ soldMinor: 1800, discountMinor: 200, earnedMinor: 1260 }]);
    const lines: string[] = [];
    for await (const text of await exportEarnings(shop.owner, shop.reference)) lines.push(...text.trim().split('\r\n'));
    expect(lines.filter((line) => line.endsWith(',TENTH,200'))).toHaveLength(1);
    expect(await listBookProblems()).toEqual([]);
  });

  test('of a currency is taken off its prices only; others are for all', async () => {
    const shop = await shopWith({ code: 'FIVER', amountMinor: 500 }, { code: 'HALF', percent: 50 });
    const bob = await buyer();
    const inEuros = (coupon: string) =>
      getTerms(bob, shop.reference, { period: 'month', coupon, currencyId: CurrencyId.EUR }, worldNow);
    await expect(inEuros('FIVER')).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('prices in GBP'),
    });
    expect(await inEuros('HALF')).toMatchObject({ amountMinor: 1250 });
    // The main currency is another one later: the coupon keeps its own.
    await decidedAt(worldNow, () =>
      setPlans(
        shop.owner,
        shop.reference,
        { ...sold, mainCurrencyId: CurrencyId.EUR, plans: sold.plans.slice(0, 1) },
        undefined,
        worldNow,
      ),
    );
    await expect(inEuros('FIVER')).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('that cannot be used says why', async () => {
    const shop = await shopWith(
      { code: 'SOON', percent: 10, endsAt: later(1).toISOString() },
      { code: 'ENDED', percent: 10 },
      { code: 'ONCE', percent: 10, mostUses: 1 },
      { code: 'EACH', percent: 10 },
      { code: 'YEARLY', percent: 10, plans: ['year'] },
    );
    await decidedAt(worldNow, () => endCoupon(shop.owner, shop.reference, 'ENDED', undefined, worldNow));
    const [bob, cat] = [await buyer(), await buyer()];
    await pay(cat, await order(cat, shop.reference, 'ONCE', 1800));
    const other = await shopWith({ code: 'EACH', percent: 10 });
    await pay(bob, await order(bob, other.reference, 'EACH', 1800));
    const why = (coupon: string, at = worldNow) =>
      getTerms(bob, shop.reference, { period: 'month', coupon }, at).then(
        () => null,
        ({ kind, message }: { kind: string; message: string }) => `${kind}: ${message.split(/[.,]/)[0]}`,
      );
    expect({
      none: await why('NONE'),
      ended: await why('ENDED'),
      soon: [await why('SOON'), await why('SOON', later(1))],
      once: await why('ONCE'),
      each: await why('EACH'),
      yearly: await why('YEARLY'),
    }).toEqual({
      none: 'invalid: There is no such coupon here',
      ended: 'invalid: This coupon was ended',
      soon: [null, 'invalid: This coupon has expired'],
      once: 'invalid: This coupon is used up',
      each: null,
      yearly: 'invalid: This coupon is not for this plan',
    });
  });

  test('for once each is used once by a buyer, also when they come back; who waits to pay has not used it up', async () => {
    const shop = await shopWith({ code: 'MINE', percent: 10, mostUses: 1 });
    const [bob, cat] = [await buyer(), await buyer()];
    const first = await order(bob, shop.reference, 'MINE', 1800);
    expect((await order(bob, shop.reference, 'MINE', 1800)).reference).toBe(first.reference);
    expect(await getTerms(bob, shop.reference, { period: 'month', coupon: 'MINE' }, worldNow)).toMatchObject({
      amountMinor: 1800,
    });
    await expect(order(cat, shop.reference, 'MINE', 1800)).rejects.toMatchObject({ kind: 'invalid' });
    // Given up, its use is free for others.
    await decidedAt(worldNow, () => cancelOrder(bob, first.reference));
    await pay(cat, await order(cat, shop.reference, 'MINE', 1800));
    await sql`update membership set ended_at = ${worldNow}, next_at = null, ends_at = starts_at where account_id = ${cat.accountId}`.execute(
      database(),
    );
    await expect(order(cat, shop.reference, 'MINE', 1800)).rejects.toMatchObject({
      message: expect.stringContaining('used this coupon before'),
    });
  });

  test('is never given once more than its uses, however many ask at once', async () => {
    const shop = await shopWith({ code: 'RUSH', percent: 50, mostUses: 3 });
    const crowd = await Promise.all(Array.from({ length: 12 }, buyer));
    const asked = await Promise.allSettled(crowd.map((each) => order(each, shop.reference, 'RUSH', 1000)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(asked.filter((each) => each.status === 'rejected').map((each) => (each.reason as Error).message)).toEqual(
      Array.from({ length: 9 }, () => 'This coupon is used up. Join without it.'),
    );
    expect(await listCoupons(shop.owner, shop.reference)).toMatchObject([{ code: 'RUSH', uses: 3, mostUses: 3 }]);
  });

  test('of the site is for every portfolio, and its last use is given once over all of them', async () => {
    const shops = [await shopWith(), await shopWith(), await shopWith({ code: 'SITE', percent: 20 })];
    // The site's own coupons are made by staff.
    await sql`insert into coupon (portfolio_id, code, percent, most_uses, once_each, created_at) values (null, 'SITE', 10, 1, false, ${worldNow})`.execute(
      database(),
    );
    const bob = await buyer();
    expect(await getTerms(bob, shops[2]?.reference ?? '', { period: 'month', coupon: 'SITE' }, worldNow)).toMatchObject(
      { amountMinor: 1600 },
    );
    const crowd = await Promise.all(Array.from({ length: 6 }, buyer));
    const asked = await Promise.allSettled(
      crowd.map((each, place) => order(each, shops[place % 2]?.reference ?? '', 'SITE', 1800)),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the coupons of a portfolio', () => {
  const coupon: CouponInput = { code: 'spring', percent: 10 };

  test('are made once, kept when they have ended, and named by the portfolio while one can be used', async () => {
    const shop = await shopWith();
    const make = (key: string, input: CouponInput = coupon) =>
      decidedAt(worldNow, () => createCoupon(shop.owner, shop.reference, input, key, worldNow));
    const managed = async () => (await getManagedPortfolio(shop.owner, shop.reference, worldNow)).couponId;
    expect(await managed()).toBeNull();
    const [first] = await make('one');
    expect(await make('one')).toMatchObject([{ id: first?.id, code: 'SPRING', uses: 0, endedAt: null }]);
    expect(await managed()).toBe(first?.id);
    await expect(make('two')).rejects.toMatchObject({ kind: 'conflict', fields: { code: 'was used before' } });
    for (const key of ['end', 'end again'])
      expect(
        await decidedAt(worldNow, () => endCoupon(shop.owner, shop.reference, 'SPRING', key, worldNow)),
      ).toMatchObject([{ endedAt: worldNow.toISOString() }]);
    expect(await managed()).toBeNull();
    await expect(make('three')).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('are nobody else’s to make, see or end', async () => {
    const [shop, other] = [await shopWith(coupon), await shopWith()];
    await expect(listCoupons(other.owner, shop.reference)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(
      createCoupon(other.owner, shop.reference, { code: 'MORE', percent: 1 }, undefined, worldNow),
    ).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(endCoupon(other.owner, shop.reference, 'SPRING', undefined, worldNow)).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await expect(endCoupon(shop.owner, shop.reference, 'NONE', undefined, worldNow)).rejects.toMatchObject({
      kind: 'missing',
    });
  });
});
