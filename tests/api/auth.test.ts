import { formCookieName, memberCookieName, sessionCookieName } from '@/lib/accounts/schema';
import { readFlashCookie } from '@/lib/http/form-flash';
import type { Call } from '@/lib/api/handle';
import { closeSession, refreshSession } from '@/lib/accounts/commands';
import { bearer, callerFrom, logIn, newAddress, openAccount, rightPassword, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { describeCall, pathOf } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

let accountId = 0;
beforeAll(async () => {
  standAt(worldNow);
  accountId = await openAccount('ann', {}, worldNow);
});

type Given = { body: unknown; headers?: Record<string, string>; form?: boolean };

/** Posts JSON, or with `form` what a browser without script sends. */
async function post(call: Call, { body, headers = {}, form = false }: Given) {
  const own: Record<string, string> = form
    ? {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html,application/xhtml+xml',
        origin: 'http://localhost',
        'sec-fetch-site': 'same-origin',
        host: 'localhost',
      }
    : { 'content-type': 'application/json' };
  const sent = form ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body);
  const request = new Request(`http://localhost/api${pathOf(call)}`, {
    method: 'POST',
    body: sent,
    headers: { 'x-tipledger-address': newAddress(), ...own, ...headers },
  });
  const response = await call(request, { params: Promise.resolve({}) });
  const text = await response.text();
  const cookies = response.headers.getSetCookie();
  const cookie = (name: string) => cookies.find((line) => line.startsWith(`${name}=`)) ?? '';
  const flash = (name: string) =>
    readFlashCookie(
      cookie(formCookieName)
        .split(';')[0]
        ?.slice(formCookieName.length + 1),
      [name],
    );
  return {
    status: response.status,
    json: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
    location: response.headers.get('location'),
    cookie,
    flash,
    headers: response.headers,
  };
}

describeCall('/auth/token', 'POST', (ask, call) => {
  const noTokens = { token: null, refreshToken: null, role: null };

  test('answers a right login with outcome 1, a pair of tokens and the role, and sets the cookie for pages', async () => {
    const { status, view, headers } = await ask({
      body: { username: ' ann ', password: rightPassword },
      headers: { 'x-tipledger-address': newAddress() },
    });
    expect([status, view]).toEqual([
      200,
      {
        outcome: 1,
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refreshToken: expect.stringMatching(/^[\w-]{43}$/),
        role: 0,
      },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    const [line = '', told] = headers.getSetCookie();
    expect(told).toBe(`${memberCookieName}=1; Path=/; Max-Age=2592000; SameSite=Lax`);
    expect(line).toMatch(
      new RegExp(`^${sessionCookieName}=[\\w-]{43}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax$`),
    );
    const cookie = line.slice(sessionCookieName.length + 1).split(';')[0] ?? '';
    expect(await viewerOf({ cookie }, worldNow)).toMatchObject({ kind: 'member', accountId });
  });

  test('sets a cookie that only https carries where the site is reached so', async () => {
    await inEnvironment({ TIPLEDGER_SITE_URL: 'https://tipledger.example' }, async () => {
      expect(
        (await post(call, { body: { username: 'ann', password: rightPassword } })).cookie(sessionCookieName),
      ).toMatch(/; Secure$/);
    });
  });

  test.each([
    ['a wrong password', 'ann', 'a wrong password', 401, 3],
    ['an unknown name', 'nobody-here', rightPassword, 401, 3],
    ['an unknown address', 'nobody@example.org', rightPassword, 401, 3],
    ['a name that no account can have', 'not a name', rightPassword, 401, 2],
    ['no name', '', rightPassword, 401, 2],
    ['no password', 'ann', '', 401, 3],
    ['a password of a hundred thousand signs', 'ann', 'x'.repeat(50_000), 401, 3],
  ])('answers %s with the outcome alone', async (_, username, password, status, outcome) => {
    const answer = await post(call, { body: { username, password } });
    const message = expect.stringMatching(/^Forbidden\. \S/);
    expect([answer.status, answer.json]).toEqual([
      status,
      expect.objectContaining({ status, outcome, message, ...noTokens }),
    ]);
    expect(answer.cookie(sessionCookieName)).toBe('');
  });

  test('says the same of an unknown name as of a wrong password, letter by letter', async () => {
    const [known, unknown] = [
      await post(call, { body: { username: 'ann', password: 'a wrong password' } }),
      await post(call, { body: { username: 'nobody-here', password: 'a wrong password' } }),
    ];
    const headersOf = ({ headers }: typeof known) => [...headers];
    expect([known.json, headersOf(known)]).toEqual([unknown.json, headersOf(unknown)]);
  });

  test('answers 423 and outcome 4 once the pair of account and address is locked', async () => {
    const headers = { 'x-tipledger-address': newAddress() };
    for (let count = 0; count < 10; count += 1)
      await post(call, { body: { username: 'ann', password: 'a wrong password' }, headers });
    const locked = await post(call, { body: { username: 'ann', password: rightPassword }, headers });
    expect([locked.status, locked.json]).toEqual([
      423,
      expect.objectContaining({ outcome: 4, ...noTokens, message: expect.stringContaining('15 minutes') }),
    ]);
  });

  test.each([
    [{}],
    [{ username: 'ann' }],
    [{ username: 1, password: 2 }],
    [[]],
    ['ann'],
    [{ username: 'ann', password: 'x', admin: true }],
  ])('refuses %j as no login, with the outcome error', async (body) => {
    const { status, refusal } = await ask({ body, headers: { 'x-tipledger-address': newAddress() } });
    expect([status, refusal]).toEqual([
      400,
      expect.objectContaining({ outcome: 0, token: null, refreshToken: null, role: null }),
    ]);
  });

  describe('as a form without script', () => {
    test('leads to where it was asked to, with the cookie of the login', async () => {
      const { status, location, cookie } = await post(call, {
        form: true,
        body: { username: 'ann', password: rightPassword, redirect_to: '/tipster/ann?period=2' },
      });
      expect([status, location]).toEqual([303, '/tipster/ann?period=2']);
      expect(cookie(sessionCookieName)).toContain('HttpOnly');
    });

    test.each([
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/%2f%2fevil.example',
      '',
    ])('leads to the dashboard rather than to %j', async (redirect_to) => {
      expect(
        (await post(call, { form: true, body: { username: 'ann', password: rightPassword, redirect_to } })).location,
      ).toBe('/dashboard');
    });

    test('comes back to its page when it is refused, with what is wrong and what was typed, the password excepted', async () => {
      const { status, location, cookie, flash } = await post(call, {
        form: true,
        body: { username: 'ann', password: 'a wrong password', redirect_to: '/tipster' },
      });
      expect([status, location]).toEqual([303, '/login?redirect_to=%2Ftipster']);
      expect(cookie(formCookieName)).toMatch(/; Max-Age=120; HttpOnly; SameSite=Lax$/);
      expect(flash('/auth/token')).toEqual({
        message: 'Wrong username or password.',
        fields: { password: expect.any(String) },
        values: { username: 'ann', redirect_to: '/tipster' },
      });
      expect(flash('/account/register')).toBeNull();
      expect(Buffer.from(cookie(formCookieName).split(/[=;]/)[1] ?? '', 'base64url').toString()).not.toContain(
        'a wrong password',
      );
    });

    test.each([
      [{ origin: 'https://evil.example' }],
      [{ 'sec-fetch-site': 'cross-site' }],
      [{ 'sec-fetch-site': 'same-site' }],
      [{ origin: 'null' }],
      [{ origin: 'http://localhost.evil.example' }],
    ])('is refused when another site sent it: %j', async (headers) => {
      const { status, location, cookie, flash } = await post(call, {
        form: true,
        body: { username: 'ann', password: rightPassword },
        headers,
      });
      expect([status, location, cookie(sessionCookieName)]).toEqual([303, '/login', '']);
      expect(flash('/auth/token')?.message).toContain('another site');
    });
  });
});

describeCall('/auth/refresh-token', 'POST', (ask, call) => {
  test('exchanges a pair for the next, and renews the cookie', async () => {
    const login = await logIn(accountId, worldNow);
    const { status, json, cookie } = await post(call, {
      body: { accessToken: login.token, refreshToken: login.refreshToken },
      headers: { cookie: `a=b; ${sessionCookieName}=${login.cookie}` },
    });
    expect([status, json]).toEqual([
      200,
      { outcome: 1, token: expect.any(String), refreshToken: expect.stringMatching(/^[\w-]{43}$/), role: 0 },
    ]);
    expect(json?.refreshToken).not.toBe(login.refreshToken);
    expect(cookie(sessionCookieName)).toContain(`${login.cookie}; Path=/; Max-Age=2592000`);
  });

  test('answers 400 for a pair that is not good and 409 for one used again too late, so that the client signs out', async () => {
    const login = await logIn(accountId, worldNow);
    const body = { accessToken: login.token, refreshToken: login.refreshToken };
    expect((await ask({ body: { ...body, refreshToken: 'unknown' } })).refusal).toEqual({
      status: 400,
      message: 'This login has ended. Sign in again.',
    });
    expect((await ask({ body })).status).toBe(200);
    standAt(new Date(worldNow.getTime() + 31_000));
    expect((await ask({ body })).status).toBe(409);
    standAt(worldNow);
    expect((await ask({ body })).status).toBe(400);
  });

  test('reads no bearer: a stale one does not keep a login from being refreshed', async () => {
    const login = await logIn(accountId, worldNow);
    expect(
      (
        await ask({
          body: { accessToken: login.token, refreshToken: login.refreshToken },
          headers: { authorization: 'Bearer stale' },
        })
      ).status,
    ).toBe(200);
  });

  test('is no form', async () => {
    const login = await logIn(accountId, worldNow);
    expect(
      (await post(call, { form: true, body: { accessToken: login.token, refreshToken: login.refreshToken } })).status,
    ).toBe(400);
  });

  test.each([
    [{}],
    [{ refreshToken: 'x' }],
    [{ accessToken: 1, refreshToken: 2 }],
    [{ accessToken: 'x'.repeat(4_001), refreshToken: 'x' }],
  ])('refuses %j', async (body) => {
    expect((await ask({ body })).status).toBe(400);
  });
});

describeCall('/auth/session', 'POST', (ask) => {
  const held = async () => {
    const login = await logIn(accountId, worldNow);
    return { login, headers: { cookie: `a=b; ${sessionCookieName}=${login.cookie}` } };
  };

  test('gives tokens of the same login for its cookie, which stays as it is, beside those that were given before', async () => {
    const { login, headers } = await held();
    const [first, second] = [await ask({ headers }), await ask({ headers })];
    expect([first.status, first.view]).toEqual([
      200,
      { outcome: 1, token: expect.any(String), refreshToken: expect.stringMatching(/^[\w-]{43}$/), role: 0 },
    ]);
    expect(first.headers.getSetCookie()[0]).toContain(`${login.cookie}; Path=/; Max-Age=2592000`);
    for (const { token, refreshToken } of [first.view, second.view, login] as (typeof login)[])
      expect(
        await refreshSession({ accessToken: token, refreshToken }, callerFrom('192.0.2.1', login.cookie), worldNow),
      ).toMatchObject({ role: 0 });
  });

  test.each([
    ['no cookie', {}],
    ['a cookie of nobody', { cookie: `${sessionCookieName}=${'x'.repeat(43)}` }],
    ['what is no cookie of ours', { cookie: `${sessionCookieName}=%00` }],
  ])('refuses %s', async (_, headers: Record<string, string>) => {
    expect((await ask({ headers })).status).toBe(401);
  });

  test('refuses a login that was signed out, whose time is over, or whose account is gone', async () => {
    const { login, headers } = await held();
    standAt(new Date(worldNow.getTime() + 31 * 86_400_000));
    expect((await ask({ headers })).status).toBe(401);
    standAt(worldNow);
    expect((await ask({ headers })).status).toBe(200);
    await closeSession(login, callerFrom('192.0.2.1'), worldNow);
    expect((await ask({ headers })).status).toBe(401);
  });

  test('refuses the page of another site, whoever’s cookie came with it', async () => {
    const { headers } = await held();
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://elsewhere.example' },
    ];
    for (const more of foreign) expect((await ask({ headers: { ...headers, ...more } })).status).toBe(403);
  });
});

describeCall('/auth/logout', 'POST', (ask, call) => {
  test('ends the login of the refresh token, with whatever bearer, and takes the cookie away', async () => {
    const login = await logIn(accountId, worldNow);
    const { status, view, headers } = await ask({
      body: { refreshToken: login.refreshToken },
      headers: bearer({ token: 'stale' }),
    });
    expect([status, view]).toEqual([200, { done: true }]);
    expect(headers.getSetCookie()).toEqual([
      `${sessionCookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
      `${memberCookieName}=; Path=/; Max-Age=0; SameSite=Lax`,
    ]);
    expect((await viewerOf(login, worldNow)).kind).toBe('guest');
  });

  test('says nothing of a token that is unknown', async () => {
    expect((await ask({ body: { refreshToken: 'unknown' } })).status).toBe(200);
  });

  test('works as a form of a browser without script, by its cookie, and not when another site sends it', async () => {
    const login = await logIn(accountId, worldNow);
    const cookie = `${sessionCookieName}=${login.cookie}`;
    await post(call, { form: true, body: {}, headers: { cookie, 'sec-fetch-site': 'cross-site' } });
    expect((await viewerOf(login, worldNow)).kind).toBe('member');
    const { status, location } = await post(call, { form: true, body: {}, headers: { cookie } });
    expect([status, location]).toEqual([303, '/']);
    expect((await viewerOf(login, worldNow)).kind).toBe('guest');
  });
});
