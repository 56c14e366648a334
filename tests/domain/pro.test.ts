import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { canReadPremium } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { findMemberById, getUser } from '@/lib/accounts/queries';
import { member } from '@/lib/http/viewer';
import {
  cancelMembership,
  confirmTeam,
  readOrder,
  refundOrder,
  refundMembership,
  renewMemberships,
  setProPart,
  shareProEarnings,
  startCheckout,
  switchTeam,
  watchDisputes,
  writeProPlans,
} from '@/lib/memberships/commands';
import { getEarnings, getProStanding, listMemberships, listProPortfolios } from '@/lib/memberships/queries';
import { chooseOutcome } from '@/lib/money/commands';
import { listBookProblems, staffOrders } from '@/lib/money/queries';
import { listBalances } from '@/lib/money/queries/books';
import type { SandboxOutcome } from '@/lib/money/schema';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { changePortfolio, changePortfolioByStaff } from '@/lib/portfolios/commands';
import { getManagedPortfolio } from '@/lib/portfolios/queries';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { buyAlike } from '../support/bought-alike';
import { asOwner, onOwnConnection, onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { untilWaiting } from '../support/waiting';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number, minutes = 0) => new Date(worldNow.getTime() + days * 86_400_000 + minutes * 60_000);

let turn = 0;
const key = () => `key-${(turn += 1)}`;

async function setPrice(amountMinor = 3000): Promise<void> {
  const prices = [{ currencyId: CurrencyId.GBP, amountMinor }];
  await transact(() => writeProPlans([{ period: 'month', onSale: true, prices }], worldNow));
}

async function partner() {
  turn += 1;
  const shop = await openShop(
    `tipster-${turn}`,
    { name: `Partner ${turn}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  await decidedAt(worldNow, () => setProPart(shop.owner, shop.reference, true, key(), worldNow));
  return shop;
}

/** A member as the door sees them at a moment. */
async function seen({ accountId }: { accountId: number }, at: Date): Promise<Viewer> {
  const known = await findMemberById(accountId, at);
  if (!known) throw new Error('The member is gone.');
  const { countryId, ...rest } = known;
  return member(rest, countryId);
}

async function joinPro(outcome: SandboxOutcome = 'success', at = worldNow) {
  const bob = await join(`bob-${(turn += 1)}`, worldNow);
  const order = await decidedAt(at, () => startCheckout(bob, { period: 'month', amountMinor: 3000 }, key()));
  await decidedAt(at, () => chooseOutcome(order.payUrl?.split('/').at(-1) ?? '', outcome));
  return { bob, order: await decidedAt(at, () => readOrder(bob, order.reference)) };
}

const confirm = async (who: { accountId: number }, references: string[], at = worldNow, name = key()) =>
  decidedAt(at, async () => confirmTeam(await seen(who, at), references, name, at));
const change = async (who: { accountId: number }, out: string, into: string, at = worldNow, name = key()) =>
  decidedAt(at, async () => switchTeam(await seen(who, at), { out, in: into }, name, at));
const reads = async (who: { accountId: number }, id: number, at: Date) => canReadPremium(await seen(who, at), { id });
const balanceOf = async (kind: string, owner: Viewer | null = null) =>
  (await listBalances()).find(
    (each) => each.kind === kind && each.owner === (owner?.kind === 'member' ? owner.accountId : null),
  )?.balance ?? 0;
const share = (at: Date) => decidedAt(at, () => shareProEarnings(at));

afterEach(async () => expect(await listBookProblems()).toEqual([]));

test('Pro is bought through the same checkout, opens the team that was chosen and nothing else, and says so', async () => {
  await setPrice();
  const [ann, eve] = [await partner(), await partner()];
  expect((await listProPortfolios()).map(({ reference }) => reference)).toEqual(
    expect.arrayContaining([ann.reference, eve.reference]),
  );
  expect((await getManagedPortfolio(ann.owner, ann.reference, worldNow)).tipledgerPro).toBe(true);
  const { bob, order } = await joinPro();
  expect(order).toMatchObject({ status: 'paid', portfolioReference: null, portfolioName: 'Tipledger Pro' });
  expect((await getUser(await seen(bob, worldNow), worldNow)).user).toMatchObject({
    hasProMembership: true,
    hasActiveSubscription: false,
  });
  expect([await reads(bob, ann.id, worldNow), await reads(bob, eve.id, worldNow)]).toEqual([false, false]);
  const standing = await confirm(bob, [ann.reference], worldNow, 'once');
  expect(standing).toMatchObject({ running: true, places: 5, switchFrom: null, team: [{ reference: ann.reference }] });
  expect(await confirm(bob, [ann.reference], worldNow, 'once')).toMatchObject({ team: [{ reference: ann.reference }] });
  expect([await reads(bob, ann.id, worldNow), await reads(bob, eve.id, worldNow)]).toEqual([true, false]);
  expect((await listMemberships(bob, worldNow)).running).toMatchObject([
    { name: 'Tipledger Pro', portfolioReference: null, state: 'active', renewalMinor: 3000 },
  ]);
  expect(await balanceOf('pro')).toBe(2100);
});

test('a team has five places, is changed once a week, and only among those who take part', async () => {
  await setPrice();
  const shops = [];
  for (let made = 0; made < 7; made += 1) shops.push(await partner());
  const [first, second, third, fourth, fifth, sixth, seventh] = shops.map(({ reference }) => reference);
  if (!first || !second || !third || !fourth || !fifth || !sixth || !seventh) throw new Error('Seven were opened.');
  const { bob } = await joinPro();
  await expect(confirm(bob, ['nobody-at-all'])).rejects.toMatchObject({ kind: 'invalid' });
  await confirm(bob, [first, second, third]);
  await expect(confirm(bob, [fourth, fifth, sixth])).rejects.toMatchObject({ kind: 'conflict' });
  await confirm(bob, [fourth, fifth]);
  await expect(confirm(bob, [sixth])).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('full'),
  });
  await expect(change(bob, sixth, seventh)).rejects.toMatchObject({ kind: 'missing' });
  const changed = await change(bob, first, sixth, later(1), 'swap');
  expect(changed.team.map(({ reference }) => reference)).toEqual([second, third, fourth, fifth, sixth]);
  expect(changed.switchFrom).toBe(later(8).toISOString());
  expect((await change(bob, first, sixth, later(2), 'swap')).switchFrom).toBe(later(8).toISOString());
  await expect(change(bob, second, seventh, later(7))).rejects.toMatchObject({ kind: 'conflict' });
  await change(bob, second, seventh, later(8));
  const left = shops[2];
  if (!left) throw new Error('The third was opened.');
  await decidedAt(later(9), () => setProPart(left.owner, left.reference, false, key(), later(9)));
  expect(await reads(bob, left.id, later(9))).toBe(false);
  expect((await getProStanding(await seen(bob, later(9)), later(9))).team).toHaveLength(4);
});

test('without Pro there is no team, and a portfolio that sells nothing takes no part', async () => {
  const ann = await partner();
  const cat = await join(`cat-${(turn += 1)}`, worldNow);
  await expect(confirm(cat, [ann.reference])).rejects.toMatchObject({ kind: 'forbidden' });
  await sql`update plan set on_sale = false where portfolio_id = ${ann.id}`.execute(database());
  await expect(
    decidedAt(worldNow, () => setProPart(ann.owner, ann.reference, true, key(), worldNow)),
  ).rejects.toMatchObject({ kind: 'invalid' });
  expect((await getProStanding(cat, worldNow)).candidates).not.toContainEqual(
    expect.objectContaining({ reference: ann.reference }),
  );
});

test('70 % is shared among the team by days, each time once, and what nobody earned is left with the site', async () => {
  await setPrice();
  const [ann, eve] = [await partner(), await partner()];
  const { bob } = await joinPro();
  await confirm(bob, [ann.reference]);
  await change(bob, ann.reference, eve.reference, later(10));
  await share(later(13));
  expect([await balanceOf('payable', ann.owner), await balanceOf('payable', eve.owner)]).toEqual([0, 0]);
  const end = later(31);
  await cancelAll(bob);
  for (const at of [later(20), end, later(40)]) await share(at);
  const [own, other] = [await balanceOf('payable', ann.owner), await balanceOf('payable', eve.owner)];
  expect(own + other).toBe(2100);
  expect(own).toBeGreaterThan(650);
  expect(own).toBeLessThan(720);
  const alone = await joinPro();
  await cancelAll(alone.bob);
  const before = await balanceOf('platform');
  await share(end);
  expect((await balanceOf('platform')) - before).toBe(2100);
  expect(await balanceOf('pro')).toBe(0);
  expect((await sql`select from earning_due where kind = 'pro'`.execute(database())).rows).toEqual([]);
});

test('a refund within cooling-off ends Pro and leaves the team what its days were worth; a chargeback takes back what was shared', async () => {
  await setPrice();
  const ann = await partner();
  const { bob } = await joinPro();
  await confirm(bob, [ann.reference]);
  const [running] = (await listMemberships(bob, later(3))).running;
  await decidedAt(later(3), () => refundMembership(bob, running?.reference ?? ''));
  expect(await reads(bob, ann.id, later(3))).toBe(false);
  await share(later(3));
  const earned = await balanceOf('payable', ann.owner);
  expect(earned).toBeGreaterThan(0);
  expect(earned).toBeLessThan(300);
  expect(await balanceOf('pro')).toBe(0);
  const carl = await joinPro('chargeback-later');
  await confirm(carl.bob, [ann.reference]);
  await sql`update sandbox_payment set disputed_at = ${later(45)} where disputed_at is not null`.execute(database());
  await share(later(35));
  expect(await balanceOf('payable', ann.owner)).toBeGreaterThan(earned + 1900);
  await decidedAt(later(46), () => watchDisputes(later(46)));
  expect([await balanceOf('payable', ann.owner), await balanceOf('pro')]).toEqual([earned, 0]);
  expect(await reads(carl.bob, ann.id, later(46))).toBe(false);
});

test('staff give back an order of Pro in parts: what was shared already is taken back in proportion, and the books agree', async () => {
  await setPrice();
  const [ann, eve] = [await partner(), await partner()];
  const { bob, order } = await joinPro();
  await confirm(bob, [ann.reference, eve.reference]);
  await share(later(33));
  const earned = async () => [await balanceOf('payable', ann.owner), await balanceOf('payable', eve.owner)];
  expect(await earned()).toEqual([1050, 1050]);
  const staff = await openAdmin();
  const refund = (amountMinor: number | null) =>
    decidedAt(later(34), () =>
      refundOrder({
        staff,
        reference: order.reference,
        amountMinor,
        ends: false,
        reason: 'Complained.',
        preview: false,
      }),
    );
  await refund(1001);
  const [first = 0, second = 0] = await earned();
  expect(first + second).toBe(2100 - 701);
  expect(Math.abs(first - second)).toBeLessThanOrEqual(1);
  const booked = (kind: string, minor: number) => ({
    ...{ at: expect.any(String), kind, order: order.reference },
    lines: expect.arrayContaining([{ account: 'payable', currencyId: CurrencyId.GBP, amountMinor: minor }]),
  });
  for (const [{ owner, reference }, minor] of [[ann, first] as const, [eve, second] as const])
    expect((await getEarnings(owner, reference, later(34))).shares).toEqual([
      {
        ...{ month: '2026-04', currencyId: CurrencyId.GBP, earnedMinor: minor },
        postings: [booked('share-back', minor - 1050), booked('share', 1050)],
        morePostings: 0,
      },
    ]);
  await refund(null);
  expect([...(await earned()), await balanceOf('pro')]).toEqual([0, 0, 0]);
  await expect(refund(null)).rejects.toThrow('already been refunded in full');
  expect((await staffOrders.read(staff, { q: order.reference, chosen: {}, after: null, limit: 5 })).rows).toMatchObject(
    [{ portfolio: null, givenMinor: 3000 }],
  );
});

test('a coupon of the site is taken off Pro, as long as its uses last', async () => {
  await setPrice();
  await sql`insert into coupon (portfolio_id, code, percent, most_uses, created_at) values (null, 'SITE', 10, 1, ${worldNow})`.execute(
    database(),
  );
  const buy = async (amountMinor: number) => {
    const bob = await join(`bob-${(turn += 1)}`, worldNow);
    return decidedAt(worldNow, () => startCheckout(bob, { period: 'month', amountMinor, coupon: 'site' }, key()));
  };
  await expect(buy(3000)).rejects.toThrow('The price or the terms have changed');
  expect((await buy(2700)).terms).toMatchObject({ fullMinor: 3000, amountMinor: 2700, renewalMinor: 2700 });
  await expect(buy(2700)).rejects.toThrow('used up');
});

test('Pro renews at its price and goes on to open the team', async () => {
  await setPrice();
  const ann = await partner();
  const { bob } = await joinPro();
  await confirm(bob, [ann.reference]);
  await decidedAt(later(31), () => renewMemberships(later(31)));
  expect(await reads(bob, ann.id, later(40))).toBe(true);
  expect((await listMemberships(bob, later(40))).receipts.map(({ amountMinor }) => amountMinor)).toEqual([3000, 3000]);
});

test('a month is shared although more payments than are looked at together have nothing due yet', async () => {
  await setPrice();
  const ann = await partner();
  const early = await joinPro('success', later(20));
  await buyAlike(early.order.reference, 200);
  const { bob } = await joinPro();
  await confirm(bob, [ann.reference]);
  await share(later(35));
  expect(await balanceOf('payable', ann.owner)).toBeGreaterThan(2000);
});

test('a portfolio that staff take out of Pro earns up to then, and no more by coming back', async () => {
  await setPrice();
  const [ann, eve] = [await partner(), await partner()];
  const { bob } = await joinPro();
  await confirm(bob, [ann.reference, eve.reference]);
  const staff = await openAdmin();
  const order = (action: 'portfolio.leave-pro' | 'portfolio.join-pro', at: Date, preview = false) =>
    decidedAt(at, () =>
      changePortfolioByStaff({ staff, reference: ann.reference, action, reason: 'By agreement.', preview }),
    );
  await order('portfolio.leave-pro', later(1), true);
  expect((await getProStanding(await seen(bob, later(1)), later(1))).team).toHaveLength(2);
  await order('portfolio.leave-pro', later(10));
  await order('portfolio.join-pro', later(11));
  expect((await getProStanding(await seen(bob, later(11)), later(11))).team.map(({ reference }) => reference)).toEqual([
    eve.reference,
  ]);
  await cancelAll(bob);
  for (const at of [later(20), later(31), later(40)]) await share(at);
  const [own, other] = [await balanceOf('payable', ann.owner), await balanceOf('payable', eve.owner)];
  expect(own + other).toBe(2100);
  expect(own).toBeGreaterThan(490);
  expect(own).toBeLessThan(530);
});

const closings: readonly [string, (ann: Awaited<ReturnType<typeof partner>>, at: Date) => Promise<unknown>][] = [
  [
    'staff hide',
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
    'its owner makes free for all',
    ({ owner, reference }, at) =>
      changePortfolio(owner, { reference, visibility: PortfolioVisibility.public }, key(), at),
  ],
];

test.each(closings)(
  'a portfolio that %s earns by Pro up to then, is in no team, and can be chosen again',
  async (_, close) => {
    await setPrice();
    const [ann, eve] = [await partner(), await partner()];
    const { bob } = await joinPro();
    await confirm(bob, [ann.reference, eve.reference]);
    await decidedAt(later(10), () => close(ann, later(10)));
    const team = async (at: Date) =>
      (await getProStanding(await seen(bob, at), at)).team.map(({ reference }) => reference);
    expect(await team(later(11))).toEqual([eve.reference]);
    expect(await reads(bob, ann.id, later(11))).toBe(false);
    await sql`update portfolio set visibility = ${PortfolioVisibility.premium} where id = ${ann.id}`.execute(
      database(),
    );
    expect(await team(later(12))).toEqual([eve.reference]);
    await cancelAll(bob);
    for (const at of [later(20), later(31), later(40)]) await share(at);
    const [own, other] = [await balanceOf('payable', ann.owner), await balanceOf('payable', eve.owner)];
    expect(own + other).toBe(2100);
    expect(own).toBeGreaterThan(490);
    expect(own).toBeLessThan(530);
    const candidates = (await getProStanding(await seen(bob, later(12)), later(12))).candidates;
    expect(candidates.map(({ reference }) => reference)).toContain(ann.reference);
  },
);

test('a portfolio that leaves Pro while it is chosen is in no team', async () => {
  await setPrice();
  const ann = await partner();
  const { bob } = await joinPro();
  const refused = await onOwnConnection(async (other) => {
    // As its owner does it.
    await other.query('begin');
    await other.query('select from portfolio where id = $1 for update', [ann.id]);
    await other.query('update portfolio set tipledger_pro = false where id = $1', [ann.id]);
    const chosen = confirm(bob, [ann.reference]).catch((error: unknown) => error);
    await untilWaiting(1);
    await other.query('commit');
    return chosen;
  });
  expect(refused).toMatchObject({ kind: 'invalid' });
  expect((await sql`select from pro_team where account_id = ${bob.accountId}`.execute(database())).rows).toEqual([]);
});

test('a stay in a portfolio that was closed before this release is ended by the migration: when staff hid it, else then', async () => {
  await setPrice();
  const [byStaff, byOwner, stays] = [await partner(), await partner(), await partner()];
  const { bob } = await joinPro();
  await confirm(bob, [byStaff.reference, byOwner.reference, stays.reference]);
  for (const [place, [, close]] of closings.entries())
    await decidedAt(later(1), () => close(place === 0 ? byStaff : byOwner, later(1)));
  await sql`update pro_team set left_at = null where account_id = ${bob.accountId}`.execute(database());
  await asOwner(sql.raw(readFileSync('migrations/0087-teams-of-closed-portfolios.sql', 'utf8')));
  const { rows } = await sql<{ left: string }>`
    select case when left_at is null then 'stays' else coalesce((select 'by staff' from staff_action where at = left_at limit 1), 'now') end as left
    from pro_team where account_id = ${bob.accountId} order by id
  `.execute(database());
  expect(rows.map(({ left }) => left)).toEqual(['by staff', 'now', 'stays']);
});

test('a stay that the migration before ended at a hide that staff had undone is ended at that migration instead', async () => {
  await setPrice();
  const [shown, hidden] = [await partner(), await partner()];
  const { bob } = await joinPro();
  await confirm(bob, [shown.reference, hidden.reference]);
  const staff = await openAdmin();
  const byStaff = (reference: string, action: 'portfolio.hide' | 'portfolio.show', days: number) =>
    decidedAt(later(days), () =>
      changePortfolioByStaff({ staff, reference, action, reason: 'Under review.', preview: false }),
    );
  for (const { reference } of [shown, hidden]) await byStaff(reference, 'portfolio.hide', 1);
  await byStaff(shown.reference, 'portfolio.show', 2);
  await sql`update portfolio set visibility = ${PortfolioVisibility.public} where id = ${shown.id}`.execute(database());
  await sql`update pro_team set left_at = null where account_id = ${bob.accountId}`.execute(database());
  await asOwner(sql.raw(readFileSync('migrations/0087-teams-of-closed-portfolios.sql', 'utf8')));
  await asOwner(sql`update migration set applied_at = clock_timestamp() where name like '0087-%'`);
  const left = async () => {
    const { rows } = await sql<{ left: string }>`
      select coalesce((select action from staff_action where at = left_at limit 1), (select 'migration' from migration where applied_at = left_at limit 1)) as left
      from pro_team where account_id = ${bob.accountId} order by id
    `.execute(database());
    return rows.map((each) => each.left);
  };
  expect(await left()).toEqual(['portfolio.hide', 'portfolio.hide']);
  await asOwner(sql.raw(readFileSync('migrations/0093-teams-of-shown-portfolios.sql', 'utf8')));
  expect(await left()).toEqual(['migration', 'portfolio.hide']);
});

test('a stay that a release before left open is ended by the migration: when staff took the portfolio out, else at its beginning', async () => {
  await setPrice();
  const [byStaff, byOwner, stays] = [await partner(), await partner(), await partner()];
  const { bob } = await joinPro();
  await confirm(bob, [byStaff.reference, byOwner.reference, stays.reference]);
  const staff = await openAdmin();
  const order = {
    staff,
    reference: byStaff.reference,
    action: 'portfolio.leave-pro',
    reason: 'By agreement.',
  } as const;
  await decidedAt(later(1), () => changePortfolioByStaff({ ...order, preview: false }));
  await decidedAt(later(1), () => setProPart(byOwner.owner, byOwner.reference, false, key(), later(1)));
  await sql`update pro_team set left_at = null where account_id = ${bob.accountId}`.execute(database());
  await asOwner(sql.raw(readFileSync('migrations/0085-left-teams.sql', 'utf8')));
  const { rows } = await sql<{ left: string }>`
    select case when left_at is null then 'stays' when left_at = joined_at then 'at once' else (select 'by staff' from staff_action where at = left_at) end as left
    from pro_team where account_id = ${bob.accountId} order by id
  `.execute(database());
  expect(rows.map(({ left }) => left)).toEqual(['by staff', 'at once', 'stays']);
});

async function openAdmin(): Promise<Viewer> {
  const { accountId } = await join(`staff-${(turn += 1)}`, worldNow);
  await sql`update account set role = ${Role.admin} where id = ${accountId}`.execute(database());
  return member({ accountId, role: Role.admin, pro: false, owns: [], subscribes: [], proven: true });
}

async function cancelAll(bob: Viewer): Promise<void> {
  const { running } = await listMemberships(bob, worldNow);
  for (const { reference } of running) await decidedAt(worldNow, () => cancelMembership(bob, reference ?? ''));
}
