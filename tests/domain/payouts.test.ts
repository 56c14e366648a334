import { sql } from 'kysely';
import { referAccount } from '@/lib/accounts/commands';
import { becomeAffiliate, payOutAffiliate, setFees } from '@/lib/affiliates/commands';
import { getAffiliate } from '@/lib/affiliates/queries';
import type { Viewer } from '@/lib/access/schema';
import { member } from '@/lib/http/viewer';
import { payOut, readOrder, releaseEarnings, setPlans, startCheckout, watchDisputes } from '@/lib/memberships/commands';
import { exportEarnings, getEarnings, listClosedEarnings, listUnpaidOf } from '@/lib/memberships/queries';
import {
  bookProviderFees,
  chooseOutcome,
  choosePayouts,
  decideOnPayout,
  post,
  releaseFees,
  requestMonthlyPayouts,
  sendPayouts,
  setProvider,
} from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import { getPayoutChoice, listBookProblems, listUnpaid } from '@/lib/money/queries';
import { changeNews, offeredChannels, sendDueNews, spreadNews } from '@/lib/notifications/commands';
import { listNotifications } from '@/lib/notifications/queries';
import { database, transact } from '@/lib/platform/database';
import { listWaitingMails } from '@/lib/platform/mail';
import { decidedAt } from '@/lib/platform/moment';
import { abandonPortfolio, createPortfolio } from '@/lib/portfolios/commands';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { openStaff } from '../support/accounts';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

type Member = Viewer & { kind: 'member' };

const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);
const payday = later(16);
let turn = 0;
let staff: Viewer;
beforeAll(async () => {
  staff = (await openStaff('ada', Role.admin, worldNow)).viewer;
});
afterEach(async () => {
  setProvider(null);
  expect(await listBookProblems()).toEqual([]);
});

/** A premium portfolio that has sold one month, with an owner whom mail reaches. */
async function sold(amountMinor: number, affiliate: string | null = null, { release = true } = {}) {
  const name = `tipster-${(turn += 1)}`;
  const shop = await openShop(name, { name: `Shop ${turn}`, visibility: PortfolioVisibility.premium }, worldNow);
  const { accountId } = shop.owner as Member;
  await mailReaches(accountId, name);
  const buyer = await join(`buyer-${turn}`, worldNow);
  if (affiliate !== null) await referAccount(buyer.accountId, { affiliate, email: null }, worldNow);
  await decidedAt(worldNow, async () => {
    const prices = [{ currencyId: CurrencyId.GBP, amountMinor }];
    const plans = [{ period: 'month' as const, onSale: true, prices }];
    await setPlans(shop.owner, shop.reference, { mainCurrencyId: CurrencyId.GBP, plans }, undefined, worldNow);
    const asked = { portfolio: shop.reference, period: 'month' as const, amountMinor };
    const order = await startCheckout(buyer, asked, `order-${turn}`);
    await chooseOutcome(order.payUrl?.split('/').at(-1) ?? '', 'success');
    await readOrder(buyer, order.reference);
  });
  if (release) await decidedAt(later(15), () => releaseEarnings(later(15)));
  return { ...shop, name, accountId };
}

/** One more month of such a portfolio, at its price, which becomes payable. */
async function sellAgain({ reference }: Awaited<ReturnType<typeof sold>>, amountMinor: number): Promise<void> {
  const buyer = await join(`buyer-${(turn += 1)}`, worldNow);
  await decidedAt(worldNow, async () => {
    const order = await startCheckout(buyer, { portfolio: reference, period: 'month', amountMinor }, `order-${turn}`);
    await chooseOutcome(order.payUrl?.split('/').at(-1) ?? '', 'success');
    await readOrder(buyer, order.reference);
  });
  await decidedAt(later(15), () => releaseEarnings(later(15)));
}

const mailReaches = (accountId: number, name: string) =>
  sql`update account set email = ${`${name}@example.org`}, email_confirmed = true where id = ${accountId}`.execute(
    database(),
  );

const ask = ({ owner, reference }: Awaited<ReturnType<typeof sold>>, key = 'first') =>
  decidedAt(payday, () => payOut(owner, reference, CurrencyId.GBP, key, payday));

async function refuseByStaff(accountId: number, preview = false) {
  const { rows } = await sql<{ reference: string }>`
    select reference from payout where owner_id = ${accountId} and status = 'asked'
  `.execute(database());
  const reason = 'The name of your bank account is not yours';
  return decidedAt(payday, () =>
    decideOnPayout({ staff, reference: rows[0]?.reference ?? '', action: 'payout.refuse', reason, preview }),
  );
}

/** What somebody has been told of payouts, in the list and by mail. */
async function told(viewer: Viewer, name: string) {
  const at = new Date(payday.getTime() + 60_000);
  const channels = offeredChannels();
  await spreadNews(channels, at, { seconds: 5 });
  const viewerOf: Parameters<typeof sendDueNews>[1]['viewerOf'] = ({ countryId, ...known }) => member(known, countryId);
  await sendDueNews(at, { viewerOf, channels, seconds: 5 });
  const { items } = await listNotifications(viewer, at);
  const mails = (await listWaitingMails(100)).filter(({ to }) => to === `${name}@example.org`);
  return { items: items.filter(({ kind }) => kind === 'payout'), mails };
}

test('a payout that staff refuse is payable again, and its owner hears why in the list and by mail, once, whatever was silenced', async () => {
  const shop = await sold(200_000);
  await ask(shop);
  await changeNews(shop.owner, { silenced: true });
  await refuseByStaff(shop.accountId, true);
  expect(await told(shop.owner, shop.name)).toEqual({ items: [], mails: [] });
  await refuseByStaff(shop.accountId);
  for (const { items, mails } of [await told(shop.owner, shop.name), await told(shop.owner, shop.name)]) {
    expect(items).toMatchObject([{ title: expect.stringContaining('1,400.00 from Shop') }]);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toMatch(/^£1,400\.00 from Shop \d+ could not be paid out$/);
    for (const said of [
      'The name of your bank account is not yours.',
      'the amount is payable again',
      'request the payout again',
      `/tipster/${shop.reference}/earnings`,
    ])
      expect(mails[0]?.text).toContain(said);
  }
  expect((await getEarnings(shop.owner, shop.reference, payday)).balances).toMatchObject([{ payableMinor: 140_000 }]);
  expect(await ask(shop, 'second')).toEqual({ amountMinor: 140_000, status: 'asked' });
  expect(await getEarnings(shop.owner, shop.reference, payday)).toMatchObject({
    balances: [{ heldMinor: 0, payableMinor: 0, onTheWayMinor: 140_000, paidMinor: 0 }],
    payouts: [
      { amountMinor: 140_000, status: 'asked', because: null },
      { amountMinor: 140_000, status: 'failed', because: 'The name of your bank account is not yours' },
    ],
  });
});

test('what a closed portfolio earned is listed, becomes payable and is paid out; what is told of it leads there', async () => {
  const shop = await sold(100_000, null, { release: false });
  expect(await listClosedEarnings(shop.owner)).toEqual([]);
  await decidedAt(later(10), () => abandonPortfolio(shop.owner, shop.reference, 'close', later(10)));
  const [closed] = await listClosedEarnings(shop.owner);
  expect(closed).toMatchObject({ reference: shop.reference, balances: [{ payableMinor: 0 }], payouts: [] });
  const amountMinor = closed?.balances[0]?.heldMinor ?? 0;
  expect(amountMinor).toBeGreaterThan(0);
  expect(await listUnpaid(shop.owner)).toEqual([{ currencyId: CurrencyId.GBP, amountMinor }]);
  await decidedAt(later(15), () => releaseEarnings(later(15)));
  expect(await listUnpaidOf(shop.owner, shop.reference)).toEqual([{ currencyId: CurrencyId.GBP, amountMinor }]);
  expect(await ask(shop)).toEqual({ amountMinor, status: 'approved' });
  expect(await listUnpaid(shop.owner)).toEqual([]);
  setProvider({ ...sandbox, payOut: () => Promise.resolve({ refused: 'Your payout account is closed.' }) });
  await decidedAt(payday, sendPayouts);
  const { mails } = await told(shop.owner, shop.name);
  expect(mails[0]?.text).toContain('/dashboard/services');
  expect(mails[0]?.text).not.toContain('/earnings');
  expect(await listClosedEarnings(shop.owner)).toMatchObject([
    { balances: [{ payableMinor: amountMinor, onTheWayMinor: 0 }], payouts: [{ amountMinor, status: 'failed' }] },
  ]);
});

test('a row of the earnings leads to its postings, with what the affiliate and the provider took of the fee', async () => {
  const ann = await join('affiliate-of-rows', worldNow);
  const { code } = await becomeAffiliate(ann);
  await setFees(staff, [{ currencyId: CurrencyId.GBP, amountMinor: 500 }]);
  const shop = await sold(2000, code);
  const { rows } = await sql<{ order: string; orderId: number; paymentId: number }>`
    select customer_order.reference as "order", order_id as "orderId", payment.id as "paymentId" from payment join customer_order on customer_order.id = order_id where portfolio_id = (select id from portfolio where reference = ${shop.reference})
  `.execute(database());
  const { order = '', orderId = 0, paymentId = 0 } = rows[0] ?? {};
  // A provider tells of its fee when it likes, here in the next month.
  await bookProviderFees(
    { provider: 'sandbox', orderId, paymentId },
    [{ id: 'told-late', amountMinor: 50, currencyId: CurrencyId.GBP }],
    later(40),
  );
  const { months } = await getEarnings(shop.owner, shop.reference, payday);
  expect(months).toMatchObject([
    {
      month: '2026-03',
      sales: 1,
      soldMinor: 2000,
      feeMinor: 600,
      affiliateMinor: 500,
      earnedMinor: 1400,
      morePostings: 0,
    },
  ]);
  const lines = (posting: (typeof months)[number]['postings'][number]) =>
    Object.fromEntries(posting.lines.map(({ account, amountMinor }) => [account, amountMinor]));
  expect(months[0]?.postings.map((posting) => [posting.kind, posting.order, lines(posting)])).toEqual([
    ['fee', order, { clearing: 50, fees: -50 }],
    ['affiliate', order, { platform: -500, 'affiliate-held': 500 }],
    ['sale', order, { clearing: -2000, platform: 600, held: 1400 }],
  ]);
  const file: string[] = [];
  for await (const text of await exportEarnings(shop.owner, shop.reference)) file.push(...text.trim().split('\r\n'));
  expect(file.filter((line) => line.includes(',affiliate,') || line.includes(',fee,'))).toHaveLength(4);
});

test('every row of the earnings tells how many postings it has, beyond those that one page shows', async () => {
  const shop = await sold(2000);
  const { rows } = await sql<{ id: number }>`select id from customer_order where portfolio_id = ${shop.id}`.execute(
    database(),
  );
  const month = (number: number) => new Date(Date.UTC(2027, number, 1));
  const lost = new Error('lost');
  await expect(
    transact(async () => {
      for (let number = 0; number < 420; number += 1)
        await post(
          { key: `many:${number}`, kind: 'affiliate', currencyId: CurrencyId.GBP, orderId: rows[0]?.id ?? 0 },
          [
            { owner: null, kind: 'platform', amountMinor: -1 },
            { owner: shop.accountId, kind: 'affiliate-held', amountMinor: 1 },
          ],
          month(Math.floor(number / 20)),
        );
      const { months } = await getEarnings(shop.owner, shop.reference, payday);
      const counts = months.map(({ postings, morePostings }) => [postings.length, morePostings]);
      expect(counts).toEqual([...Array(20).fill([20, 0]), [1, 19], [1, 0]]);
      throw lost;
    }),
  ).rejects.toBe(lost);
});

test('an affiliate whose payout staff refuse has it payable as an affiliate again, and is led to the dashboard', async () => {
  const ann = await join('affiliate-ann', worldNow);
  await mailReaches(ann.accountId, 'affiliate-ann');
  const { code } = await becomeAffiliate(ann);
  await setFees(staff, [{ currencyId: CurrencyId.GBP, amountMinor: 110_000 }]);
  await sold(400_000, code);
  await decidedAt(later(15), () => releaseFees(later(15)));
  const payOutFees = (key: string) => decidedAt(payday, () => payOutAffiliate(ann, CurrencyId.GBP, key, payday));
  expect(await payOutFees('first')).toEqual({ amountMinor: 110_000, status: 'asked' });
  await refuseByStaff(ann.accountId);
  expect((await getAffiliate(ann)).balances).toMatchObject([{ heldMinor: 0, payableMinor: 110_000, paidMinor: 0 }]);
  const { items, mails } = await told(ann, 'affiliate-ann');
  expect(items).toMatchObject([{ title: '£1,100.00 from your affiliate fees could not be paid out' }]);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain('/affiliates/dashboard');
  expect(await payOutFees('second')).toEqual({ amountMinor: 110_000, status: 'asked' });
  expect(await getAffiliate(ann)).toMatchObject({
    balances: [{ payableMinor: 0, onTheWayMinor: 110_000, paidMinor: 0 }],
    payouts: [{ status: 'asked' }, { status: 'failed', because: 'The name of your bank account is not yours' }],
  });
});

test('a payout that the provider refuses for good is payable again and told, one that it cannot make now is asked for again', async () => {
  const shop = await sold(10_000);
  await ask(shop);
  const answers = [
    () => Promise.reject(new Error('There is no way to the provider.')),
    () => Promise.resolve({ refused: 'Your payout account is closed.' }),
  ];
  let asked = 0;
  setProvider({ ...sandbox, payOut: () => answers[asked++]?.() ?? Promise.resolve({ refused: null }) });
  await decidedAt(payday, sendPayouts);
  expect((await told(shop.owner, shop.name)).items).toEqual([]);
  for (const _ of [1, 2]) await decidedAt(payday, sendPayouts);
  expect(asked).toBe(2);
  const { items, mails } = await told(shop.owner, shop.name);
  expect(items).toHaveLength(1);
  expect(mails[0]?.text).toContain('Your payout account is closed.');
  await ask(shop, 'second');
  await decidedAt(payday, sendPayouts);
  expect((await getEarnings(shop.owner, shop.reference, payday)).balances).toMatchObject([
    { payableMinor: 0, paidMinor: 7000 },
  ]);
});

test('a payout is made although more than are looked at together cannot be made for want of balance', async () => {
  await sql`
    with owners as (insert into account (username, created_at) select 'waits-' || number, ${worldNow}::timestamptz from generate_series(1, 100) number returning id)
    insert into payout (reference, owner_id, currency_id, amount_minor, provider, status, created_at, changed_at)
    select substr(md5('payout' || id), 1, 20), id, ${CurrencyId.GBP}::smallint, 90000, 'sandbox', 'approved', ${worldNow}::timestamptz, ${worldNow}::timestamptz from owners
  `.execute(database());
  const shop = await sold(10_000);
  await ask(shop);
  let short = 0;
  setProvider({
    ...sandbox,
    payOut: async ({ amountMinor }) => {
      if (amountMinor < 90_000) return { refused: null };
      short += 1;
      throw new Error('The balance is too small.');
    },
  });
  await decidedAt(payday, sendPayouts);
  expect(short).toBe(100);
  expect((await getEarnings(shop.owner, shop.reference, payday)).balances).toMatchObject([
    { payableMinor: 0, paidMinor: 7000 },
  ]);
});

test('a site that was restored finds each payout that was made since, behind those that failed, and makes none twice', async () => {
  const shop = await sold(400_000);
  const sent = new Map<string, number>();
  const answers = [{ refused: 'Your payout account is closed.' }, { refused: null }];
  let asked = 0;
  setProvider({
    ...sandbox,
    readPayout: (reference) => Promise.resolve(sent.get(reference) ?? null),
    payOut: ({ reference, amountMinor }) => {
      // Those of other owners wait too.
      if (amountMinor !== 280_000 || sent.has(reference)) return Promise.resolve({ refused: null });
      const answer = answers[asked++] ?? { refused: null };
      if (answer.refused === null) sent.set(reference, amountMinor);
      return Promise.resolve(answer);
    },
  });
  const approve = async () => {
    const { rows } = await sql<{ reference: string }>`
      select reference from payout where owner_id = ${shop.accountId} and status = 'asked'
    `.execute(database());
    const [waiting] = rows;
    if (waiting)
      await decidedAt(payday, () =>
        decideOnPayout({
          staff,
          reference: waiting.reference,
          action: 'payout.approve',
          reason: 'As it was earned',
          preview: false,
        }),
      );
    await decidedAt(payday, sendPayouts);
  };
  const lost = new Error('lost');
  await expect(
    transact(async () => {
      for (const key of ['one', 'two']) {
        expect(await ask(shop, key)).toEqual({ amountMinor: 280_000, status: 'asked' });
        await approve();
      }
      throw lost;
    }),
  ).rejects.toBe(lost);
  expect([...sent.values()]).toEqual([280_000]);
  // Nobody of staff is asked again for what was sent.
  expect(await ask(shop, 'three')).toEqual({ amountMinor: 280_000, status: 'found' });
  await approve();
  expect([...sent.values()]).toEqual([280_000]);
  expect((await getEarnings(shop.owner, shop.reference, payday)).payouts).toMatchObject([{ status: 'paid' }]);
  // What comes after it takes a reference that no payout holds.
  for (const key of ['four', 'five', 'six']) {
    await sellAgain(shop, 400_000);
    expect(await ask(shop, key)).toEqual({ amountMinor: 280_000, status: 'asked' });
    await approve();
  }
  expect([...sent.values()]).toEqual(Array(4).fill(280_000));
});

test('what the provider had paid out is taken, although it cannot pay the owner any longer', async () => {
  const shop = await sold(10_000);
  const payee = { known: false, transfers: false, charges: false, payouts: false, needed: [], isLost: false };
  const readPayout = jest.fn<Promise<number | null>, [string]>(() => Promise.resolve(null));
  setProvider({ ...sandbox, readPayee: () => Promise.resolve(payee), readPayout });
  await expect(ask(shop, 'refused')).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('where to send'),
  });
  const [first] = readPayout.mock.calls[0] ?? [];
  readPayout.mockImplementation((reference) => Promise.resolve(reference === first ? 3000 : null));
  expect(await ask(shop, 'found')).toEqual({ amountMinor: 3000, status: 'found' });
});

describe('monthly payouts', () => {
  const april = (day: number, hour = 0) => new Date(Date.UTC(2026, 3, day, hour));
  const run = (at: Date) => decidedAt(at, () => requestMonthlyPayouts(at));
  const payoutsOf = async ({ owner, reference }: Awaited<ReturnType<typeof sold>>, at: Date) =>
    (await getEarnings(owner, reference, at)).payouts.map(({ status, amountMinor }) => [status, amountMinor]);

  test('are requested in the first days of a month, once, for whoever chose them, from the least on', async () => {
    const [shop, silent, small] = [await sold(10_000), await sold(10_000), await sold(3000)];
    expect(await getPayoutChoice(shop.owner)).toEqual({ monthly: false });
    for (const { owner } of [shop, small, shop]) await choosePayouts(owner, { monthly: true });
    expect(await getPayoutChoice(shop.owner)).toEqual({ monthly: true });
    await run(april(8));
    expect(await payoutsOf(shop, april(8))).toEqual([]);
    for (const at of [april(1), april(1, 1), april(2)]) await run(at);
    expect(await payoutsOf(shop, april(2))).toEqual([['approved', 7000]]);
    expect(await payoutsOf(silent, april(2))).toEqual([]);
    expect(await payoutsOf(small, april(2))).toEqual([]);
    await decidedAt(april(2), sendPayouts);
    await choosePayouts(shop.owner, { monthly: false });
    expect(await getPayoutChoice(shop.owner)).toEqual({ monthly: false });
  });

  const payee = { known: true, transfers: true, charges: false, payouts: true, needed: [], isLost: false };

  test('wait for another payout that is under way, of whatever the owner earned in the currency, and ask nobody about it', async () => {
    const shop = await sold(10_000);
    await choosePayouts(shop.owner, { monthly: true });
    // Of what they earned elsewhere, so that it does not count as this month's payout of the portfolio.
    await sql`
      insert into payout (reference, owner_id, currency_id, amount_minor, provider, status, created_at, changed_at)
      values ('payoutofanaffiliatex', ${shop.accountId}, ${CurrencyId.GBP}, 2600, 'sandbox', 'asked', ${payday}, ${payday})
    `.execute(database());
    const readPayee = jest.fn(() => Promise.resolve(payee));
    setProvider({ ...sandbox, readPayee });
    await run(april(1));
    expect(await payoutsOf(shop, april(1))).toEqual([]);
    expect(readPayee).not.toHaveBeenCalledWith(String(shop.accountId));
    await sql`update payout set status = 'failed' where owner_id = ${shop.accountId}`.execute(database());
    await run(april(2));
    expect(await payoutsOf(shop, april(2))).toEqual([['approved', 7000]]);
  });

  test('wait for a provider that cannot pay yet, and are made once a month', async () => {
    const shop = await sold(10_000);
    await choosePayouts(shop.owner, { monthly: true });
    const readPayout = jest.fn(() => Promise.resolve(null));
    setProvider({ ...sandbox, readPayee: () => Promise.resolve({ ...payee, transfers: false }), readPayout });
    await run(april(1));
    expect(await payoutsOf(shop, april(1))).toEqual([]);
    // Every hour, of everybody who is not set up to be paid.
    expect(readPayout).not.toHaveBeenCalled();
    setProvider(null);
    await run(april(3));
    expect(await payoutsOf(shop, april(3))).toEqual([['approved', 7000]]);
    await decidedAt(april(3), sendPayouts);
    await sellAgain(shop, 10_000);
    await run(april(4));
    expect(await payoutsOf(shop, april(4))).toEqual([['paid', 7000]]);
  });

  test('end where the provider does not answer for three owners in a row, and begin again later', async () => {
    for (const _ of [1, 2, 3, 4]) await choosePayouts((await sold(10_000)).owner, { monthly: true });
    const readPayee = jest.fn(() => Promise.reject(new Error('There is no way to the provider.')));
    setProvider({ ...sandbox, readPayee });
    await expect(run(april(1))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(readPayee).toHaveBeenCalledTimes(3);
  });

  test('go on at the next run behind three owners in a row for whom the provider never answers', async () => {
    const shops: Awaited<ReturnType<typeof sold>>[] = [];
    for (const _ of [1, 2, 3, 4]) shops.push(await sold(10_000));
    for (const { owner } of shops) await choosePayouts(owner, { monthly: true });
    const lost = shops.slice(0, 3).map(({ accountId }) => String(accountId));
    const readPayee = (owner: string) =>
      lost.includes(owner) ? Promise.reject(new Error('There is no way to it.')) : Promise.resolve(payee);
    setProvider({ ...sandbox, readPayee });
    const paid = async () =>
      (await Promise.all(shops.map((shop) => payoutsOf(shop, april(1))))).map(({ length }) => length);
    await expect(run(april(1))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await paid()).toEqual([0, 0, 0, 0]);
    await run(april(1));
    expect(await paid()).toEqual([0, 0, 0, 1]);
    await expect(run(april(1))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('go on behind owners for whom the provider never answers', async () => {
    const shops: Awaited<ReturnType<typeof sold>>[] = [];
    for (const _ of [1, 2, 3, 4, 5, 6]) shops.push(await sold(10_000));
    for (const { owner } of shops) await choosePayouts(owner, { monthly: true });
    const lost = [0, 1, 3, 4].map((place) => String(shops[place]?.accountId));
    const readPayee = (owner: string) =>
      lost.includes(owner) ? Promise.reject(new Error('There is no way to it.')) : Promise.resolve(payee);
    setProvider({ ...sandbox, readPayee });
    await expect(run(april(1))).rejects.toMatchObject({ kind: 'unavailable' });
    const paid = await Promise.all(shops.map((shop) => payoutsOf(shop, april(1))));
    expect(paid.map(({ length }) => length)).toEqual([0, 0, 1, 0, 0, 1]);
  });

  test('pay what was earned as an affiliate, and nobody who is suspended', async () => {
    const ann = await join('affiliate-monthly', worldNow);
    const { code } = await becomeAffiliate(ann);
    await setFees(staff, [{ currencyId: CurrencyId.GBP, amountMinor: 2600 }]);
    const shop = await sold(10_000, code);
    await decidedAt(later(15), () => releaseFees(later(15)));
    for (const viewer of [ann, shop.owner]) await choosePayouts(viewer, { monthly: true });
    await sql`insert into suspension (account_id, reason) values (${shop.accountId}, 'Under review')`.execute(
      database(),
    );
    await run(april(1));
    expect((await getAffiliate(ann)).payouts).toMatchObject([{ amountMinor: 2600, status: 'approved' }]);
    expect(await payoutsOf(shop, april(1))).toEqual([]);
  });
});

describe('of an owner who owes', () => {
  /** Another portfolio of the same owner, of which one month was sold to somebody whose bank takes the price back after it became payable. */
  async function chargedBack({ owner, accountId }: Awaited<ReturnType<typeof sold>>, amountMinor: number) {
    const name = `Other ${(turn += 1)}`;
    const { id, reference } = await createPortfolio(owner, { name, visibility: PortfolioVisibility.premium }, worldNow);
    const own = member({ accountId, role: Role.user, pro: false, owns: [id], subscribes: [] });
    const buyer = await join(`buyer-${turn}`, worldNow);
    const prices = [{ currencyId: CurrencyId.GBP, amountMinor }];
    const plans = [{ period: 'month' as const, onSale: true, prices }];
    await decidedAt(worldNow, async () => {
      await setPlans(own, reference, { mainCurrencyId: CurrencyId.GBP, plans }, undefined, worldNow);
      const asked = { portfolio: reference, period: 'month' as const, amountMinor };
      const order = await startCheckout(buyer, asked, `order-${turn}`);
      await chooseOutcome(order.payUrl?.split('/').at(-1) ?? '', 'chargeback-later');
      await readOrder(buyer, order.reference);
    });
    await decidedAt(later(15), () => releaseEarnings(later(15)));
    await decidedAt(payday, () => payOut(own, reference, CurrencyId.GBP, `before-${turn}`, payday));
    await decidedAt(payday, sendPayouts);
    await decidedAt(payday, () => watchDisputes(payday));
    const [balance] = (await getEarnings(own, reference, payday)).balances;
    expect(balance?.payableMinor).toBe(-0.7 * amountMinor);
  }

  test('for another portfolio, what is owed is taken off', async () => {
    const shop = await sold(20_000);
    await chargedBack(shop, 10_000);
    expect(await ask(shop)).toEqual({ amountMinor: 14_000 - 7_000, status: 'approved' });
  });

  test('so much that too little is left, none is made, and it is said why', async () => {
    const shop = await sold(20_000);
    await chargedBack(shop, 18_000);
    await expect(ask(shop)).rejects.toMatchObject({
      kind: 'conflict',
      message:
        'You owe £126.00 from refunds or chargebacks of your other earnings. With that taken off, less than £25.00 is left to pay out. Request it again once more is payable.',
    });
  });

  test('for a portfolio, fees of an affiliate are kept for it too', async () => {
    const shop = await sold(20_000);
    const { code } = await becomeAffiliate(shop.owner as Member);
    await setFees(staff, [{ currencyId: CurrencyId.GBP, amountMinor: 9_000 }]);
    await sold(40_000, code);
    await decidedAt(later(15), () => releaseFees(later(15)));
    await ask(shop);
    await decidedAt(payday, sendPayouts);
    await chargedBack(shop, 6_000);
    const payOutFees = () => decidedAt(payday, () => payOutAffiliate(shop.owner, CurrencyId.GBP, 'fees', payday));
    expect(await payOutFees()).toEqual({ amountMinor: 9_000 - 4_200, status: 'approved' });
  });

  test('the monthly request looks at all that they have in a currency together', async () => {
    const shop = await sold(10_000);
    await chargedBack(shop, 7_000);
    const { code } = await becomeAffiliate(shop.owner as Member);
    await setFees(staff, [{ currencyId: CurrencyId.GBP, amountMinor: 2_000 }]);
    await sold(10_000, code);
    await decidedAt(later(15), () => releaseFees(later(15)));
    await choosePayouts(shop.owner, { monthly: true });
    // Neither £21.00 of portfolios nor £20.00 of fees is enough by itself.
    const april = new Date('2026-04-01T00:00:00.000Z');
    await decidedAt(april, () => requestMonthlyPayouts(april));
    expect((await getEarnings(shop.owner, shop.reference, april)).payouts).toMatchObject([
      { amountMinor: 2_100 + 2_000, status: 'approved' },
    ]);
  });
});
