import { sql } from 'kysely';
import type { IssuedSession } from '@/lib/accounts/schema';
import { listFees } from '@/lib/affiliates/queries';
import { getProSale } from '@/lib/memberships/queries';
import { moneyCurrencies } from '@/lib/money/schema';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, proveStaff, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { sellMonthly } from '../support/members';
import { type Answer, describeCall } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const reference = 'ann-football';
const given = {
  unverified: { confirmed: false },
  member: {},
  owner: {},
  'other owner': {},
  pro: {},
  admin: { role: Role.admin },
  'super admin': { role: Role.superAdmin },
} as const;
type Who = 'guest' | keyof typeof given;
const logins = new Map<Who, IssuedSession>();
const whoEver = ['guest', ...Object.keys(given)] as Who[];

let key = 0;
const as = (who: Who, name = `key-${(key += 1)}`): Record<string, string> => ({
  'idempotency-key': name,
  ...(who === 'guest' ? {} : bearer(logins.get(who) as IssuedSession)),
});

const answersTo = async (ask: (who: Who) => Promise<Answer>) => {
  const told: Partial<Record<Who, number>> = {};
  for (const who of whoEver) told[who] = (await ask(who)).status;
  return told;
};
const forStaff = {
  guest: 401,
  unverified: 403,
  member: 403,
  owner: 403,
  'other owner': 403,
  pro: 403,
  admin: 200,
  'super admin': 200,
};

beforeAll(async () => {
  standAt(worldNow);
  for (const [name, more] of Object.entries(given) as [keyof typeof given, { role?: Role }][]) {
    const login = await logIn(await openAccount(name.replace(' ', '-'), more, worldNow), worldNow, more.role);
    if (more.role !== undefined) await proveStaff(login, worldNow);
    logins.set(name, login);
  }
  for (const [who, name] of [
    ['owner', 'Ann Football'],
    ['other owner', 'Other tips'],
  ] as const) {
    const { id } = await createPortfolio(
      await viewerOf(logins.get(who) as IssuedSession, worldNow),
      { name, visibility: PortfolioVisibility.premium },
      worldNow,
    );
    await sellMonthly(id, worldNow);
  }
  await sql`update account set pro = true where username = 'pro'`.execute(database());
});

describeCall('/user/portfolio/{reference}/pro', 'PUT', (ask) => {
  test('is for the owner alone, refuses a body that is none, and says twice the same', async () => {
    const body = { tipledgerPro: true };
    expect(await answersTo((who) => ask({ params: { reference }, headers: as(who), body }))).toEqual({
      guest: 401,
      unverified: 403,
      member: 403,
      owner: 200,
      'other owner': 403,
      pro: 403,
      admin: 403,
      'super admin': 403,
    });
    for (const headers of [as('owner', 'twice'), as('owner', 'twice')])
      expect((await ask({ params: { reference }, headers, body })).view).toEqual(body);
    expect((await ask({ params: { reference }, headers: as('owner'), body: { tipledgerPro: 'yes' } })).status).toBe(
      400,
    );
    expect((await ask({ params: { reference: 'nobody' }, headers: as('owner'), body })).status).toBe(404);
    await ask({ params: { reference: 'other-tips' }, headers: as('other owner'), body });
  });
});

describeCall('/user/pro', 'GET', (ask) => {
  test('tells a member where they stand, and a guest to sign in', async () => {
    expect((await ask({})).status).toBe(401);
    expect((await ask({ headers: as('member') })).view).toMatchObject({ running: false, team: [], places: 5 });
    expect((await ask({ headers: as('pro') })).view).toMatchObject({
      running: true,
      candidates: [{ reference }, { reference: 'other-tips' }],
    });
  });
});

describeCall('/user/pro/team', 'PUT', (ask) => {
  test('fills places for whoever has Pro, refuses who has none and what cannot be chosen', async () => {
    const body = { portfolios: [reference] };
    expect(await answersTo((who) => ask({ headers: as(who, `team-${who.replace(' ', '-')}`), body }))).toEqual({
      guest: 401,
      unverified: 403,
      member: 403,
      owner: 403,
      'other owner': 403,
      pro: 200,
      admin: 403,
      'super admin': 403,
    });
    expect((await ask({ headers: as('pro', 'team-pro'), body })).view).toMatchObject({ team: [{ reference }] });
    expect((await ask({ headers: as('pro'), body })).status).toBe(400);
    for (const portfolios of [[], [reference, reference], 'all', ['a', 'b', 'c', 'd', 'e', 'f']])
      expect((await ask({ headers: as('pro'), body: { portfolios } })).status).toBe(400);
  });
});

describeCall('/user/pro/switch', 'POST', (ask) => {
  test('puts one in the place of another once a week, for whoever has Pro', async () => {
    const body = { out: reference, in: 'other-tips' };
    expect((await ask({ body })).status).toBe(401);
    expect((await ask({ headers: as('member'), body })).status).toBe(403);
    expect((await ask({ headers: as('pro'), body: { out: reference } })).status).toBe(400);
    for (const headers of [as('pro', 'swap'), as('pro', 'swap')])
      expect((await ask({ headers, body })).view).toMatchObject({ team: [{ reference: 'other-tips' }] });
    expect((await ask({ headers: as('pro'), body: { out: 'other-tips', in: reference } })).status).toBe(409);
    expect((await ask({ headers: as('pro'), body })).status).toBe(404);
  });
});

const reason = 'A test needs it.';
const noAmounts = (word: string) => Object.fromEntries(moneyCurrencies.map(({ code }) => [`${word}${code}`, '']));

describeCall('/admin/pro', 'POST', (ask) => {
  const order = {
    action: 'pro.prices',
    reason,
    seen: '',
    ...noAmounts('month'),
    ...noAmounts('year'),
    monthOnSale: 'true',
    yearOnSale: 'false',
    monthGBP: '49.00',
    monthJPY: '9000',
  };
  const send = (more: object = {}) => ask({ headers: as('admin'), body: { ...order, ...more } });

  test('is for staff alone, tries without doing, and is done once for what was seen', async () => {
    expect(await answersTo((who) => ask({ headers: as(who), body: { ...order, preview: 'true' } }))).toEqual(forStaff);
    expect((await send({ preview: 'true', reason: '' })).view).toMatchObject({ entry: null });
    expect((await getProSale()).open).toBe(false);
    expect((await send({ reason: '' })).refusal?.fields).toMatchObject({ reason: expect.any(String) });
    expect((await send()).view).toMatchObject({
      entry: expect.any(Number),
      before: { 'By month, on sale': false, 'By month, in GBP': null },
      after: { 'By month, on sale': true, 'By month, in GBP': '£49.00', 'By month, in EUR': null },
    });
    expect(await getProSale()).toMatchObject({
      open: true,
      plans: [
        {
          period: 'month',
          prices: [
            { currencyId: CurrencyId.GBP, amountMinor: 4900 },
            { currencyId: CurrencyId.JPY, amountMinor: 9000 },
          ],
        },
      ],
    });
    expect((await send()).status).toBe(409);
    const seen = 'month:on:1=4900,6=9000';
    expect((await send({ seen, monthJPY: '', monthGBP: '39.5' })).view).toMatchObject({
      before: { 'By month, in GBP': '£49.00' },
      after: { 'By month, in GBP': '£39.50', 'By month, in JPY': null },
    });
  });

  test.each([
    ['monthGBP', { monthGBP: '', monthEUR: '49' }],
    ['yearGBP', { yearOnSale: 'true' }],
    ['monthGBP', { monthGBP: '49.001' }],
    ['monthGBP', { monthGBP: '-49' }],
    ['monthGBP', { monthGBP: '1e3' }],
    ['monthGBP', { monthGBP: '0.99' }],
    ['monthGBP', { monthGBP: '10000.01' }],
    ['monthJPY', { monthJPY: '900.50' }],
    ['yearUSD', { yearUSD: undefined }],
    ['monthOnSale', { monthOnSale: 'perhaps' }],
    ['body', { weekGBP: '9' }],
    ['body', { monthUNITS: '9' }],
  ])('names the field %s where it refuses %j', async (field, more) => {
    const { status, refusal } = await send(more);
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [field]]);
  });
});

describeCall('/admin/affiliates', 'POST', (ask) => {
  const order = { action: 'affiliates.fees', reason, seen: '', ...noAmounts('fee'), feeGBP: '5.00' };
  const send = (more: object = {}) => ask({ headers: as('admin'), body: { ...order, ...more } });

  test('is for staff alone, tries without doing, and is done once for what was seen', async () => {
    expect(await answersTo((who) => ask({ headers: as(who), body: { ...order, preview: 'true' } }))).toEqual(forStaff);
    expect(await listFees()).toEqual([]);
    expect((await send({ reason: ' ' })).status).toBe(400);
    expect((await send()).view).toMatchObject({
      entry: expect.any(Number),
      before: { 'Fee in GBP': null },
      after: { 'Fee in GBP': '£5.00', 'Fee in EUR': null },
    });
    expect(await listFees()).toEqual([{ currencyId: CurrencyId.GBP, amountMinor: 500 }]);
    expect((await send()).status).toBe(409);
    expect((await send({ seen: '1=500', feeGBP: '' })).view).toMatchObject({
      before: { 'Fee in GBP': '£5.00' },
      after: { 'Fee in GBP': null },
    });
    expect(await listFees()).toEqual([]);
  });

  test.each([{ feeGBP: '0' }, { feeGBP: '1000.01' }, { feeGBP: 'five' }, { feeUNITS: '5' }, { feeEUR: undefined }])(
    'refuses %j',
    async (more) => {
      expect((await send(more)).status).toBe(400);
    },
  );
});

describeCall('/user/affiliate', 'POST', (ask) => {
  test('makes a member with a confirmed address an affiliate, once', async () => {
    expect((await ask({})).status).toBe(401);
    expect((await ask({ headers: as('unverified') })).status).toBe(403);
    const first = (await ask({ headers: as('member') })).view as { code: string };
    expect(first.code).toMatch(/^[a-z0-9]+$/);
    expect((await ask({ headers: as('member') })).view).toEqual(first);
    const headers = { ...as('member'), 'idempotency-key': 'affiliate' };
    for (const _ of [1, 2]) expect((await ask({ headers })).view).toEqual(first);
  });
});

describeCall('/affiliates/visits', 'POST', (ask) => {
  test('counts for everybody, tells nobody whose a code is, and refuses what is none', async () => {
    const { rows } = await sql<{ code: string }>`
      select affiliate_reference as code from account where username = 'member'
    `.execute(database());
    for (const code of [rows[0]?.code, 'nobody']) expect((await ask({ body: { code } })).status).toBe(200);
    for (const body of [{}, { code: '' }, { code: 'a b' }]) expect((await ask({ body })).status).toBe(400);
  });
});

describeCall('/user/affiliate', 'GET', (ask) => {
  test('tells a member what came of their link, and nobody of another’s', async () => {
    expect((await ask({})).status).toBe(401);
    expect((await ask({ headers: as('member') })).view).toMatchObject({
      visits: 1,
      signUps: 0,
      sales: 0,
      balances: [],
    });
    expect((await ask({ headers: as('pro') })).view).toMatchObject({ code: null, visits: 0 });
  });
});

describeCall('/user/affiliate/payout', 'POST', (ask) => {
  test('pays out what is payable, which is nothing yet', async () => {
    const body = { currencyId: CurrencyId.GBP };
    expect((await ask({ body })).status).toBe(401);
    expect((await ask({ headers: as('unverified'), body })).status).toBe(403);
    expect((await ask({ headers: as('member'), body: { currencyId: CurrencyId.UNITS } })).status).toBe(400);
    const { status, refusal } = await ask({ headers: as('member'), body });
    expect([status, refusal?.message]).toEqual([409, expect.stringContaining('The smallest payout is £25.00.')]);
  });
});
