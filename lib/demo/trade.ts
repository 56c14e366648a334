import { sql } from 'kysely';
import { createAccount, referAccount } from '@/lib/accounts/commands';
import { becomeAffiliate, countVisit, payOutAffiliate, setFees } from '@/lib/affiliates/commands';
import { randomFrom } from '@/lib/feeds/demo/random';
import { daysAfter } from '@/lib/fixtures/rules';
import { member } from '@/lib/http/viewer';
import {
  cancelMembership,
  confirmTeam,
  createCoupon,
  insertCoupon,
  judgeGuarantees,
  payOut,
  readOrder,
  refundMembership,
  releaseEarnings,
  renewMemberships,
  setProPart,
  shareProEarnings,
  startCheckout,
  watchDisputes,
  writeProPlans,
} from '@/lib/memberships/commands';
import { getProSale, getSale, listMemberships } from '@/lib/memberships/queries';
import { discounted } from '@/lib/memberships/rules';
import { couponInputSchema, type CouponInput } from '@/lib/memberships/schema';
import { chooseOutcome, providerNamed, releaseFees, sendPayouts } from '@/lib/money/commands';
import type { SandboxOutcome } from '@/lib/money/schema';
import { afterCommit, database, transact } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';

type Buyer = {
  username: string;
  joinsAt: Date;
  portfolio: string | null;
  outcome: SandboxOutcome;
  leaves: 'keeps' | 'cancels' | 'takes back';
  referred: boolean;
  hasCode: boolean;
};

// The site's own is for every portfolio and for Pro; the others are of one portfolio in three.
const siteCoupon = { code: 'DEMO10', percent: 10, periods: 1 } as const satisfies CouponInput;
const shopCoupons = [
  { code: 'QUARTER', percent: 25, periods: 3 },
  { code: 'TWOOFF', amountMinor: 200, periods: null },
] as const satisfies CouponInput[];

const buyerCount = 40;
const stepDays = 7;
const mostDays = 365;
const seller = (accountId: number, owns: readonly number[] = []) =>
  member({ accountId, role: Role.user, pro: false, owns, subscribes: [] });
const house = () => member({ accountId: 0, role: Role.admin, pro: false, owns: [], subscribes: [] });

/**
 * Product §4: a year of trade in the demo world, through the commands that members, tipsters, affiliates and the clock use: joining, renewals,
 * refunds, a chargeback, coupons, Pro with its teams, commissions, payouts. Gives its weeks, to be played one after the other.
 */
export async function planTrade(seed: string, pastDays: number, now: Date): Promise<(() => Promise<void>)[]> {
  const from = daysAfter(now, -Math.min(mostDays, pastDays));
  const shops = await listShops();
  if (shops.length === 0) return [];
  const buyers = buyersOf(
    seed,
    shops.map(({ reference }) => reference),
    from,
    now,
  );
  const weeks: Date[] = [];
  for (let at = from; at <= now; at = daysAfter(at, stepDays)) weeks.push(at);
  let hasCoupons = false;
  return weeks.map((at) => async () => {
    if (at === from) await decidedAt(from, () => openTrade(shops, from));
    // A year that a release without coupons began goes on with them.
    if (!hasCoupons) await decidedAt(at, () => openCoupons(shops, at, daysAfter(now, 1)));
    afterCommit(() => (hasCoupons = true));
    const affiliate = seller(await accountOf('demo-affiliate', from));
    const { code } = await decidedAt(from, () => becomeAffiliate(affiliate));
    const until = daysAfter(at, stepDays);
    for (const buyer of buyers.filter(({ joinsAt }) => joinsAt >= at && joinsAt < until && joinsAt <= now))
      await decidedAt(buyer.joinsAt, () => joinAs(buyer, code ?? '', shops));
    if (code) await countVisit(code, at);
    const end = until < now ? until : now;
    await decidedAt(end, () => runClock(shops, affiliate, end));
  });
}

type Shop = { id: number; reference: string; owner: number; coupon: CouponInput };

async function listShops(): Promise<Shop[]> {
  const { rows } = await sql<Omit<Shop, 'coupon'>>`
    select id, reference, owner_id as owner from portfolio where demo and visibility = ${PortfolioVisibility.premium} and abandoned_at is null order by id
  `.execute(database());
  return rows.map((shop, index) => ({
    ...shop,
    coupon: (index % 3 === 0 && shopCoupons[(index / 3) % shopCoupons.length]) || siteCoupon,
  }));
}

async function openTrade(shops: readonly Shop[], at: Date): Promise<void> {
  const price = (amountMinor: number) => [{ currencyId: CurrencyId.GBP, amountMinor }];
  await transact(() =>
    writeProPlans(
      [
        { period: 'month', onSale: true, prices: price(4900) },
        { period: 'year', onSale: true, prices: price(49_000) },
      ],
      at,
    ),
  );
  await setFees(house(), [{ currencyId: CurrencyId.GBP, amountMinor: 300 }]);
  for (const { id, reference, owner } of shops.slice(0, 8))
    await setProPart(seller(owner, [id]), reference, true, `demo-pro-${reference}`, at);
}

/** Makes the coupons that are not there yet; that of the site, which is good for every portfolio, ends a day after the year that is made. */
async function openCoupons(shops: readonly Shop[], at: Date, endsAt: Date): Promise<void> {
  const ofSite = { ...couponInputSchema.parse(siteCoupon), currencyId: CurrencyId.GBP, endsAt } as const;
  await unlessRefused(() => transact(() => insertCoupon(null, ofSite, at)));
  for (const { id, reference, owner, coupon } of shops)
    if (coupon !== siteCoupon)
      await unlessRefused(() => createCoupon(seller(owner, [id]), reference, coupon, `demo-coupon-${reference}`, at));
}

async function accountOf(username: string, at: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from account where username = ${username}`.execute(database());
  return rows[0]?.id ?? createAccount({ username, demo: true }, at);
}

function buyersOf(seed: string, shops: readonly string[], from: Date, now: Date): Buyer[] {
  return Array.from({ length: buyerCount }, (_, index) => {
    const random = randomFrom(seed, 'buyer', String(index));
    const span = now.getTime() - from.getTime();
    return {
      username: `demo-member-${index + 1}`,
      joinsAt: new Date(from.getTime() + Math.floor(span * random.next())),
      portfolio: index % 6 === 0 ? null : random.pick(shops),
      outcome: index === 7 ? 'chargeback-later' : random.chance(0.15) ? 'declined-later' : 'success',
      leaves: random.chance(0.12) ? 'takes back' : random.chance(0.5) ? 'cancels' : 'keeps',
      referred: index % 4 === 1,
      hasCode: index % 4 === 2,
    };
  });
}

async function joinAs(buyer: Buyer, code: string, shops: readonly Shop[]): Promise<void> {
  const { joinsAt: at, portfolio } = buyer;
  const accountId = await accountOf(buyer.username, at);
  const viewer = seller(accountId);
  if (buyer.referred) await referAccount(accountId, { affiliate: code, email: null }, at);
  const sale = portfolio === null ? await getProSale() : await getSale(viewer, portfolio);
  const price = sale.plans
    .find(({ period }) => period === 'month')
    ?.prices.find(({ currencyId }) => currencyId === CurrencyId.GBP);
  if (!price) return;
  const shop = shops.find(({ reference }) => reference === portfolio);
  const coupon = buyer.hasCode ? couponInputSchema.parse(shop?.coupon ?? siteCoupon) : null;
  const amountMinor =
    sale.trialDays > 0 ? 0 : discounted(price.amountMinor, coupon, { payment: 1, isCouponCurrency: true });
  const order = await startCheckout(
    viewer,
    {
      ...(portfolio === null ? {} : { portfolio }),
      ...(coupon && { coupon: coupon.code }),
      period: 'month',
      currencyId: CurrencyId.GBP,
      amountMinor,
    },
    `demo-order-${buyer.username}`,
  );
  if (!order.payUrl) return;
  await chooseOutcome(order.payUrl.split('/').at(-1) ?? '', buyer.outcome);
  const { membership } = await readOrder(viewer, order.reference);
  if (portfolio === null) {
    const pro = member({ accountId, role: Role.user, pro: true, owns: [], subscribes: [] });
    await confirmTeam(
      pro,
      shops.slice(0, 4).map(({ reference }) => reference),
      `demo-team-${buyer.username}`,
      at,
    );
  }
  if (membership === null || buyer.leaves === 'keeps' || amountMinor === 0) return;
  if (buyer.leaves === 'cancels') await cancelMembership(viewer, membership);
  else if ((await listMemberships(viewer, at)).running.some(({ refundMinor }) => refundMinor !== null))
    await decidedAt(daysAfter(at, 3), () => refundMembership(viewer, membership));
}

async function runClock(shops: readonly Shop[], affiliate: ReturnType<typeof seller>, at: Date): Promise<void> {
  await renewMemberships(at);
  await watchDisputes(at, [providerNamed('sandbox')]);
  await releaseEarnings(at);
  await releaseFees(at);
  await shareProEarnings(at);
  await judgeGuarantees(at);
  if (at.getUTCDate() > stepDays) return;
  const name = at.toISOString().slice(0, 7);
  for (const { id, reference, owner } of shops)
    await unlessRefused(() =>
      payOut(seller(owner, [id]), reference, CurrencyId.GBP, `demo-payout-${reference}-${name}`, at),
    );
  await unlessRefused(() => payOutAffiliate(affiliate, CurrencyId.GBP, `demo-payout-${name}`, at));
  await sendPayouts();
}

async function unlessRefused(pay: () => Promise<unknown>): Promise<void> {
  await pay().catch((error: unknown) => {
    if (!isFailure(error, 'conflict')) throw error;
  });
}
