import type { Method } from '@/lib/calls';
import { sql } from 'kysely';
import type { IssuedSession } from '@/lib/accounts/schema';
import type { Call } from '@/lib/api/handle';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { offer, sellMonthly } from '../support/members';
import { publishPost, publishTip } from '../support/moments';
import { doors, request, type Sent } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const reference = 'ann-football';
const secret = 'Only those who paid may read this.';

const given = {
  unverified: { confirmed: false },
  member: {},
  pro: { pro: true },
  subscriber: {},
  owner: {},
  'other owner': {},
  admin: { role: Role.admin },
  'super admin': { role: Role.superAdmin },
} as const;
type Who = 'guest' | keyof typeof given;
const everybody: readonly Who[] = [
  'guest',
  'unverified',
  'member',
  'pro',
  'subscriber',
  'owner',
  'other owner',
  'admin',
  'super admin',
];
/** Spec §4: who reads what is for members. */
const readers: readonly Who[] = ['subscriber', 'owner', 'admin', 'super admin'];

const logins = new Map<Who, IssuedSession>();
let [post, tip] = ['', ''];
let legs: unknown;

beforeAll(async () => {
  standAt(worldNow);
  for (const [name, more] of Object.entries(given) as [keyof typeof given, object][]) {
    const account: { role?: Role } = more;
    logins.set(name, await logIn(await openAccount(name.replace(' ', '-'), more, worldNow), worldNow, account.role));
  }
  const viewer = async (name: Who) => viewerOf(logins.get(name) as IssuedSession, worldNow);
  await createPortfolio(
    await viewer('other owner'),
    { name: 'Other tips', visibility: PortfolioVisibility.premium },
    worldNow,
  );
  const { id } = await createPortfolio(
    await viewer('owner'),
    { name: 'Ann Football', visibility: PortfolioVisibility.premium },
    worldNow,
  );
  await sellMonthly(id, worldNow);
  await sql`
    insert into membership (account_id, portfolio_id, starts_at, ends_at) select id, ${id}, ${worldNow}, ${worldNow}::timestamptz + interval '1 day' from account where username = 'subscriber'
  `.execute(database());
  const offered = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  legs = offered;
  const owner = await viewer('owner');
  ({ reference: tip } = await publishTip(
    owner,
    reference,
    { idempotencyKey: 'a', legs: offered, stakeHundredths: 100, free: false, analysis: secret },
    worldNow,
  ));
  ({ reference: post } = await publishPost(
    owner,
    reference,
    { idempotencyKey: 'a', title: 'The week', body: secret, premiumOnly: true, tips: [tip] },
    worldNow,
  ));
});

const headersOf = (who: Who): Record<string, string> => ({
  'idempotency-key': 'one',
  ...(who === 'guest' ? {} : bearer(logins.get(who) as IssuedSession)),
});

function doorOf(name: string): { call: Call; path: string; method: Method } {
  const [method = 'GET', path = ''] = name.split(' ') as [Method, string];
  const call = doors[path]?.[method];
  if (!call) throw new Error(`There is no call ${name}.`);
  return { call, path, method };
}

const ask = (name: string, who: Who, sent: Sent) => {
  const { call, path, method } = doorOf(name);
  return request(call, path, { ...sent, headers: headersOf(who) }, method);
};

/** Calls of an owner with what they are sent; a new one under this path that is not named here fails the test below. */
const ownersCalls: Readonly<Record<string, () => Sent>> = {
  'PUT /user/portfolio': () => ({ body: { reference, name: 'Ann of the north' } }),
  'GET /user/portfolio/{reference}': () => ({ params: { reference } }),
  'GET /user/portfolio/{reference}/autobets': () => ({ params: { reference } }),
  'GET /user/portfolio/{reference}/earnings': () => ({ params: { reference } }),
  'GET /user/portfolio/{reference}/earnings/export': () => ({ params: { reference } }),
  'GET /user/portfolio/{reference}/membership/{id}': () => ({ params: { reference, id: 'abcdefghjk' } }),
  'POST /user/portfolio/{reference}/payout': () => ({ params: { reference }, body: { currencyId: 1 } }),
  'GET /user/portfolio/{reference}/plans': () => ({ params: { reference } }),
  'PUT /user/portfolio/{reference}/plans': () => ({
    params: { reference },
    body: {
      mainCurrencyId: 1,
      plans: [{ period: 'month', onSale: true, prices: [{ currencyId: 1, amountMinor: 2000 }] }],
    },
  }),
  'GET /user/portfolio/{reference}/webhook': () => ({ params: { reference } }),
  'PUT /user/portfolio/{reference}/webhook': () => ({
    params: { reference },
    body: { address: 'https://hooks.example.org/tips' },
  }),
  'POST /user/portfolio/{reference}/webhook/secret': () => ({ params: { reference } }),
  'POST /user/portfolio/{reference}/webhook/test': () => ({ params: { reference } }),
  'DELETE /user/portfolio/{reference}/webhook': () => ({ params: { reference } }),
  'GET /user/portfolio/{reference}/coupons': () => ({ params: { reference } }),
  'POST /user/portfolio/{reference}/coupons': () => ({ params: { reference }, body: { code: 'SPRING', percent: 10 } }),
  'DELETE /user/portfolio/{reference}/coupons/{code}': () => ({ params: { reference, code: 'NOTHERE' } }),
  'PUT /user/portfolio/{reference}/pro': () => ({ params: { reference }, body: { tipledgerPro: true } }),
  'POST /user/portfolio/{reference}/abandon': () => ({ params: { reference } }),
  'POST /user/portfolio/{reference}/posts/add-post': () => ({
    params: { reference },
    body: { title: 'A post', body: 'Text.' },
  }),
  'GET /user/portfolio/{reference}/posts/{post}': () => ({ params: { reference, post } }),
  'PUT /user/portfolio/{reference}/posts/{post}': () => ({
    params: { reference, post },
    body: { title: 'A post', body: 'Text.', version: 1 },
  }),
  'POST /user/portfolio/{reference}/tips/add-tip': () => ({
    params: { reference },
    body: { legs, stakeHundredths: 100 },
  }),
};

/** What the owner is told where this portfolio has no such member, coupon or webhook, and nothing to pay out. */
const ownersRefusals: Readonly<Record<string, readonly number[]>> = {
  'GET /user/portfolio/{reference}/membership/{id}': [404],
  'POST /user/portfolio/{reference}/payout': [409],
  'POST /user/portfolio/{reference}/webhook/secret': [404],
  'POST /user/portfolio/{reference}/webhook/test': [404],
  'DELETE /user/portfolio/{reference}/webhook': [404],
  'DELETE /user/portfolio/{reference}/coupons/{code}': [404],
};

/** Spec §6: what everybody but the owner is told. What only the owner has a view of does not exist for others. */
function refusalOf(name: string, who: Who): [number, unknown] {
  if (who === 'guest') return [401, 'Forbidden. Sign in, then send the request again.'];
  if (who === 'unverified' && doorOf(name).call.declaration.access === 'confirmed')
    return [403, expect.stringMatching(/^Confirm your e-mail address first/)];
  if (name === 'GET /user/portfolio/{reference}/posts/{post}')
    return [404, expect.stringMatching(/^Not Found\. There is no such post/)];
  return [403, expect.stringMatching(/owner/)];
}

test('every call of an owner is named here', () => {
  const found = Object.entries(doors).flatMap(([path, methods]) =>
    path.startsWith('/user/portfolio/{')
      ? Object.keys(methods)
          .filter((method) => /^[A-Z]+$/.test(method))
          .map((method) => `${method} ${path}`)
      : [],
  );
  expect(found.filter((name) => !(name in ownersCalls))).toEqual([]);
});

describe.each(Object.entries(ownersCalls))('%s', (name, sent) => {
  test.each(everybody)('answers %s as the owner or refuses in words', (who) =>
    undone(async () => {
      const { status, refusal, text } = await ask(name, who, sent());
      if (who === 'owner') expect(ownersRefusals[name] ?? [200, 201]).toContain(status);
      else expect([status, refusal?.message]).toEqual(refusalOf(name, who));
      if (who !== 'owner') expect(text).not.toContain(secret);
    })(),
  );
});

const reads: Readonly<Record<string, () => Sent>> = {
  'GET /portfolio/{reference}/posts': () => ({ params: { reference } }),
  'GET /portfolio/{reference}/posts/{post}': () => ({ params: { reference, post } }),
  'GET /portfolio/{reference}/tips': () => ({ params: { reference } }),
  'GET /portfolio/{reference}/tips/recent': () => ({ params: { reference } }),
  'GET /portfolio/{reference}/tips/{tip}': () => ({ params: { reference, tip } }),
};

describe.each(Object.entries(reads))('%s', (name, sent) => {
  test.each(everybody)('gives %s what is for members only where they may read it', async (who) => {
    const { status, text } = await ask(name, who, sent());
    expect([status, text.includes(secret)]).toEqual([200, readers.includes(who)]);
  });

  test.each(everybody)('gives %s no more once the portfolio is hidden', (who) =>
    undone(async () => {
      const before = await ask(name, who, sent());
      await sql`update portfolio set visibility = ${PortfolioVisibility.hidden} where reference = ${reference}`.execute(
        database(),
      );
      await forget([`portfolio:${reference}`, 'posts', 'tips']);
      const { status, text } = await ask(name, who, sent());
      expect([status, text, text.includes(secret)]).toEqual([200, before.text, readers.includes(who)]);
    })(),
  );
});

const cachedReads: Readonly<Record<string, () => Sent>> = {
  'GET /portfolio/{reference}/posts/cached/{post}': () => ({ params: { reference, post } }),
  'GET /portfolio/{reference}/tips/cached/{tip}': () => ({ params: { reference, tip } }),
};

describe.each(Object.entries(cachedReads))('%s', (name, sent) => {
  test.each(everybody)('gives %s what a guest sees', async (who) => {
    const { status, text } = await ask(name, who, sent());
    expect([status, text]).toEqual([200, (await ask(name, 'guest', sent())).text]);
    expect(text).not.toContain(secret);
  });
});
