import { sql } from 'kysely';
import { referAccount } from '@/lib/accounts/commands';
import { getUser } from '@/lib/accounts/queries';
import { becomeAffiliate, countVisit, payOutAffiliate, setFees } from '@/lib/affiliates/commands';
import { getAffiliate } from '@/lib/affiliates/queries';
import { guest, member } from '@/lib/http/viewer';
import { listMemberships } from '@/lib/memberships/queries';
import {
  cancelOrder,
  readOrder,
  refundMembership,
  refundOrder,
  setPlans,
  startCheckout,
  watchDisputes,
} from '@/lib/memberships/commands';
import { advanceOrder } from '@/lib/memberships/commands/advance';
import { chooseOutcome, releaseFees, sendPayouts, setProvider } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { listBookProblems } from '@/lib/money/queries';
import type { SandboxOutcome } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { join, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);
let turn = 0;

async function affiliate() {
  const ann = await join(`affiliate-${(turn += 1)}`, worldNow);
  const { code } = await becomeAffiliate(ann);
  const { accountId } = await join(`staff-${turn}`, worldNow);
  const staff = member({ accountId, role: Role.admin, pro: false, owns: [], subscribes: [] });
  await setFees(staff, [{ currencyId: CurrencyId.GBP, amountMinor: 500 }]);
  return { ann, code: code ?? '' };
}

async function shop(amountMinor = 2000) {
  const made = await openShop(
    `owner-${(turn += 1)}`,
    { name: `Shop ${turn}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  await decidedAt(worldNow, () =>
    setPlans(
      made.owner,
      made.reference,
      {
        mainCurrencyId: CurrencyId.GBP,
        plans: [{ period: 'month', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor }] }],
      },
      undefined,
      worldNow,
    ),
  );
  return made;
}

async function came(code: string) {
  const bob = await join(`bob-${(turn += 1)}`, worldNow);
  await referAccount(bob.accountId, { affiliate: code, email: null }, worldNow);
  return bob;
}

const buy = (
  bob: Awaited<ReturnType<typeof join>>,
  portfolio: string,
  outcome: SandboxOutcome = 'success',
  amountMinor = 2000,
) =>
  decidedAt(worldNow, async () => {
    const order = await startCheckout(bob, { portfolio, period: 'month', amountMinor }, `key-${(turn += 1)}`);
    await chooseOutcome(order.payUrl?.split('/').at(-1) ?? '', outcome);
    return readOrder(bob, order.reference);
  });

const owed = async (viewer: Awaited<ReturnType<typeof join>>) => {
  const [balance] = (await getAffiliate(viewer)).balances;
  return balance ? [balance.heldMinor, balance.payableMinor, balance.paidMinor] : null;
};

afterEach(async () => expect(await listBookProblems()).toEqual([]));

test('a new buyer’s first paid membership earns the fee once, held until cooling-off is over, then payable and paid out', async () => {
  const { ann, code } = await affiliate();
  expect((await getUser(ann, worldNow)).user.affiliateReference).toBe(code);
  expect((await becomeAffiliate(ann)).code).toBe(code);
  await countVisit(code.toUpperCase(), worldNow);
  await countVisit('nobody', worldNow);
  for (let sold = 0; sold < 5; sold += 1) await buy(await came(code), (await shop()).reference);
  const twice = await came(code);
  await buy(twice, (await shop()).reference);
  await buy(twice, (await shop()).reference);
  expect(await getAffiliate(ann)).toMatchObject({ visits: 1, signUps: 6, sales: 6, returned: 0 });
  expect(await owed(ann)).toEqual([3000, 0, 0]);
  await decidedAt(later(13), () => releaseFees(later(13)));
  expect(await owed(ann)).toEqual([3000, 0, 0]);
  for (const days of [14, 15]) await decidedAt(later(days), () => releaseFees(later(days)));
  expect(await owed(ann)).toEqual([0, 3000, 0]);
  const ask = () => decidedAt(later(16), () => payOutAffiliate(ann, CurrencyId.GBP, `payout-${turn}`, later(16)));
  expect(await ask()).toEqual({ amountMinor: 3000, status: 'approved' });
  expect(await ask()).toEqual({ amountMinor: 3000, status: 'approved' });
  await decidedAt(later(16), () => sendPayouts());
  expect(await owed(ann)).toEqual([0, 0, 3000]);
});

test('the fee is at most what the site keeps, and nobody earns by what they buy or sell themselves', async () => {
  const { ann, code } = await affiliate();
  await buy(await came(code), (await shop(1000)).reference, 'success', 1000);
  expect(await owed(ann)).toEqual([300, 0, 0]);
  await referAccount(ann.accountId, { affiliate: code, email: null }, worldNow);
  const own = await shop();
  if (own.owner.kind === 'guest') throw new Error('An owner is a member.');
  const tipster = await becomeAffiliate(own.owner);
  await buy(await came(tipster.code ?? ''), own.reference);
  expect((await getAffiliate(own.owner)).sales).toBe(0);
  expect((await getAffiliate(ann)).signUps).toBe(1);
  await sql`update account set email = 'ann@site.example', email_confirmed = true where id = ${ann.accountId}`.execute(
    database(),
  );
  const same = await join(`same-${(turn += 1)}`, worldNow);
  await referAccount(same.accountId, { affiliate: code, email: 'Ann+two@site.example' }, worldNow);
  expect((await getAffiliate(ann)).signUps).toBe(1);
  await expect(getAffiliate(guest())).rejects.toMatchObject({ kind: 'unauthorised' });
});

test('a refund within cooling-off takes the fee back, and a chargeback at any time', async () => {
  const { ann, code } = await affiliate();
  const [bob, cat] = [await came(code), await came(code)];
  await buy(bob, (await shop()).reference);
  await buy(cat, (await shop()).reference, 'chargeback-later');
  expect(await owed(ann)).toEqual([1000, 0, 0]);
  const [running] = (await listMemberships(bob, later(2))).running;
  await decidedAt(later(2), () => refundMembership(bob, running?.reference ?? ''));
  expect(await owed(ann)).toEqual([500, 0, 0]);
  await sql`update sandbox_payment set disputed_at = ${later(20)} where disputed_at is not null`.execute(database());
  await decidedAt(later(15), () => releaseFees(later(15)));
  expect(await owed(ann)).toEqual([0, 500, 0]);
  for (const days of [21, 22]) await decidedAt(later(days), () => watchDisputes(later(days)));
  expect(await owed(ann)).toEqual([0, 0, 0]);
  expect(await getAffiliate(ann)).toMatchObject({ sales: 2, returned: 2 });
});

test('a part that staff give back while the membership goes on leaves the fee; its end, or all of the payment, takes it back', async () => {
  const { ann, code } = await affiliate();
  const { accountId } = await join(`staff-${(turn += 1)}`, worldNow);
  await sql`update account set role = ${Role.admin} where id = ${accountId}`.execute(database());
  const staff = member({ accountId, role: Role.admin, pro: false, owns: [], subscribes: [], proven: true });
  const give = (reference: string, amountMinor: number, ends = false) =>
    decidedAt(later(2), () =>
      refundOrder({ staff, reference, amountMinor, ends, reason: 'Goodwill.', preview: false }),
    );
  const [whole, ended, left] = [
    await buy(await came(code), (await shop()).reference),
    await buy(await came(code), (await shop()).reference),
    await buy(await came(code), (await shop()).reference),
  ];
  for (const { reference } of [whole, ended, left]) await give(reference, 100);
  expect(await owed(ann)).toEqual([1500, 0, 0]);
  await give(whole.reference, 1900);
  expect(await owed(ann)).toEqual([1000, 0, 0]);
  await give(ended.reference, 100, true);
  expect(await owed(ann)).toEqual([500, 0, 0]);
  await decidedAt(later(15), () => releaseFees(later(15)));
  expect(await owed(ann)).toEqual([0, 500, 0]);
  expect(await getAffiliate(ann)).toMatchObject({ sales: 3, returned: 2 });
});

test(
  'a fee that cannot be released keeps no other from it and is told of; what was released is not looked at again',
  undone(async () => {
    const { ann, code } = await affiliate();
    const due = async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from earning_due where kind = 'affiliate-held'`.execute(
          database(),
        )
      ).rows[0]?.n;
    await decidedAt(later(40), () => releaseFees(later(40)));
    expect(await due()).toBe(0);
    for (const _ of [1, 2]) await buy(await came(code), (await shop()).reference);
    const { rows } = await sql<{ id: number }>`
      select min(payment_id) as id from earning_due where kind = 'affiliate-held'`.execute(database());
    await asOwner(
      sql`alter table posting add constraint none_of_the_first check (kind <> 'affiliate-release' or payment_id <> ${sql.lit(rows[0]?.id ?? 0)}) not valid`,
    );
    await expect(decidedAt(later(15), () => releaseFees(later(15)))).rejects.toThrow('none_of_the_first');
    expect([await owed(ann), await due()]).toEqual([[500, 500, 0], 1]);
    await asOwner(sql`alter table posting drop constraint none_of_the_first`);
    const released = [await decidedAt(later(15), () => releaseFees(later(15))), await releaseFees(later(15))];
    expect([released, await owed(ann), await due()]).toEqual([[1, 0], [0, 1000, 0], 0]);
  }),
);

test('a payment that came too late and went back is no first purchase: the next one earns the fee', async () => {
  const { ann, code } = await affiliate();
  const bob = await came(code);
  const { reference } = await shop();
  const late = await decidedAt(worldNow, () =>
    startCheckout(bob, { portfolio: reference, period: 'month', amountMinor: 2000 }, `key-${(turn += 1)}`),
  );
  const page = late.payUrl?.split('/').at(-1) ?? '';
  // The provider knew of no page to close, and took a payment on it all the same.
  setProvider({ ...sandbox, close: async () => null });
  await decidedAt(worldNow, () => cancelOrder(bob, late.reference)).finally(() => setProvider(null));
  await decidedAt(worldNow, async () => {
    await chooseOutcome(page, 'success');
    await advanceOrder(late.reference);
  });
  expect((await listMemberships(bob, worldNow)).receipts.map(({ amountMinor }) => amountMinor)).toEqual([-2000, 2000]);
  expect(await getAffiliate(ann)).toMatchObject({ sales: 0, returned: 0 });
  await buy(bob, reference);
  expect(await getAffiliate(ann)).toMatchObject({ sales: 1, returned: 0 });
  expect(await owed(ann)).toEqual([500, 0, 0]);
});
