import type { Method } from '@/lib/calls';
import { sql } from 'kysely';
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { Access } from '@/lib/access/schema';
import type { IssuedSession } from '@/lib/accounts/schema';
import type { Call } from '@/lib/api/handle';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { readAccessToken } from '@/lib/platform/tokens';
import { createPortfolio } from '@/lib/portfolios/commands';
import { Role } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, proveStaff, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { addressOf, doors } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const people = [
  'unverified',
  'member',
  'pro',
  'owner',
  'other-owner',
  'admin',
  'super-admin',
  'unproven-staff',
  'suspended-staff',
] as const;
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

type Who = 'guest' | (typeof people)[number] | (typeof badTokens)[number];

const authorizations = new Map<Who, string>();

const given: Record<(typeof people)[number], { role?: Role; pro?: boolean; confirmed?: boolean }> = {
  unverified: { confirmed: false },
  member: {},
  pro: { pro: true },
  owner: {},
  'other-owner': {},
  admin: { role: Role.admin },
  'super-admin': { role: Role.superAdmin },
  'unproven-staff': { role: Role.superAdmin },
  'suspended-staff': { role: Role.superAdmin },
};

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
  for (const name of people) {
    const id = await openAccount(name, given[name], worldNow);
    const login = await logIn(id, worldNow, given[name].role);
    if (given[name].role !== undefined && name !== 'unproven-staff') await proveStaff(login, worldNow);
    if (name === 'suspended-staff')
      await sql`insert into suspension (account_id, reason) values (${id}, 'A test.')`.execute(database());
    if (name.includes('owner'))
      await createPortfolio(await viewerOf(login, worldNow), { name: `${name} tips` }, worldNow);
    authorizations.set(name, bearer(login).authorization ?? '');
    if (name === 'member')
      for (const [kind, token] of Object.entries(await makeBadTokens(login, id)))
        authorizations.set(kind as Who, kind === 'basic' ? 'Basic YW5uOmFubg==' : `Bearer ${token}`);
  }
});

const notStaff = {
  guest: 401,
  unverified: 403,
  member: 403,
  pro: 403,
  owner: 403,
  'other-owner': 403,
  'suspended-staff': 403,
} as const;

const refusedPeople: Record<Access, Partial<Record<Who, 401 | 403>>> = {
  unidentified: {},
  public: {},
  member: { guest: 401 },
  confirmed: { guest: 401, unverified: 403 },
  'staff-entry': notStaff,
  staff: { ...notStaff, 'unproven-staff': 403 },
  'super-admin': { ...notStaff, 'unproven-staff': 403, admin: 403 },
};

const calls = Object.entries(doors).flatMap(([path, methods]) =>
  (['GET', 'POST', 'PUT', 'DELETE'] as const).flatMap((method) =>
    methods[method] ? [{ name: `${method} ${path}`, path, method, call: methods[method] }] : [],
  ),
);

async function knock(
  call: Call,
  path: string,
  method: Method,
  who: Who,
): Promise<{ status: number; message: string; cache: string; challenge: string | null }> {
  const authorization = authorizations.get(who);
  const request = new Request(addressOf(path, {}), {
    method,
    headers: authorization === undefined ? {} : { authorization },
  });
  const response = await call(request, { params: Promise.resolve({}) });
  const text = await response.text();
  const message = response.status >= 400 ? (JSON.parse(text) as { message: string }).message : '';
  return {
    status: response.status,
    message,
    cache: response.headers.get('cache-control') ?? '',
    challenge: response.headers.get('www-authenticate'),
  };
}

test('the table holds every call that there is', () => {
  expect(calls.length).toBeGreaterThan(50);
  expect([...new Set(calls.map(({ call }) => call.declaration.access))]).toEqual(
    expect.arrayContaining(['unidentified', 'public', 'member', 'confirmed']),
  );
});

describe.each(calls)('$name', ({ path, method, call }) => {
  const { access } = call.declaration;

  test.each(['guest', ...people] as const)('lets in or refuses %s as it declares', (who) =>
    undone(async () => {
      const isWrite = method !== 'GET' && access !== 'unidentified' && !call.declaration.whileSuspended;
      const suspended = who === 'suspended-staff' && isWrite ? 403 : undefined;
      const expected = refusedPeople[access][who] ?? suspended;
      const { status, message, cache, challenge } = await knock(call, path, method, who);
      if (expected === undefined) {
        expect([403, 500]).not.toContain(status);
        expect(message).not.toMatch(/^Forbidden\. Sign in, then/);
        if (who !== 'guest' && status === 200) expect(cache).toMatch(/no-store/);
        return;
      }
      expect([status, challenge]).toEqual([expected, expected === 401 ? 'Bearer' : null]);
      expect(message).toMatch(expected === 401 ? /^Forbidden\. Sign in, then/ : /\S/);
    })(),
  );

  test('asks who comes with a token that is not good to refresh it, or reads none at all', async () => {
    for (const who of badTokens) {
      await undone(async () => {
        const { status, message } = await knock(call, path, method, who);
        if (access === 'unidentified') expect([who, message]).toEqual([who, expect.not.stringMatching(/access token/)]);
        else
          expect([who, status, message]).toEqual([
            who,
            401,
            'Forbidden. The access token is not valid or has expired: refresh it, or sign in again.',
          ]);
      })();
    }
  });

  test('gives a session cookie without a bearer no more than a guest', () =>
    undone(async () => {
      const id = await openAccount('cookie', {}, worldNow);
      const { cookie } = await logIn(id, worldNow);
      const request = new Request(addressOf(path, {}), { method, headers: { cookie: `tipledger_session=${cookie}` } });
      const { status } = await call(request, { params: Promise.resolve({}) });
      if (refusedPeople[access].guest) expect(status).toBe(401);
      else expect(status).not.toBe(500);
    })());
});
