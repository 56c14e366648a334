import { sql } from 'kysely';
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { IssuedSession } from '@/lib/accounts/schema';
import type { Call } from '@/lib/api/handle';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { decidedAt } from '@/lib/platform/moment';
import { readAccessToken } from '@/lib/platform/tokens';
import { routeTable } from '@/lib/route-table';
import { logIn, openAccount } from '../support/accounts';
import { callsByKind } from '../support/access-calls';
import { type Known, known, lockedText } from '../support/access-kinds';
import { pagesByKind, readPagesByKind } from '../support/access-pages';
import { type CallAnswer, type CallKind, callMatrix, type Row, unmatched } from '../support/access-matrix';
import { type AccessWorld, type ForMembers, openAccessWorld, publishForMembers } from '../support/access-world';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { addressOf, doors, type Sent } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const badTokens = [
  'deleted',
  'signed-out',
  'stale',
  'from-the-past-key',
  'wrong-audience',
  'wrong-issuer',
  'wrong-type',
  'alg-none',
  'hmac-with-public-key',
  'altered',
  'of-another-account',
  'refresh-token',
  'nonsense',
  'basic',
] as const;

type BadToken = (typeof badTokens)[number];
type Who = 'guest' | Known | BadToken;
const visitors: readonly Who[] = ['guest', ...known, ...badTokens];
const rowOf = (who: Who): Row => (badTokens.includes(who as BadToken) ? 'bad token' : (who as Row));

const authorizations = new Map<Who, string>();
let world: AccessWorld;
let published: ForMembers;

async function makeBadTokens(
  login: IssuedSession,
  accountId: number,
): Promise<Record<(typeof badTokens)[number], string>> {
  const [deletedId, outId] = [
    await openAccount('deleted', {}, worldNow),
    await openAccount('signed-out', {}, worldNow),
  ];
  const [deleted, out] = [await logIn(deletedId, worldNow), await logIn(outId, worldNow)];
  const stale = await logIn(accountId, new Date(worldNow.getTime() - 601_000));
  await sql`update account set deleted_at = ${worldNow}, email = null, password_hash = null where id = ${deletedId}`.execute(
    database(),
  );
  await sql`update session set revoked_at = ${worldNow}, revoked_because = 'signed out' where account_id = ${outId}`.execute(
    database(),
  );
  const sessionId = (await readAccessToken(login.token, worldNow))?.sessionId ?? '';
  const seconds = worldNow.getTime() / 1000;
  const claims: JWTPayload = {
    sid: sessionId,
    role: 1,
    sub: String(accountId),
    iss: env().siteUrl,
    aud: 'tipledger-api',
    iat: seconds,
    exp: seconds + 600,
  };
  const keys = await sql<{
    id: string;
    private: Record<string, string>;
    public: { x: string };
  }>`select id, private_jwk as private, public_jwk as public from token_key order by signs_until desc limit 1`.execute(
    database(),
  );
  const [key] = keys.rows;
  if (!key) throw new Error('There is no key.');
  const ours = await crypto.subtle.importKey('jwk', key.private, 'Ed25519', false, ['sign']);
  const sign = (more: JWTPayload, header: object = {}) =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.id, ...header });
  const { privateKey: stranger } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const [head = '', body = '', signature = ''] = login.token.split('.');
  const raised = Buffer.from(JSON.stringify({ ...claims, role: 1, exp: seconds + 9_999 })).toString('base64url');
  return {
    deleted: deleted.token,
    'signed-out': out.token,
    stale: stale.token,
    'from-the-past-key': await sign({}).sign(stranger),
    'wrong-audience': await sign({ aud: 'another-api' }).sign(ours),
    'wrong-issuer': await sign({ iss: 'https://elsewhere.example' }).sign(ours),
    'wrong-type': await sign({}, { typ: 'JWT' }).sign(ours),
    'alg-none': new UnsecuredJWT(claims).encode(),
    'hmac-with-public-key': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.id })
      .sign(Buffer.from(key.public.x, 'base64url')),
    altered: [head, raised, signature].join('.'),
    'of-another-account': await sign({ sub: String(accountId + 1) }).sign(ours),
    'refresh-token': login.refreshToken,
    nonsense: body,
    basic: '',
  };
}

beforeAll(async () => {
  standAt(worldNow);
  world = await openAccessWorld(worldNow);
  published = await publishForMembers(world, worldNow);
  for (const [who, { login }] of Object.entries(world.people))
    authorizations.set(who as Known, `Bearer ${login.token}`);
  const { id, login } = world.people.member;
  for (const [who, token] of Object.entries(await makeBadTokens(login, id)))
    authorizations.set(who as BadToken, who === 'basic' ? 'Basic YW5uOmFubg==' : `Bearer ${token}`);
});

const reference = () => ({ params: { reference: world.portfolio.reference } });
const ofPost = () => ({ params: { ...reference().params, post: published.post } });

/** What the owner's calls are sent, that the owner is taken at their word and others are refused for no other reason than who they are. */
const ownersSent: Readonly<Record<string, () => Sent>> = {
  'PUT /user/portfolio': () => ({ body: { ...reference().params, name: 'Ann of the north' } }),
  'GET /user/portfolio/{reference}': () => reference(),
  'GET /user/portfolio/{reference}/autobets': () => reference(),
  'GET /user/portfolio/{reference}/earnings': () => reference(),
  'GET /user/portfolio/{reference}/earnings/export': () => reference(),
  'GET /user/portfolio/{reference}/membership/{id}': () => ({ params: { ...reference().params, id: 'abcdefghjk' } }),
  'POST /user/portfolio/{reference}/payout': () => ({ ...reference(), body: { currencyId: 1 } }),
  'GET /user/portfolio/{reference}/plans': () => reference(),
  'PUT /user/portfolio/{reference}/plans': () => ({
    ...reference(),
    body: {
      mainCurrencyId: 1,
      plans: [{ period: 'month', onSale: true, prices: [{ currencyId: 1, amountMinor: 2000 }] }],
    },
  }),
  'GET /user/portfolio/{reference}/webhook': () => reference(),
  'PUT /user/portfolio/{reference}/webhook': () => ({
    ...reference(),
    body: { address: 'https://hooks.example.org/tips' },
  }),
  'POST /user/portfolio/{reference}/webhook/secret': () => reference(),
  'POST /user/portfolio/{reference}/webhook/test': () => reference(),
  'DELETE /user/portfolio/{reference}/webhook': () => reference(),
  'GET /user/portfolio/{reference}/coupons': () => reference(),
  'POST /user/portfolio/{reference}/coupons': () => ({ ...reference(), body: { code: 'SPRING', percent: 10 } }),
  'DELETE /user/portfolio/{reference}/coupons/{code}': () => ({ params: { ...reference().params, code: 'NOTHERE' } }),
  'PUT /user/portfolio/{reference}/pro': () => ({ ...reference(), body: { tipledgerPro: true } }),
  'POST /user/portfolio/{reference}/abandon': () => reference(),
  'POST /user/portfolio/{reference}/posts/add-post': () => ({
    ...reference(),
    body: { title: 'A post', body: 'Text.' },
  }),
  'GET /user/portfolio/{reference}/posts/{post}': () => ofPost(),
  'PUT /user/portfolio/{reference}/posts/{post}': () => ({
    ...ofPost(),
    body: { title: 'A post', body: 'Text.', version: 1 },
  }),
  'POST /user/portfolio/{reference}/tips/add-tip': () => ({
    ...reference(),
    body: { legs: published.legs, stakeHundredths: 100 },
  }),
};

/** What the owner is told where this portfolio has no such member, coupon or webhook, and nothing to pay out. */
const ownersRefusals: Readonly<Record<string, number>> = {
  'GET /user/portfolio/{reference}/membership/{id}': 404,
  'POST /user/portfolio/{reference}/payout': 409,
  'POST /user/portfolio/{reference}/webhook/secret': 404,
  'POST /user/portfolio/{reference}/webhook/test': 404,
  'DELETE /user/portfolio/{reference}/webhook': 404,
  'DELETE /user/portfolio/{reference}/coupons/{code}': 404,
};

/** What is said in refusals, with their status. */
const refusals: Readonly<Record<Exclude<CallAnswer, 'yes'>, [number, RegExp]>> = {
  'sign in': [401, /^Forbidden\. Sign in, then/],
  renew: [401, /^Forbidden\. The access token is not valid or has expired: refresh it, or sign in again\.$/],
  confirm: [403, /^Confirm your e-mail address first/],
  suspended: [403, /^Your account is suspended/],
  'not owner': [403, /owner/],
  missing: [404, /^Not Found\. There is no such post/],
  'not staff': [403, /^This is for staff/],
  factor: [403, /^Enter your second-factor code first/],
};

type Asked = { name: string; kind: CallKind };
type Heard = { status: number; message: string; text: string; headers: Headers };

function doorOf(name: string): { call: Call; path: string; method: string } {
  const [method = '', path = ''] = name.split(' ');
  const call = doors[path]?.[method as 'GET'];
  if (!call) throw new Error(`There is no call ${name}.`);
  return { call, path, method };
}

const forAnybody: readonly CallKind[] = ['unidentified', 'public'];
const isOwners = (kind: CallKind) => kind.startsWith('owner');

async function knock({ name, kind }: Asked, credentials: Record<string, string>): Promise<Heard> {
  const { call, path, method } = doorOf(name);
  const sent = isOwners(kind) ? ownersSent[name]?.() : {};
  if (!sent) throw new Error(`Say in ownersSent what ${name} is sent.`);
  const { params = {}, body } = sent;
  const headers = { 'idempotency-key': 'one', 'content-type': 'application/json', ...credentials };
  const request = new Request(addressOf(path, { params }), {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await decidedAt(
    () => new Date(),
    () => call(request, { params: Promise.resolve(params) }),
  );
  const text = await response.text();
  const { status } = response;
  const message = status >= 400 ? (JSON.parse(text) as { message: string }).message : '';
  return { status, message, text, headers: response.headers };
}

/** What was heard, in the words of the matrix; all else than that in figures. */
function answerOf({ name, kind }: Asked, who: Who, { status, message, headers }: Heard): string {
  for (const [answer, [refused, words]] of Object.entries(refusals)) {
    if (kind !== 'owner post' && answer === 'missing') continue;
    if (!isOwners(kind) && answer === 'not owner') continue;
    const challenge = refused === 401 ? 'Bearer' : null;
    if (status === refused && words.test(message) && headers.get('www-authenticate') === challenge) return answer;
  }
  const told = `${status} ${message}`;
  if ([403, 500].includes(status) || (status === 401 && !forAnybody.includes(kind))) return told;
  if (isOwners(kind)) return [200, 201, ownersRefusals[name]].includes(status) ? 'yes' : told;
  const isKept = status === 200 && known.includes(who as Known) && !/no-store/.test(headers.get('cache-control') ?? '');
  return isKept ? `${told}, kept` : 'yes';
}

const rows: Asked[] = Object.entries(callsByKind).flatMap(([kind, names]) =>
  names.map((name) => ({ name, kind: kind as CallKind })),
);

test('every call and every page has one row in the matrix, and every row its call or page', () => {
  const found = Object.entries(doors).flatMap(([path, calls]) =>
    Object.keys(calls)
      .filter((method) => /^[A-Z]+$/.test(method))
      .map((method) => `${method} ${path}`),
  );
  const named = rows.map(({ name }) => name);
  const pages = routeTable.map(({ path }) => path);
  expect([found.length > 150, pages.length > 150]).toEqual([true, true]);
  expect([...unmatched(named, found), ...unmatched(Object.values(pagesByKind).flat(), pages)]).toEqual([]);
  expect(
    Object.values(readPagesByKind)
      .flat()
      .filter((path) => !pages.includes(path)),
  ).toEqual([]);
});

describe.each(rows)('$name', (asked) => {
  test('answers everybody as the matrix has it, and nobody but the owner with what is for members', async () => {
    const [got, wanted]: [Record<string, string>, Record<string, string>] = [{}, {}];
    for (const who of visitors) {
      await undone(async () => {
        const authorization = authorizations.get(who);
        const heard = await knock(asked, authorization === undefined ? {} : { authorization });
        const leaks = who !== 'owner' && heard.text.includes(lockedText);
        got[who] = `${answerOf(asked, who, heard)}${leaks ? ', with what is for members' : ''}`;
      })();
      wanted[who] = callMatrix[rowOf(who)][asked.kind];
    }
    expect(got).toEqual(wanted);
  });

  test('gives a session cookie without a bearer no more than a guest', () =>
    undone(async () => {
      const { cookie } = await logIn(world.people.member.id, worldNow);
      const { status } = await knock(asked, { cookie: `tipledger_session=${cookie}` });
      if (callMatrix.guest[asked.kind] === 'sign in') expect(status).toBe(401);
      else expect(status).not.toBe(500);
    })());
});
