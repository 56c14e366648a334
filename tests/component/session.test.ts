import type { AuthRecord } from '@/components/state/auth-record';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
type Asked = { method: string; path: string; bearer: string | null; body: unknown };

const left: string[] = [];
jest.mock('@/components/state/auth-navigation', () => ({
  ...jest.requireActual<object>('@/components/state/auth-navigation'),
  leaveFor: (address: string) => left.push(address),
  leaveAsUnauthorised: async () => left.push('unauthorised'),
  leaveIfProtected: async () => left.push('if protected'),
}));
// The tier of local storage is the one that a test can look into.
jest.mock('idb-keyval', () => {
  const unavailable = async () => {
    throw new Error('There is no IndexedDB here.');
  };
  return { createStore: () => ({}), get: unavailable, set: unavailable, del: unavailable, update: unavailable };
});
jest.mock('@/components/state/analytics', () => ({ report: () => undefined }));

const auth = (turn: number, role: AuthRecord['role'] = 0): AuthRecord => ({ token: `token-${turn}`, refreshToken: `refresh-${turn}`, role });
const user = { username: 'bob', email: 'bob@example.com', countryId: 1, emailConfirmed: true, hasActivePremiumPortfolio: false, hasActiveSubscription: false, hasProMembership: false, affiliateReference: null };
const settings = { maxStake: 10, betCurrencyId: 2, buyCurrencyId: 1, countryId: 1, timezoneId: 1, oddsDisplayType: 'decimal' };

let asked: Asked[] = [];
let answers: Record<string, (asked: Asked) => Answer | Promise<Answer>> = {};

/** A server in which `good` is the access token that is accepted. */
function serve(good: string, more: typeof answers = {}): void {
  const member = (body: unknown) => ({ bearer }: Asked) => (bearer === good ? { status: 200, body } : { status: 401, body: { message: 'Forbidden' } });
  answers = { 'GET /user': member({ user, settings }), 'GET /user/portfolio': member([{ reference: 'first' }, { reference: 'second' }]), 'POST /auth/logout': () => ({ status: 200, body: { done: true } }), ...more };
}

beforeEach(() => {
  jest.resetModules();
  Reflect.deleteProperty(globalThis, '__JOTAI_DEFAULT_STORE__');
  localStorage.clear();
  left.length = 0;
  asked = [];
  answers = {};
  window.history.replaceState({}, '', '/football');
  global.fetch = jest.fn(async (address: string | URL | Request, init: RequestInit = {}) => {
    const path = String(address).replace(/^\/api/, '').split('?')[0] ?? '';
    const given = new Headers(init.headers).get('authorization');
    const call: Asked = { method: init.method ?? 'GET', path, bearer: given?.replace('Bearer ', '') ?? null, body: init.body ? (JSON.parse(String(init.body)) as unknown) : null };
    asked.push(call);
    const answer = await answers[`${call.method} ${path}`]?.(call);
    if (!answer) throw new TypeError('Failed to fetch');
    const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
    return { ok: answer.status < 400, status: answer.status, statusText: '', headers: new Headers(answer.headers), text: async () => text } as Response;
  });
});

const stored = () => JSON.parse(localStorage.getItem('tipledger:auth') ?? 'null') as unknown;
const store = (value: unknown) => localStorage.setItem('tipledger:auth', JSON.stringify(value));
const calls = (path: string) => asked.filter((call) => call.path === path);
const load = async () => {
  const loading = [import('@/components/state/session'), import('@/components/state/viewer'), import('@/components/state/storage'), import('@/components/state/api')] as const;
  const [session, { viewerNow }, storage, { api }] = await Promise.all(loading);
  return { ...session, viewerNow, ...storage, api };
};
const until = async (holds: () => boolean) => {
  for (let turn = 0; turn < 200 && !holds(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(holds()).toBe(true);
};

describe('the auth check', () => {
  it('finds a guest without stored tokens, and asks the server nothing', async () => {
    const { startSession, viewerNow } = await load();
    expect(viewerNow()).toEqual({ kind: 'unknown' });
    await startSession();
    expect(viewerNow()).toEqual({ kind: 'guest' });
    expect(asked).toEqual([]);
  });

  it.each([[{ token: 'only' }], [{ refreshToken: 'only' }], ['nonsense'], [{ token: '', refreshToken: 'x' }]])('removes what lacks a token (%j)', async (broken) => {
    store(broken);
    const { startSession, viewerNow } = await load();
    await startSession();
    expect(stored()).toBeNull();
    expect(viewerNow()).toEqual({ kind: 'guest' });
  });

  it('finds the member of both tokens, with the role and the first portfolio', async () => {
    serve('token-1');
    store(auth(1, 2));
    const { startSession, userKnown, viewerNow } = await load();
    await startSession();
    await userKnown();
    expect(viewerNow()).toMatchObject({ kind: 'member', role: 2, user: { username: 'bob' }, currentPortfolio: 'first' });
  });

  it('knows the member of the last visit at once, also without a connection', async () => {
    store(auth(1));
    localStorage.setItem('tipledger:user', JSON.stringify({ user, settings, portfolios: [] }));
    const { startSession, viewerNow, userKnown } = await load();
    await startSession();
    expect(viewerNow()).toMatchObject({ kind: 'member', user: { username: 'bob' }, currentPortfolio: null });
    await userKnown();
    expect(viewerNow().kind).toBe('member');
  });

  it('logs in again when the stored token has changed', async () => {
    serve('token-2');
    store(auth(2));
    const { startSession, writeStored, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    serve('token-3');
    await writeStored('auth', auth(3, 1));
    await until(() => calls('/user').some(({ bearer }) => bearer === 'token-3'));
    await until(() => JSON.stringify(viewerNow()).includes('"role":1'));
  });

  it('logs out when the stored tokens have gone, and leaves a protected page', async () => {
    serve('token-1');
    store(auth(1));
    const { startSession, removeStored, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    await removeStored('auth');
    await until(() => left.includes('if protected'));
    expect(viewerNow()).toEqual({ kind: 'guest' });
    expect(calls('/auth/logout')).toEqual([expect.objectContaining({ bearer: 'token-1', body: { refreshToken: 'refresh-1' } })]);
  });

  it('runs on focus, but not at every one', async () => {
    const { startSession, viewerNow } = await load();
    await startSession();
    const read = jest.spyOn(Storage.prototype, 'getItem');
    for (let turn = 0; turn < 5; turn += 1) window.dispatchEvent(new Event('focus'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(read.mock.calls.filter(([key]) => key === 'tipledger:auth')).toEqual([]);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    serve('token-1');
    store(auth(1));
    window.dispatchEvent(new Event('focus'));
    await until(() => viewerNow().kind === 'member');
    jest.restoreAllMocks();
  });
});

describe('refreshing', () => {
  const renewed = (turn: number) => ({ 'POST /auth/refresh-token': () => ({ status: 200, body: { outcome: 1, ...auth(turn) } }) });

  it('happens once for calls that are refused at the same time, and each is tried again with the new token', async () => {
    serve('token-2', renewed(2));
    store(auth(1));
    const { startSession, api, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    const before = calls('/auth/refresh-token').length;
    expect(before).toBe(1);
    expect(calls('/auth/refresh-token')[0]).toMatchObject({ bearer: null, body: { accessToken: 'token-1', refreshToken: 'refresh-1' } });
    serve('token-3', renewed(3));
    await Promise.all([api('/user'), api('/user'), api('/user/portfolio')]);
    expect(calls('/auth/refresh-token').length).toBe(2);
    expect(stored()).toEqual(auth(3));
  });

  it('takes what another tab has renewed instead of asking', async () => {
    serve('token-1');
    store(auth(1));
    const { startSession, api, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    serve('token-9');
    store(auth(9));
    await expect(api('/user')).resolves.toMatchObject({ user });
    expect(calls('/auth/refresh-token')).toEqual([]);
  });

  it.each([400, 409])('that ends with %i logs out, says false and handles the visitor as unauthorised', async (status) => {
    serve('token-none', { 'POST /auth/refresh-token': () => ({ status, body: { message: 'This login has ended.' } }) });
    store(auth(1));
    const { startSession, viewerNow, refresh } = await load();
    await startSession();
    await until(() => left.includes('unauthorised'));
    expect(viewerNow()).toEqual({ kind: 'guest' });
    expect(stored()).toBeNull();
    store(auth(1));
    await expect(refresh()).resolves.toBe(false);
  });

  it('that brings no tokens ends the same way', async () => {
    serve('token-none', { 'POST /auth/refresh-token': () => ({ status: 200, body: { outcome: 0, token: null, refreshToken: null, role: null } }) });
    store(auth(1));
    const { startSession, viewerNow } = await load();
    await startSession();
    await until(() => left.includes('unauthorised'));
    expect(viewerNow()).toEqual({ kind: 'guest' });
  });

  it.each([500, 503, 401])('that ends with %i says true and keeps the tokens', async (status) => {
    serve('token-none', { 'POST /auth/refresh-token': () => ({ status }) });
    store(auth(1));
    const { startSession, refresh } = await load();
    await startSession();
    await expect(refresh()).resolves.toBe(true);
    expect(stored()).toEqual(auth(1));
    expect(left).toEqual([]);
  });

  it('without tokens says false', async () => {
    const { startSession, refresh } = await load();
    await startSession();
    await expect(refresh()).resolves.toBe(false);
    expect(asked).toEqual([]);
  });
});

describe('signing in and out', () => {
  it('trims the username, sends the password as given, and shows the member', async () => {
    serve('token-5', { 'POST /auth/token': () => ({ status: 200, body: { outcome: 1, ...auth(5) } }) });
    const { signIn, viewerNow } = await load();
    await signIn({ username: '  bob ', password: ' secret words ' });
    expect(calls('/auth/token')[0]).toMatchObject({ bearer: null, body: { username: 'bob', password: ' secret words ' } });
    expect(stored()).toEqual(auth(5));
    expect(viewerNow()).toMatchObject({ kind: 'member', user: { username: 'bob' } });
  });

  it('passes on why the server refuses, and keeps nothing', async () => {
    serve('token-5', { 'POST /auth/token': () => ({ status: 423, body: { message: 'Too many wrong passwords.', outcome: 4, fields: { password: 'Wait' } } }) });
    const { signIn } = await load();
    await expect(signIn({ username: 'bob', password: 'x' })).rejects.toMatchObject({ status: 423, message: 'Too many wrong passwords.', fields: { password: 'Wait' } });
    expect(stored()).toBeNull();
  });

  it('clears the stored tokens first, then tells the server, then forgets', async () => {
    const order: string[] = [];
    serve('token-1', {
      'POST /auth/logout': () => {
        order.push(`told with the tokens ${stored() === null ? 'cleared' : 'still there'}`);
        return { status: 401 };
      },
    });
    store(auth(1));
    const { startSession, signOut, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    await signOut();
    order.push(viewerNow().kind);
    expect(order).toEqual(['told with the tokens cleared', 'guest']);
    expect(calls('/auth/logout')).toHaveLength(1);
    expect(calls('/auth/refresh-token')).toEqual([]);
    expect(localStorage.getItem('tipledger:user')).toBeNull();
  });

  it('leaves it to whoever logs out where to go', async () => {
    serve('token-1', { 'POST /auth/logout': () => new Promise((resolve) => setTimeout(() => resolve({ status: 200, body: {} }), 40)) });
    store(auth(1));
    const { startSession, signOut, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    await signOut();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(left).toEqual([]);
    expect(calls('/auth/logout')).toHaveLength(1);
  });
});

describe('an unverified user', () => {
  const unverified = { 'GET /user': () => ({ status: 200, body: { user: { ...user, emailConfirmed: false }, settings } }) };

  it.each([
    ['/football?days=3', '/register/verify?redirect_after_verify=%2Ffootball%3Fdays%3D3'],
    ['/login?redirect_to=%2Fx', '/register/verify?redirect_after_verify=%2Fdashboard'],
    ['/register', '/register/verify?redirect_after_verify=%2Fdashboard'],
  ])('is sent from %s to %s', async (address, target) => {
    window.history.replaceState({}, '', address);
    serve('token-1', unverified);
    store(auth(1));
    const { startSession } = await load();
    await startSession();
    await until(() => left.length > 0);
    expect(left).toEqual([target]);
  });

  it('is left alone on the contact page until leaving it', async () => {
    window.history.replaceState({}, '', '/contact-us');
    serve('token-1', unverified);
    store(auth(1));
    const { startSession, userKnown, pageChanged } = await load();
    await startSession();
    await userKnown();
    expect(left).toEqual([]);
    window.history.replaceState({}, '', '/tennis');
    await pageChanged();
    expect(left).toEqual(['/register/verify?redirect_after_verify=%2Fdashboard']);
  });
});

it('shows a role that was changed elsewhere as soon as the tokens are renewed', async () => {
  store(auth(1, 2));
  serve('token-2', { 'POST /auth/refresh-token': () => ({ status: 200, body: auth(2, 0) }) });
  const { startSession, refresh, viewerNow } = await load();
  await startSession().then(refresh);
  await until(() => viewerNow().kind === 'member' && (viewerNow() as { role?: number }).role === 0);
});

it('keeps the role that the renewal told when the answer asked for before it comes last', async () => {
  store(auth(1, 2));
  let letGo = () => undefined as void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let turn = 0;
  const portfolios = async ({ bearer }: Asked): Promise<Answer> => {
    if (bearer !== 'token-2') return { status: 401, body: { message: 'Forbidden' } };
    if ((turn += 1) === 2) await held;
    return { status: 200, body: [] };
  };
  serve('token-2', { 'GET /user/portfolio': portfolios, 'POST /auth/refresh-token': () => ({ status: 200, body: auth(2, 0) }) });
  const { startSession, viewerNow, userKnown } = await load();
  const role = () => (viewerNow() as { role?: number }).role;
  await startSession();
  await until(() => turn === 2 && role() === 0);
  letGo();
  await userKnown();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(role()).toBe(0);
});
