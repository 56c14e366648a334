import { sql } from 'kysely';
import { closeAllSessions, closeSession, pruneAccounts, refreshSession } from '@/lib/accounts/commands';
import { listSessions } from '@/lib/accounts/queries';
import type { IssuedSession } from '@/lib/accounts/schema';
import { viewerOfCookie, viewerOfRequest } from '@/lib/http/viewer-identity';
import { database } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { pruneTokenKeys, readAccessToken, signAccessToken } from '@/lib/platform/tokens';
import { Role } from '@/lib/reference/schema';
import { bearer, callerFrom, logIn, openAccount, viewerOf } from '../support/accounts';
import { onTestDatabase } from '../support/database';
import { trialSize } from '../support/trial-size';
import { worldNow } from '../support/world';

onTestDatabase();

// A run of many more rounds is asked for by the environment.
const rounds = trialSize('REFRESH_ROUNDS', 60);
const patience = 30_000 + rounds * 500;

const after = (seconds: number, from = worldNow) => new Date(from.getTime() + seconds * 1000);
const caller = callerFrom('192.0.2.1');
const tokensOf = ({ token, refreshToken }: IssuedSession) => ({ accessToken: token, refreshToken });
const refresh = (login: IssuedSession, now: Date, cookie: string | null = login.cookie) =>
  refreshSession(tokensOf(login), { ...caller, cookie }, now);

const kindOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isFailure(error) ? error.kind : String(error)),
  );

async function liveTokens(accountId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from refresh_token join session on session.id = session_id
    where account_id = ${accountId} and refresh_token.used_at is null and revoked_at is null
  `.execute(database());
  return rows[0]?.count ?? 0;
}

const isSignedIn = async (login: IssuedSession, now: Date) =>
  (await viewerOfRequest(new Request('http://localhost/x', { headers: bearer(login) }), now)).kind === 'member';

let accountId = 0;
beforeAll(async () => {
  accountId = await openAccount('ann', {}, worldNow);
});

describe('a refresh', () => {
  test('gives a new pair, of which each token is another, and the access token names account, login and role', async () => {
    const login = await logIn(accountId, worldNow);
    const next = await refresh(login, after(60));
    expect(new Set([login.refreshToken, next.refreshToken, login.token, next.token]).size).toBe(4);
    expect(await readAccessToken(next.token, after(60))).toMatchObject({ accountId, role: Role.user });
    expect(next.cookie).toBe(login.cookie);
  });

  test('works with an access token that has expired long ago, for as long as the refresh token lives', async () => {
    const login = await logIn(accountId, worldNow);
    expect(await readAccessToken(login.token, after(601))).toBeNull();
    expect(await kindOf(refresh(login, after(30 * 86_400 - 1)))).toBe('done');
    const other = await logIn(accountId, worldNow);
    expect(await kindOf(refresh(other, after(30 * 86_400)))).toBe('invalid');
  });

  test('is refused for a token that is unknown, and for an access token of another login, altered or missing', async () => {
    const [login, other] = [await logIn(accountId, worldNow), await logIn(accountId, worldNow)];
    expect(await kindOf(refreshSession({ ...tokensOf(login), refreshToken: 'nothing' }, caller, worldNow))).toBe(
      'invalid',
    );
    for (const accessToken of [other.token, `${login.token.slice(0, -4)}AAAA`, '']) {
      expect(await kindOf(refreshSession({ accessToken, refreshToken: login.refreshToken }, caller, worldNow))).toBe(
        'invalid',
      );
    }
    expect(await kindOf(refresh(login, worldNow))).toBe('done');
  });

  test('gives the browser back a cookie that was lost or is of another login, and the old one holds no more', async () => {
    const login = await logIn(accountId, worldNow);
    const next = await refresh(login, after(1), null);
    expect(next.cookie).not.toBe(login.cookie);
    expect([(await viewerOf(next, after(1))).kind, (await viewerOf(login, after(1))).kind]).toEqual([
      'member',
      'guest',
    ]);
  });

  test(
    'of one token many times at once leaves one live token and signs nobody out',
    async () => {
      const id = await openAccount('racer', {}, worldNow);
      for (let round = 0; round < rounds; round += 1) {
        const login = await logIn(id, after(round));
        const before = await liveTokens(id);
        const copies = 2 + (round % 19);
        const all = await Promise.all(
          Array.from({ length: copies }, (_, copy) => refresh(login, after(round + copy / 20))),
        );
        expect(new Set(all.map(({ refreshToken }) => refreshToken)).size).toBe(1);
        expect(await liveTokens(id)).toBe(before);
        const last = all.at(-1) as IssuedSession;
        expect(await isSignedIn(last, after(round + 2))).toBe(true);
        expect(await kindOf(refresh(last, after(round + 40)))).toBe('done');
        await closeSession({ refreshToken: last.refreshToken }, caller, after(round + 41));
      }
    },
    patience,
  );

  test(
    'of a used token gives the same successor within 30 seconds, and ends the login after them',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const login = await logIn(accountId, worldNow);
        const next = await refresh(login, after(10));
        expect((await refresh(login, after(40))).refreshToken).toBe(next.refreshToken);
        expect(await isSignedIn(next, after(41))).toBe(true);
        expect(await kindOf(refresh(login, after(40.001 + round)))).toBe('conflict');
        expect(await kindOf(refresh(next, after(42 + round)))).toBe('invalid');
        expect(await kindOf(isSignedIn(next, after(42 + round)))).toBe('unauthorised');
        expect((await viewerOfCookie(next.cookie, after(42 + round))).kind).toBe('guest');
      }
    },
    patience,
  );

  test('finds tabs that lag behind: an older token within its window leads to the present one, step by step', async () => {
    const first = await logIn(accountId, worldNow);
    const second = await refresh(first, after(5));
    const third = await refresh(second, after(10));
    const lagging = await refresh(first, after(30));
    expect(lagging.refreshToken).toBe(second.refreshToken);
    expect((await refresh(lagging, after(31))).refreshToken).toBe(third.refreshToken);
  });

  test('of another login goes on when one is ended for reuse', async () => {
    const [stolen, other] = [await logIn(accountId, worldNow), await logIn(accountId, worldNow)];
    await refresh(stolen, after(1));
    expect(await kindOf(refresh(stolen, after(60)))).toBe('conflict');
    expect(await kindOf(refresh(other, after(60)))).toBe('done');
  });

  test('leaves nothing in the database from which a token can be read', async () => {
    const login = await logIn(accountId, worldNow);
    const next = await refresh(login, after(1));
    const { rows } = await sql<{ text: string }>`
      select string_agg(refresh_token::text, ' ') || (select string_agg(session::text, ' ') from session) as text from refresh_token
    `.execute(database());
    for (const secret of [login.refreshToken, next.refreshToken, login.cookie])
      expect(rows[0]?.text).not.toContain(secret);
  });

  test('gives the role that the account has now', async () => {
    const id = await openAccount('riser', {}, worldNow);
    const login = await logIn(id, worldNow);
    await sql`update account set role = ${Role.admin} where id = ${id}`.execute(database());
    expect((await refresh(login, after(1))).role).toBe(Role.admin);
  });
});

describe('a login', () => {
  test('ends by its refresh token, or by its cookie alone, and only itself', async () => {
    const [one, two, three] = [
      await logIn(accountId, worldNow),
      await logIn(accountId, worldNow),
      await logIn(accountId, worldNow),
    ];
    await closeSession({ refreshToken: one.refreshToken }, caller, worldNow);
    await closeSession({ refreshToken: '' }, { ...caller, cookie: two.cookie }, worldNow);
    await closeSession({ refreshToken: 'unknown' }, caller, worldNow);
    const kinds = await Promise.all([one, two, three].map(async (login) => (await viewerOf(login, worldNow)).kind));
    expect(kinds).toEqual(['guest', 'guest', 'member']);
  });

  test('is listed with where it came from, the present one marked, until all are ended', async () => {
    const id = await openAccount('lister', {}, worldNow);
    const [old, present] = [await logIn(id, worldNow), await logIn(id, after(60))];
    const viewer = await viewerOf(present, after(61));
    const listed = await listSessions(viewer, after(61));
    expect(listed.map(({ device, address, current }) => [device, address, current])).toEqual([
      ['Test browser', '192.0.2.1', true],
      ['Test browser', '192.0.2.1', false],
    ]);
    expect((await listSessions(await viewerOf(old, after(61)), after(61))).map(({ current }) => current)).toEqual([
      true,
      false,
    ]);
    await closeAllSessions(viewer, after(62));
    expect(await listSessions(viewer, after(62))).toEqual([]);
    expect([await kindOf(refresh(old, after(63))), await kindOf(refresh(present, after(63)))]).toEqual([
      'invalid',
      'invalid',
    ]);
  });

  test('acts no more at once when the account is deleted or loses its role', async () => {
    const id = await openAccount('fallen', { role: Role.superAdmin }, worldNow);
    const login = await logIn(id, worldNow, Role.superAdmin);
    const look = () => viewerOfRequest(new Request('http://localhost/x', { headers: bearer(login) }), after(1));
    expect(await look()).toMatchObject({ role: Role.superAdmin });
    await sql`update account set role = 0 where id = ${id}`.execute(database());
    expect(await look()).toMatchObject({ role: Role.user });
    await sql`update account set deleted_at = ${worldNow}, email = null, password_hash = null where id = ${id}`.execute(
      database(),
    );
    expect(await kindOf(look())).toBe('unauthorised');
    expect((await viewerOf(login, after(1))).kind).toBe('guest');
    expect(await kindOf(refresh(login, after(2)))).toBe('invalid');
  });

  test('is swept away once it has expired, and not before', async () => {
    const id = await openAccount('swept', {}, worldNow);
    const login = await logIn(id, worldNow);
    await pruneAccounts(after(30 * 86_400));
    expect(await liveTokens(id)).toBe(1);
    await pruneAccounts(after(30 * 86_400 + 1));
    const { rows } = await sql`select 1 from session where account_id = ${id}`.execute(database());
    expect(rows).toEqual([]);
    expect(await kindOf(refresh(login, after(30 * 86_400 + 1)))).toBe('invalid');
  });
});

describe('the key of access tokens', () => {
  test('can be replaced: new tokens are signed by the new one, old ones are believed until it is swept away', async () => {
    const claims = { accountId, sessionId: 'x', role: Role.user };
    const old = await signAccessToken(claims, worldNow);
    await sql`update token_key set signs_until = ${worldNow} where signs_until > ${worldNow}`.execute(database());
    const fresh = await signAccessToken(claims, worldNow);
    const keyOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
    expect(keyOf(old).kid).not.toBe(keyOf(fresh).kid);
    expect([await readAccessToken(old, after(599)), await readAccessToken(fresh, after(599))]).toEqual([
      claims,
      claims,
    ]);
    expect(await readAccessToken(old, after(63 * 86_400), { expired: true })).toBeNull();
    await pruneTokenKeys(after(61 * 86_400));
    expect(await readAccessToken(old, after(60), { expired: true })).toEqual(claims);
  });

  test('takes turns by itself every thirty days', async () => {
    const kid = async (now: Date) => (await signAccessToken({ accountId, sessionId: 'x', role: 0 }, now)).split('.')[0];
    const first = await kid(after(100 * 86_400));
    expect(await kid(after(129 * 86_400))).toBe(first);
    expect(await kid(after(131 * 86_400))).not.toBe(first);
  });
});
