import type { IssuedSession } from '@/lib/accounts/schema';
import { setPlans } from '@/lib/memberships/commands';
import { decidedAt } from '@/lib/platform/moment';
import { createPortfolio } from '@/lib/portfolios/commands';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { describeCall } from '../support/request';
import { onStripe } from '../support/stripe-server';
import { worldNow } from '../support/world';

onTestDatabase();
const stripe = onStripe();

const reference = 'ann-football';
const given = {
  unverified: { confirmed: false },
  member: {},
  owner: {},
  'other owner': {},
  admin: { role: Role.admin },
  'super admin': { role: Role.superAdmin },
} as const;
type Who = 'guest' | keyof typeof given;
const everybody: readonly Who[] = ['guest', ...(Object.keys(given) as (keyof typeof given)[])];
const logins = new Map<Who, IssuedSession>();
const as = (who: Who): Record<string, string> => (who === 'guest' ? {} : bearer(logins.get(who) as IssuedSession));

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
  const owner = await viewerOf(logins.get('owner') as IssuedSession, worldNow);
  await decidedAt(worldNow, () =>
    setPlans(
      owner,
      reference,
      {
        mainCurrencyId: CurrencyId.GBP,
        plans: [{ period: 'month', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: 2000 }] }],
      },
      undefined,
      worldNow,
    ),
  );
});

async function answersTo(ask: (who: Who) => Promise<{ status: number }>): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  for (const who of everybody) answers[who] = (await ask(who)).status;
  return answers;
}

const owners = { guest: 401, member: 403, 'other owner': 403, admin: 403, 'super admin': 403 };

describeCall('/user/portfolio/{reference}/coupons', 'POST', (ask) => {
  let codes = 0;

  test('is the owner’s, and a key makes one', async () => {
    expect(
      await answersTo((who) =>
        ask({ params: { reference }, headers: as(who), body: { code: `ACCESS${(codes += 1)}`, percent: 10 } }),
      ),
    ).toEqual({ ...owners, unverified: 403, owner: 201 });
    const sent = {
      params: { reference },
      headers: { ...as('owner'), 'idempotency-key': 'one' },
      body: { code: 'TWICE', amountMinor: 500 },
    };
    const [first, second] = [await ask(sent), await ask(sent)];
    expect([first.status, second.view]).toEqual([201, first.view]);
    expect((await ask({ ...sent, headers: as('owner') })).refusal).toMatchObject({
      status: 409,
      fields: { code: 'was used before' },
    });
  });

  test.each([
    ['no code', { percent: 10 }],
    ['a code with a blank', { code: 'TWO WORDS', percent: 10 }],
    ['nothing off', { code: 'NOTHING' }],
    ['both', { code: 'BOTH', percent: 10, amountMinor: 100 }],
    ['more than all', { code: 'MORE', percent: 101 }],
    ['a fraction', { code: 'PART', percent: 1.5 }],
    ['no payment', { code: 'NEVER', percent: 10, periods: 0 }],
    ['a plan twice', { code: 'AGAIN', percent: 10, plans: ['week', 'week'] }],
    ['an end that is past', { code: 'PAST', percent: 10, endsAt: '2020-01-01T00:00:00.000Z' }],
    ['more than is known', { code: 'KNOWN', percent: 10, free: true }],
  ])('refuses %s', async (_, body) => {
    expect((await ask({ params: { reference }, headers: as('owner'), body })).status).toBe(400);
  });
});

describeCall('/user/portfolio/{reference}/coupons', 'GET', (ask) => {
  test('is the owner’s', async () => {
    expect(await answersTo((who) => ask({ params: { reference }, headers: as(who) }))).toEqual({
      ...owners,
      unverified: 403,
      owner: 200,
    });
    expect((await ask({ params: { reference: 'nobody' }, headers: as('owner') })).status).toBe(404);
  });
});

describeCall('/user/portfolio/{reference}/coupons/{code}', 'DELETE', (ask) => {
  test('is the owner’s, once or twice', async () => {
    const params = { reference, code: 'TWICE' };
    expect(await answersTo((who) => ask({ params, headers: as(who) }))).toEqual({
      ...owners,
      unverified: 403,
      owner: 200,
    });
    expect((await ask({ params, headers: as('owner') })).status).toBe(200);
    expect((await ask({ params: { reference, code: 'NONE' }, headers: as('owner') })).status).toBe(404);
    expect((await ask({ params: { reference, code: 'a-b' }, headers: as('owner') })).status).toBe(400);
  });
});

describeCall('/notices/{provider}', 'POST', (ask) => {
  const event = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.created',
    data: { object: { id: 'cus_1', object: 'customer', metadata: {} } },
  });
  const params = { provider: 'stripe' };
  const at = Math.floor(worldNow.getTime() / 1000);

  test('is taken from whoever has the secret, twice as well, and from nobody else', async () => {
    const { body, signature } = stripe.sign(event, { at });
    for (const _ of [1, 2])
      expect(await ask({ params, body, headers: { 'stripe-signature': signature } })).toMatchObject({
        status: 200,
        view: { received: true },
      });
    expect((await ask({ params, body: `${body} `, headers: { 'stripe-signature': signature } })).status).toBe(400);
    expect(
      (await ask({ params, body, headers: { 'stripe-signature': stripe.sign(event, { at: at - 400 }).signature } }))
        .status,
    ).toBe(400);
    expect((await ask({ params, body })).status).toBe(400);
    expect(
      (await ask({ params: { provider: 'sandbox' }, body, headers: { 'stripe-signature': signature } })).status,
    ).toBe(400);
  });
});
