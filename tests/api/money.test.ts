import { sql } from 'kysely';
import type { IssuedSession } from '@/lib/accounts/schema';
import { releaseEarnings } from '@/lib/memberships/commands';
import type { Earnings, MembershipView, OrderView } from '@/lib/memberships/schema';
import { sendPayouts } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { createPortfolio } from '@/lib/portfolios/commands';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { type Answer, describeCall, doors, request, type Sent } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const reference = 'ann-football';
const given = {
  unverified: { confirmed: false },
  member: {},
  other: {},
  owner: {},
  'other owner': {},
  admin: { role: Role.admin },
  'super admin': { role: Role.superAdmin },
} as const;
type Who = 'guest' | keyof typeof given;
const logins = new Map<Who, IssuedSession>();

let key = 0;
const as = (who: Who): Record<string, string> => ({
  'idempotency-key': `key-${(key += 1)}`,
  ...(who === 'guest' ? {} : bearer(logins.get(who) as IssuedSession)),
});

const plans = {
  mainCurrencyId: CurrencyId.GBP,
  plans: [{ period: 'month', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: 2000 }] }],
};
const bought = { portfolio: reference, period: 'month', amountMinor: 2000 };

beforeAll(async () => {
  standAt(worldNow);
  for (const [name, more] of Object.entries(given) as [keyof typeof given, { role?: Role }][])
    logins.set(name, await logIn(await openAccount(name.replace(' ', '-'), more, worldNow), worldNow, more.role));
  for (const [who, name] of [
    ['owner', 'Ann Football'],
    ['other owner', 'Other tips'],
  ] as const)
    await createPortfolio(
      await viewerOf(logins.get(who) as IssuedSession, worldNow),
      { name, visibility: PortfolioVisibility.premium },
      worldNow,
    );
  await call('PUT', '/user/portfolio/{reference}/plans', 'owner', { params: { reference }, body: plans });
});

async function call(method: 'GET' | 'POST' | 'PUT', path: string, who: Who, sent: Sent = {}): Promise<Answer> {
  const found = doors[path]?.[method];
  if (!found) throw new Error(`There is no call ${method} ${path}.`);
  return request(found, path, { ...sent, headers: { ...as(who), ...sent.headers } }, method);
}

const named = (who: Who, name: string) => ({ ...as(who), 'idempotency-key': name });

const paymentOf = (order: OrderView) => order.payUrl?.split('/').at(-1) ?? '';

async function ordered(who: Who): Promise<OrderView> {
  return (await call('POST', '/user/orders', who, { body: bought })).view as OrderView;
}

async function joined(who: Who): Promise<OrderView> {
  const order = await ordered(who);
  await call('POST', '/sandbox/payments/{payment}', who, {
    params: { payment: paymentOf(order) },
    body: { outcome: 'success' },
  });
  return (await call('GET', '/user/orders/{order}', who, { params: { order: order.reference } })).view as OrderView;
}

/** Takes everybody's membership and orders away, so that the next test begins anew. */
async function left(who: Who): Promise<void> {
  const { running } = (await call('GET', '/user/memberships', who)).view as { running: MembershipView[] };
  for (const { reference: membership } of running)
    await call('POST', '/user/memberships/{membership}/refund', who, { params: { membership: membership ?? '' } });
  await sql`update customer_order set status = 'cancelled' where status in ('open', 'processing')`.execute(database());
}

const whoEver: readonly Who[] = ['guest', 'unverified', 'member', 'owner', 'other owner', 'admin', 'super admin'];
const answersTo = async (ask: (who: Who) => Promise<Answer>) =>
  Object.fromEntries(await Promise.all(whoEver.map(async (who) => [who, (await ask(who)).status] as const)));

describeCall('/portfolio/{reference}/plans', 'GET', (ask) => {
  test('says to everybody what is sold, and 404 of what is not there', async () => {
    const { status, view } = await ask({ params: { reference } });
    expect(status).toBe(200);
    expect(view).toEqual({
      portfolioReference: reference,
      mainCurrencyId: CurrencyId.GBP,
      trialDays: 0,
      open: true,
      why: null,
      plans: [
        {
          period: 'month',
          prices: [{ currencyId: CurrencyId.GBP, amountMinor: 2000 }],
          tipsPromised: null,
          profitOrFree: false,
        },
      ],
    });
    expect((await ask({ params: { reference: 'nobody' } })).status).toBe(404);
  });
});

describeCall('/user/portfolio/{reference}/plans', 'GET', (ask) => {
  test('is for the owner alone', async () => {
    expect(await answersTo((who) => ask({ params: { reference }, headers: as(who) }))).toEqual({
      guest: 401,
      unverified: 403,
      member: 403,
      owner: 200,
      'other owner': 403,
      admin: 403,
      'super admin': 403,
    });
  });
});

describeCall('/user/portfolio/{reference}/plans', 'PUT', (ask) => {
  test('is for the owner alone', async () => {
    expect(await answersTo((who) => ask({ params: { reference }, headers: as(who), body: plans }))).toEqual({
      guest: 401,
      unverified: 403,
      member: 403,
      owner: 200,
      'other owner': 403,
      admin: 403,
      'super admin': 403,
    });
  });

  const plan = (more: object) => ({ ...plans, plans: [{ ...plans.plans[0], ...more }] });
  test.each([
    ['units, which are no money', { ...plans, mainCurrencyId: CurrencyId.UNITS }],
    ['a price of nothing', plan({ prices: [{ currencyId: 1, amountMinor: 0 }] })],
    ['a price with a fraction', plan({ prices: [{ currencyId: 1, amountMinor: 19.5 }] })],
    ['a plan on sale without a price in the main currency', plan({ prices: [{ currencyId: 3, amountMinor: 2000 }] })],
    ['a period twice', { ...plans, plans: [plans.plans[0], plans.plans[0]] }],
    ['a period that there is none of', plan({ period: 'day' })],
    ['a limit of no member', { ...plans, memberLimit: 0 }],
    ['a trial of 32 days', { ...plans, trialDays: 32 }],
    ['more than is known', { ...plans, free: true }],
  ])('refuses %s', async (_, body) => {
    const { status, refusal } = await ask({ params: { reference }, headers: as('owner'), body });
    expect([status, Object.keys(refusal?.fields ?? {}).length > 0]).toEqual([400, true]);
  });
});

describeCall('/user/checkout', 'GET', (ask) => {
  test('tells members what they would be charged, and guests nothing', async () => {
    const query = { portfolio: reference, period: 'month' };
    expect((await ask({ query, headers: as('guest') })).status).toBe(401);
    expect((await ask({ query, headers: as('member') })).view).toEqual({
      period: 'month',
      currencyId: CurrencyId.GBP,
      fullMinor: 2000,
      amountMinor: 2000,
      trialDays: 0,
      renewsAt: '2026-04-10T12:00:00.000Z',
      renewalMinor: 2000,
      coolingOffDays: 14,
      taxMinor: 0,
      coupon: null,
      couponPeriods: null,
      tipsPromised: null,
      profitOrFree: false,
    });
    expect((await ask({ query: { ...query, period: 'year' }, headers: as('member') })).status).toBe(404);
    expect((await ask({ query: { ...query, coupon: 'NONE' }, headers: as('member') })).status).toBe(400);
  });
});

describeCall('/user/orders', 'POST', (ask) => {
  afterEach(() => left('member'));

  test('is for members with a confirmed address who do not own the portfolio', async () => {
    expect(await answersTo((who) => ask({ headers: as(who), body: bought }))).toEqual({
      guest: 401,
      unverified: 403,
      member: 201,
      owner: 403,
      'other owner': 201,
      admin: 201,
      'super admin': 201,
    });
  });

  test('needs a key, and charges no other price than the one that was shown', async () => {
    const { 'idempotency-key': _, ...without } = as('member');
    expect((await ask({ headers: without, body: bought })).status).toBe(400);
    expect((await ask({ headers: as('member'), body: { ...bought, amountMinor: 1 } })).status).toBe(409);
    expect((await ask({ headers: as('member'), body: { ...bought, portfolio: 'nobody' } })).status).toBe(404);
    expect((await ask({ headers: as('member'), body: { ...bought, portfolio: 'other-tips' } })).status).toBe(409);
  });
});

describeCall('/user/orders/{order}', 'GET', (ask) => {
  test('is the payer’s alone', async () => {
    const { reference: order } = await ordered('member');
    expect(await answersTo((who) => ask({ params: { order }, headers: as(who) }))).toEqual({
      guest: 401,
      unverified: 404,
      member: 200,
      owner: 404,
      'other owner': 404,
      admin: 404,
      'super admin': 404,
    });
    await left('member');
  });
});

describeCall('/user/orders/{order}/cancel', 'POST', (ask) => {
  test('gives the payer’s own order up, once or twice', async () => {
    const { reference: order } = await ordered('member');
    expect((await ask({ params: { order }, headers: as('other') })).status).toBe(404);
    for (const _ of [1, 2])
      expect((await ask({ params: { order }, headers: as('member') })).view).toMatchObject({ status: 'cancelled' });
  });

  test('is done once under a key, which is for no other order', async () => {
    const { reference: order } = await ordered('member');
    for (const _ of [1, 2])
      expect((await ask({ params: { order }, headers: named('member', 'give-up') })).view).toMatchObject({
        status: 'cancelled',
      });
    const kept = await sql`select answer from named_write where idempotency_key = 'give-up'`.execute(database());
    expect(kept.rows).toEqual([{ answer: {} }]);
    const { reference: other } = await ordered('member');
    expect((await ask({ params: { order: other }, headers: named('member', 'give-up') })).status).toBe(409);
    expect((await ask({ params: { order: other }, headers: as('member') })).view).toMatchObject({
      status: 'cancelled',
    });
  });
});

describeCall('/sandbox/payments/{payment}', 'POST', (ask) => {
  test('is the payer’s alone, and decided once', async () => {
    const payment = paymentOf(await ordered('member'));
    const body = { outcome: 'declined' };
    expect(
      await answersTo(async (who) =>
        who === 'member'
          ? ask({ params: { payment }, headers: as('other'), body })
          : ask({ params: { payment }, headers: as(who), body }),
      ),
    ).toEqual({
      guest: 401,
      unverified: 404,
      member: 404,
      owner: 404,
      'other owner': 404,
      admin: 404,
      'super admin': 404,
    });
    expect((await ask({ params: { payment }, headers: as('member'), body })).view).toMatchObject({ status: 'failed' });
    expect((await ask({ params: { payment }, headers: as('member'), body })).status).toBe(409);
    expect((await ask({ params: { payment }, headers: as('member'), body: { outcome: 'free' } })).status).toBe(400);
    await left('member');
  });
});

describeCall('/user/memberships', 'GET', (ask) => {
  test('holds what is the member’s own, and is nothing for guests', async () => {
    await joined('member');
    expect((await ask({ headers: as('guest') })).status).toBe(401);
    expect((await ask({ headers: as('other') })).view).toEqual({ running: [], past: [], receipts: [] });
    expect((await ask({ headers: as('member') })).view).toMatchObject({
      running: [{ portfolioReference: reference, state: 'active' }],
    });
    await left('member');
  });
});

describeCall('/user/memberships/{membership}/cancel', 'POST', (ask) => {
  test('is the member’s own to do, and the same the second time', async () => {
    const { membership } = await joined('member');
    const params = { membership: membership ?? '' };
    expect((await ask({ params, headers: as('guest') })).status).toBe(401);
    for (const who of ['other', 'owner', 'super admin'] as const)
      expect((await ask({ params, headers: as(who) })).status).toBe(404);
    for (const _ of [1, 2])
      expect((await ask({ params, headers: as('member') })).view).toMatchObject({ state: 'cancelled' });
    await left('member');
  });

  test('a try under the same key that comes late takes nothing back, and a key is for one request', async () => {
    const { membership } = await joined('member');
    const params = { membership: membership ?? '' };
    const cancel = () => ask({ params, headers: named('member', 'cancel') });
    const headers = { 'idempotency-key': 'keep' };
    const keep = () => call('POST', '/user/memberships/{membership}/keep', 'member', { params, headers });
    const states = [await cancel(), await keep(), await cancel(), await keep()];
    expect(states.map(({ view }) => (view as MembershipView).state)).toEqual([
      'cancelled',
      'active',
      'active',
      'active',
    ]);
    const { running } = (await call('GET', '/user/memberships', 'member')).view as { running: MembershipView[] };
    expect(running).toMatchObject([{ state: 'active' }]);
    expect((await ask({ params: { membership: 'abcdefghjk' }, headers: named('member', 'keep') })).status).toBe(409);
    await left('member');
  });
});

describeCall('/user/memberships/{membership}/card', 'POST', (ask) => {
  test('leads the member, and nobody else, to a page for another card, which is the same until something came of it', async () => {
    const { membership } = await joined('member');
    const params = { membership: membership ?? '' };
    expect(await answersTo((who) => ask({ params, headers: as(who === 'member' ? 'other' : who) }))).toEqual({
      guest: 401,
      unverified: 404,
      member: 404,
      owner: 404,
      'other owner': 404,
      admin: 404,
      'super admin': 404,
    });
    const pages = [await ask({ params, headers: as('member') }), await ask({ params, headers: as('member') })];
    expect(pages.map(({ status, view }) => [status, (view as { payUrl: string }).payUrl])).toEqual([
      [200, expect.stringContaining('/dashboard/sandbox/')],
      [200, (pages[0]?.view as { payUrl: string }).payUrl],
    ]);
    await left('member');
    expect((await ask({ params, headers: as('member') })).status).toBe(409);
  });

  test('is about the same change under the same key, whatever came of it', async () => {
    const { membership } = await joined('member');
    const params = { membership: membership ?? '' };
    const change = async (name: string) => (await ask({ params, headers: named('member', name) })).view as OrderView;
    const { payUrl } = await change('card');
    expect((await change('card')).payUrl).toBe(payUrl);
    await call('POST', '/sandbox/payments/{payment}', 'member', {
      params: { payment: payUrl?.split('/').at(-1) ?? '' },
      body: { outcome: 'success' },
    });
    expect(await change('card')).toMatchObject({ status: 'succeeded', payUrl: null });
    expect(await change('another')).toMatchObject({ status: 'started', payUrl: expect.any(String) });
    await left('member');
  });
});

describeCall('/user/memberships/{membership}/card', 'GET', (ask) => {
  test('tells the member alone how it is charged, and what came of the last change', async () => {
    const { membership } = await joined('member');
    const params = { membership: membership ?? '' };
    const read = async () => (await ask({ params, headers: as('member') })).view;
    expect(await read()).toMatchObject({ status: null, card: { label: 'Sandbox card ending in 4242' } });
    const { view } = await call('POST', '/user/memberships/{membership}/card', 'member', { params });
    await call('POST', '/sandbox/payments/{payment}', 'member', {
      params: { payment: paymentOf(view as OrderView) },
      body: { outcome: 'declined-later' },
    });
    expect(await read()).toMatchObject({ status: 'succeeded', card: { label: expect.stringContaining('0341') } });
    expect((await ask({ params, headers: as('guest') })).status).toBe(401);
    for (const who of ['other', 'owner', 'super admin'] as const)
      expect((await ask({ params, headers: as(who) })).status).toBe(404);
    await left('member');
  });
});

describeCall('/user/memberships/{membership}/keep', 'POST', (ask) => {
  test('takes a cancellation back', async () => {
    const { membership } = await joined('member');
    const params = { membership: membership ?? '' };
    await call('POST', '/user/memberships/{membership}/cancel', 'member', { params });
    expect((await ask({ params, headers: as('other') })).status).toBe(404);
    expect((await ask({ params, headers: as('member') })).view).toMatchObject({ state: 'active' });
    await left('member');
  });
});

describeCall('/user/memberships/{membership}/refund', 'POST', (ask) => {
  test('ends the membership at once, which opens nothing from then on', async () => {
    const { membership } = await joined('member');
    const params = { membership: membership ?? '' };
    const subscribes = async () =>
      (await viewerOf(logins.get('member') as IssuedSession, worldNow)) as { subscribes?: number[] };
    expect((await subscribes()).subscribes).toHaveLength(1);
    expect((await ask({ params, headers: as('other') })).status).toBe(404);
    expect((await ask({ params, headers: as('member') })).view).toMatchObject({ state: 'ended' });
    expect((await subscribes()).subscribes).toEqual([]);
    expect((await ask({ params, headers: as('member') })).status).toBe(409);
  });

  test('whose answer was lost is answered alike under the same key, and gives back once', async () => {
    const { membership } = await joined('member');
    const params = { membership: membership ?? '' };
    const refunds = async () =>
      (await sql<{ count: number }>`select count(*)::int as count from refund`.execute(database())).rows[0]?.count ?? 0;
    const before = await refunds();
    const first = await ask({ params, headers: named('member', 'refund') });
    expect(first.view).toMatchObject({ state: 'ended' });
    const again = await ask({ params, headers: named('member', 'refund') });
    expect([again.status, again.view, await refunds()]).toEqual([200, first.view, before + 1]);
  });
});

const owners = { guest: 401, unverified: 403, member: 403, 'other owner': 403, admin: 403, 'super admin': 403 };

describeCall('/user/portfolio/{reference}/earnings', 'GET', (ask) => {
  test('is for the owner alone, and agrees with what was sold', async () => {
    await joined('other');
    expect(await answersTo((who) => ask({ params: { reference }, headers: as(who) }))).toEqual({
      ...owners,
      owner: 200,
    });
    const { view } = await ask({ params: { reference }, headers: as('owner') });
    const { months, balances } = view as Earnings;
    const sum = (pick: (month: Earnings['months'][number]) => number) =>
      months.reduce((all, month) => all + pick(month), 0);
    expect(balances).toEqual([
      {
        currencyId: CurrencyId.GBP,
        heldMinor: sum(({ earnedMinor }) => earnedMinor),
        payableMinor: 0,
        onTheWayMinor: 0,
        paidMinor: 0,
      },
    ]);
    expect(sum(({ soldMinor, refundedMinor, chargedBackMinor }) => soldMinor - refundedMinor - chargedBackMinor)).toBe(
      sum(({ feeMinor, earnedMinor }) => feeMinor + earnedMinor),
    );
    expect(months[0]).toMatchObject({ month: '2026-03', period: 'month', affiliateMinor: 0, morePostings: 0 });
    for (const { postings, feeMinor } of months)
      expect(
        postings
          .flatMap(({ lines }) => lines)
          .reduce((all, { account, amountMinor }) => all + (account === 'platform' ? amountMinor : 0), 0),
      ).toBe(feeMinor);
  });
});

describeCall('/user/portfolio/{reference}/earnings/export', 'GET', (ask) => {
  test('gives the owner every line, which come to nothing', async () => {
    expect(await answersTo((who) => ask({ params: { reference }, headers: as(who) }))).toEqual({
      ...owners,
      owner: 200,
    });
    const { text } = await ask({ params: { reference }, headers: as('owner') });
    const lines = text.trim().split('\r\n').slice(1);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.reduce((sum, line) => sum + Number(line.split(',').at(-1)), 0)).toBe(0);
  });
});

describeCall('/user/portfolio/{reference}/membership/{id}', 'GET', (ask) => {
  test('says to the owner who a member is, and to nobody else', async () => {
    const { running } = (await call('GET', '/user/memberships', 'other')).view as { running: MembershipView[] };
    const params = { reference, id: running[0]?.reference ?? '' };
    expect(await answersTo((who) => ask({ params, headers: as(who) }))).toEqual({ ...owners, owner: 200 });
    expect((await ask({ params, headers: as('owner') })).view).toMatchObject({ username: 'other', isRunning: true });
    expect((await ask({ params: { ...params, id: 'abcdefghjk' }, headers: as('owner') })).status).toBe(404);
  });
});

describeCall('/user/portfolio/{reference}/payout', 'POST', (ask) => {
  test('is for the owner alone, from 25 on, once, and booked when the provider has paid', async () => {
    const body = { currencyId: CurrencyId.GBP };
    expect(await answersTo((who) => ask({ params: { reference }, headers: as(who), body }))).toEqual({
      ...owners,
      owner: 409,
    });
    await joined('member');
    const later = new Date(worldNow.getTime() + 15 * 86_400_000);
    await decidedAt(later, () => releaseEarnings(later));
    const headers = as('owner');
    const answers = await Promise.all([1, 2].map(() => ask({ params: { reference }, headers, body })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.view).toEqual(answers[1]?.view);
    const { amountMinor } = answers[0]?.view as { amountMinor: number };
    expect(amountMinor).toBeGreaterThanOrEqual(2500);
    expect((await ask({ params: { reference }, headers: as('owner'), body })).status).toBe(409);
    const earned = () => call('GET', '/user/portfolio/{reference}/earnings', 'owner', { params: { reference } });
    expect((await earned()).view).toMatchObject({
      balances: [{ payableMinor: 0, onTheWayMinor: amountMinor, paidMinor: 0 }],
      payouts: [{ amountMinor, status: 'approved', because: null }],
    });
    for (const _ of [1, 2]) await decidedAt(later, sendPayouts);
    const { balances, payouts } = (await earned()).view as Earnings;
    expect(balances).toMatchObject([{ payableMinor: 0, onTheWayMinor: 0, paidMinor: amountMinor }]);
    expect(payouts).toMatchObject([{ amountMinor, status: 'paid' }]);
    expect((await call('GET', '/user/portfolio/{reference}', 'owner', { params: { reference } })).view).toMatchObject({
      totalPayout: amountMinor,
    });
    expect(await listBookProblems()).toEqual([]);
  });
});

const confirmed = {
  guest: 401,
  unverified: 403,
  member: 200,
  owner: 200,
  'other owner': 200,
  admin: 200,
  'super admin': 200,
};

describeCall('/user/payouts', 'GET', (ask) => {
  test('tells a confirmed member that they request each payout themselves', async () => {
    expect(await answersTo((who) => ask({ headers: as(who) }))).toEqual(confirmed);
    expect((await ask({ headers: as('owner') })).view).toEqual({ monthly: false });
  });
});

describeCall('/user/payouts', 'PUT', (ask) => {
  test('has confirmed members paid each month, until they want it no more', async () => {
    expect(await answersTo((who) => ask({ headers: as(who), body: { monthly: true } }))).toEqual(confirmed);
    expect((await call('GET', '/user/payouts', 'owner')).view).toEqual({ monthly: true });
    for (const _ of [1, 2])
      expect((await ask({ headers: as('owner'), body: { monthly: false } })).view).toEqual({ monthly: false });
    expect((await call('GET', '/user/payouts', 'owner')).view).toEqual({ monthly: false });
    expect((await ask({ headers: as('owner'), body: { monthly: 'yes' } })).status).toBe(400);
  });

  test('is done once under a key: a try that comes late changes nothing', async () => {
    const choose = (monthly: boolean, name: string) => ask({ headers: named('owner', name), body: { monthly } });
    for (const [monthly, name, outcome] of [
      [true, 'on', true],
      [false, 'off', false],
      [true, 'on', false],
    ] as const)
      expect((await choose(monthly, name)).view).toEqual({ monthly: outcome });
    expect((await call('GET', '/user/payouts', 'owner')).view).toEqual({ monthly: false });
    expect((await choose(true, 'off')).status).toBe(409);
  });
});

describeCall('/user/payee', 'GET', (ask) => {
  test('tells a confirmed member that the sandbox needs nothing of them', async () => {
    expect(await answersTo((who) => ask({ headers: as(who) }))).toEqual({
      guest: 401,
      unverified: 403,
      member: 200,
      owner: 200,
      'other owner': 200,
      admin: 200,
      'super admin': 200,
    });
    expect((await ask({ headers: as('owner') })).view).toEqual({ payee: null });
  });
});

describeCall('/user/payee', 'POST', (ask) => {
  test('leads nowhere in the sandbox, and says so', async () => {
    expect(await answersTo((who) => ask({ headers: as(who), body: {} }))).toEqual({
      guest: 401,
      unverified: 403,
      member: 409,
      owner: 409,
      'other owner': 409,
      admin: 409,
      'super admin': 409,
    });
    expect((await ask({ headers: as('owner'), body: { portfolio: '//evil' } })).status).toBe(400);
  });
});
