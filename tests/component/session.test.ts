import {
  asked,
  auth,
  calls,
  left,
  load,
  reported,
  serve,
  settings,
  startAnew,
  store,
  stored,
  until,
  user,
} from '../support/session-server';

beforeEach(startAnew);

/** A database of the browser that answers the first question for the tokens when it is told to. */
function slowDatabase() {
  const kept = new Map<string, unknown>();
  let answer: (value: unknown) => void = () => undefined;
  const asks: string[] = [];
  const idb =
    jest.requireMock<Record<'get' | 'set' | 'del', (key: string, value?: unknown) => Promise<unknown>>>('idb-keyval');
  jest.spyOn(idb, 'get').mockImplementation(async (key) => {
    const isFirst = key === 'auth' && !asks.includes('auth');
    asks.push(key);
    return isFirst ? new Promise((resolve) => (answer = resolve)) : kept.get(key);
  });
  jest.spyOn(idb, 'set').mockImplementation(async (key, value) => void kept.set(key, value));
  jest.spyOn(idb, 'del').mockImplementation(async (key) => void kept.delete(key));
  return {
    kept,
    answer: (value: unknown) => answer(value),
    isAsked: (key: string) => until(() => asks.includes(key)),
  };
}

describe('the auth check', () => {
  it('finds a guest without stored tokens, and asks the server nothing', async () => {
    const { startSession, viewerNow } = await load();
    expect(viewerNow()).toEqual({ kind: 'unknown' });
    await startSession();
    expect(viewerNow()).toEqual({ kind: 'guest' });
    expect(asked).toEqual([]);
  });

  it('takes a session up again by its cookie where the tokens are gone, and keeps what it is given', async () => {
    document.cookie = 'tipledger_member=1';
    serve('token-1', { 'POST /auth/session': () => ({ status: 200, body: { outcome: 1, ...auth(1, 2) } }) });
    const { startSession, reloadUser, viewerNow } = await load();
    await startSession();
    await reloadUser();
    expect(viewerNow()).toMatchObject({ kind: 'member', role: 2 });
    expect(stored()).toEqual(auth(1, 2));
    expect(calls('/auth/session').map(({ bearer }) => bearer)).toEqual([null]);
  });

  it('finds a guest where the cookie stands for no login any more, and asks once', async () => {
    document.cookie = 'tipledger_member=1';
    serve('token-1', { 'POST /auth/session': () => ({ status: 401 }) });
    const { startSession, pageChanged, viewerNow } = await load();
    await startSession();
    await pageChanged();
    expect(viewerNow()).toEqual({ kind: 'guest' });
    expect(document.cookie).not.toContain('tipledger_member');
    expect(calls('/auth/session')).toHaveLength(1);
  });

  it('is not signed in again by the cookie after signing out without a connection', async () => {
    document.cookie = 'tipledger_member=1';
    serve('token-1', { 'POST /auth/logout': () => Promise.reject(new TypeError('Failed to fetch')) });
    store(auth(1));
    const { startSession, signOut, viewerNow } = await load();
    await startSession();
    await signOut();
    await startSession();
    expect(viewerNow()).toEqual({ kind: 'guest' });
    expect(calls('/auth/session')).toEqual([]);
  });

  it('ends signed out where somebody signs out while the session is being taken up again', async () => {
    document.cookie = 'tipledger_member=1';
    let give: (tokens: unknown) => void = () => undefined;
    const given = new Promise((resolve) => (give = resolve));
    serve('token-1', {
      'POST /auth/session': async () => {
        await given;
        // The answer sets the cookie anew.
        document.cookie = 'tipledger_member=1';
        return { status: 200, body: { outcome: 1, ...auth(1) } };
      },
    });
    const { startSession, signOut, viewerNow } = await load();
    const starting = startSession();
    await until(() => calls('/auth/session').length === 1);
    const leaving = signOut();
    give(null);
    await Promise.all([starting, leaving]);
    expect([stored(), document.cookie.includes('tipledger_member')]).toEqual([null, false]);
    await startSession();
    expect(viewerNow()).toEqual({ kind: 'guest' });
    expect(calls('/auth/session')).toHaveLength(1);
  });

  it.each([[{ token: 'only' }], [{ refreshToken: 'only' }], ['nonsense'], [{ token: '', refreshToken: 'x' }]])(
    'removes what lacks a token (%j)',
    async (broken) => {
      store(broken);
      const { startSession, viewerNow } = await load();
      await startSession();
      expect(stored()).toBeNull();
      expect(viewerNow()).toEqual({ kind: 'guest' });
    },
  );

  it('finds the member of both tokens, with the role and the first portfolio', async () => {
    serve('token-1');
    store(auth(1, 2));
    const { startSession, reloadUser, viewerNow } = await load();
    await startSession();
    await reloadUser();
    expect(viewerNow()).toMatchObject({
      kind: 'member',
      role: 2,
      user: { username: 'bob' },
      currentPortfolio: 'first',
    });
  });

  it('knows the member of the last visit at once, also without a connection', async () => {
    store(auth(1));
    localStorage.setItem('tipledger:user', JSON.stringify({ user, settings, portfolios: [] }));
    const { startSession, viewerNow, reloadUser } = await load();
    await startSession();
    expect(viewerNow()).toMatchObject({ kind: 'member', user: { username: 'bob' }, currentPortfolio: null });
    await reloadUser();
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
    expect(calls('/auth/logout')).toEqual([
      expect.objectContaining({ bearer: 'token-1', body: { refreshToken: 'refresh-1' } }),
    ]);
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

describe('stored tokens that cannot be read, since the browser has closed its database', () => {
  /** A database that works until it is broken. */
  function database() {
    const kept = new Map<string, unknown>([['auth', auth(1)]]);
    const state = { isBroken: false };
    const idb =
      jest.requireMock<Record<'get' | 'set' | 'del', (key: string, value?: unknown) => Promise<unknown>>>('idb-keyval');
    const ask =
      <T>(answer: (key: string, value: unknown) => T) =>
      async (key: string, value?: unknown) => {
        if (state.isBroken) throw new DOMException('The database connection is closing.', 'InvalidStateError');
        return answer(key, value);
      };
    jest.spyOn(idb, 'get').mockImplementation(ask((key) => kept.get(key)));
    jest.spyOn(idb, 'set').mockImplementation(ask((key, value) => void kept.set(key, value)));
    jest.spyOn(idb, 'del').mockImplementation(ask((key) => void kept.delete(key)));
    return { kept, state };
  }
  const focusLater = () => {
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    window.dispatchEvent(new Event('focus'));
    return new Promise((resolve) => setTimeout(resolve, 20));
  };
  const begin = async () => {
    serve('token-1');
    document.cookie = 'tipledger_member=1';
    const stores = database();
    const session = await load();
    await session.startSession();
    await until(() => session.viewerNow().kind === 'member');
    stores.state.isBroken = true;
    return { ...session, ...stores };
  };
  afterEach(() => jest.restoreAllMocks());

  it('are not taken for gone: the member stays', async () => {
    const { kept, viewerNow } = await begin();
    await focusLater();
    expect([viewerNow().kind, kept.get('auth'), left, calls('/auth/logout')]).toEqual(['member', auth(1), [], []]);
  });

  it('are renewed from those in memory', async () => {
    const { api, viewerNow } = await begin();
    serve('token-2', { 'POST /auth/refresh-token': () => ({ status: 200, body: { outcome: 1, ...auth(2) } }) });
    await expect(api('GET /user')).resolves.toMatchObject({ user });
    expect(calls('/auth/refresh-token').map(({ body }) => body)).toEqual([
      { accessToken: 'token-1', refreshToken: 'refresh-1' },
    ]);
    await focusLater();
    expect([viewerNow().kind, calls('/auth/logout')]).toEqual(['member', []]);
  });

  it('count as gone where another tab has logged out, which takes the member cookie away', async () => {
    const { viewerNow } = await begin();
    document.cookie = 'tipledger_member=; Max-Age=0';
    await focusLater();
    await until(() => left.includes('if protected'));
    expect(viewerNow().kind).toBe('guest');
  });
});

describe('somebody who signs in in another tab just then', () => {
  const refused = { 'POST /auth/refresh-token': () => ({ status: 400, body: { message: 'This login has ended.' } }) };

  it('stays signed in where this tab finds that its own login has ended', async () => {
    serve('token-1');
    store(auth(1));
    const { startSession, refresh, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    document.cookie = 'tipledger_member=1';
    serve('token-2', {
      'POST /auth/refresh-token': () => {
        // Behind the refusal, before this tab has signed out.
        setTimeout(() => store(auth(2)), 0);
        return new Promise((resolve) => setTimeout(() => resolve(refused['POST /auth/refresh-token']()), 10));
      },
    });
    await expect(refresh()).resolves.toBe(true);
    expect([stored(), document.cookie.includes('tipledger_member=1'), left]).toEqual([auth(2), true, []]);
    expect(calls('/auth/logout')).toEqual([]);
  });

  it('keeps the cookies where this tab only finds the login before gone', async () => {
    serve('token-1');
    store(auth(1));
    const { startSession, removeStored, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    await removeStored('auth');
    await until(() => left.includes('if protected'));
    const [, init] = jest.mocked(fetch).mock.calls.find(([path]) => String(path).endsWith('/auth/logout')) ?? [];
    expect(init).toMatchObject({ credentials: 'omit' });
  });
});

describe('refreshing', () => {
  const renewed = (turn: number) => ({
    'POST /auth/refresh-token': () => ({ status: 200, body: { outcome: 1, ...auth(turn) } }),
  });

  it('happens once for calls that are refused at the same time, and each is tried again with the new token', async () => {
    serve('token-2', renewed(2));
    store(auth(1));
    const { startSession, api, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    const before = calls('/auth/refresh-token').length;
    expect(before).toBe(1);
    expect(calls('/auth/refresh-token')[0]).toMatchObject({
      bearer: null,
      body: { accessToken: 'token-1', refreshToken: 'refresh-1' },
    });
    serve('token-3', renewed(3));
    await Promise.all([api('GET /user'), api('GET /user'), api('GET /user/portfolio')]);
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
    await expect(api('GET /user')).resolves.toMatchObject({ user });
    expect(calls('/auth/refresh-token')).toEqual([]);
  });

  it.each([400, 409])(
    'that ends with %i logs out, says false and handles the visitor as unauthorised',
    async (status) => {
      serve('token-none', {
        'POST /auth/refresh-token': () => ({ status, body: { message: 'This login has ended.' } }),
      });
      store(auth(1));
      const { startSession, viewerNow, refresh } = await load();
      await startSession();
      await until(() => left.includes('unauthorised'));
      expect(viewerNow()).toEqual({ kind: 'guest' });
      expect(stored()).toBeNull();
      store(auth(1));
      await expect(refresh()).resolves.toBe(false);
    },
  );

  it('that brings no tokens ends the same way', async () => {
    serve('token-none', {
      'POST /auth/refresh-token': () => ({
        status: 200,
        body: { outcome: 0, token: null, refreshToken: null, role: null },
      }),
    });
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
  it('is not undone by a check that began before and found nobody', async () => {
    serve('token-1', { 'POST /auth/token': () => ({ status: 200, body: { outcome: 1, ...auth(1) } }) });
    const database = slowDatabase();
    const { startSession, signIn, viewerNow } = await load();
    const starting = startSession();
    await database.isAsked('auth');
    await signIn({ username: 'bob', password: 'secret' });
    database.answer(undefined);
    await starting;
    expect(viewerNow().kind).toBe('member');
    expect(calls('/auth/logout')).toEqual([]);
    expect(database.kept.get('auth')).toEqual(auth(1));
  });

  it('trims the username, sends the password as given, and shows the member', async () => {
    serve('token-5', { 'POST /auth/token': () => ({ status: 200, body: { outcome: 1, ...auth(5) } }) });
    const { signIn, viewerNow } = await load();
    await signIn({ username: '  bob ', password: ' secret words ' });
    expect(calls('/auth/token')[0]).toMatchObject({
      bearer: null,
      body: { username: 'bob', password: ' secret words ' },
    });
    expect(stored()).toEqual(auth(5));
    expect(viewerNow()).toMatchObject({ kind: 'member', user: { username: 'bob' } });
  });

  it('passes on why the server refuses, and keeps nothing', async () => {
    serve('token-5', {
      'POST /auth/token': () => ({
        status: 423,
        body: { message: 'Too many wrong passwords.', outcome: 4, fields: { password: 'Wait' } },
      }),
    });
    const { signIn } = await load();
    await expect(signIn({ username: 'bob', password: 'x' })).rejects.toMatchObject({
      status: 423,
      message: 'Too many wrong passwords.',
      fields: { password: 'Wait' },
    });
    expect(stored()).toBeNull();
  });

  it.each([
    ['refused', { status: 401, body: { message: 'Wrong username or password.' } }, 'Wrong username or password.'],
    ['answered without tokens', { status: 200, body: {} }, 'You could not be signed in. Try again in a minute.'],
  ])('clears the user that was kept and logs it when it is %s', async (_, answer, message) => {
    serve('token-5', { 'POST /auth/token': () => answer });
    const { signIn } = await load();
    const stop = (await import('@/components/state/browser-log')).startErrorLog({ thirdParties: [], debug: true });
    localStorage.setItem('tipledger:user', JSON.stringify({ user, settings, portfolios: [] }));
    await expect(signIn({ username: 'bob', password: 'x' })).rejects.toMatchObject({ message });
    expect(localStorage.getItem('tipledger:user')).toBeNull();
    stop();
    expect(reported.map(({ label }) => label)).toEqual([
      expect.stringMatching(`^Nobody could be signed in. .*${message}$`),
    ]);
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

  describe('a logout that the server could not be told of', () => {
    const ended = () => JSON.parse(localStorage.getItem('tipledger:ended') ?? 'null') as unknown;
    const unreachable = { 'POST /auth/logout': () => Promise.reject(new TypeError('Failed to fetch')) };
    const signOutWith = async (answers: Parameters<typeof serve>[1]) => {
      serve('token-1', answers);
      store(auth(1));
      const session = await load();
      await session.startSession();
      await until(() => session.viewerNow().kind === 'member');
      await session.signOut();
      return session;
    };

    it.each([
      ['at the next start', async () => load().then(({ startSession }) => startSession())],
      ['when the connection is back', async () => void window.dispatchEvent(new Event('online'))],
    ])('is told %s, without the cookies of whoever has signed in since', async (_, goOn) => {
      await signOutWith(unreachable);
      expect(ended()).toEqual(['refresh-1']);
      asked.length = 0;
      serve('token-2');
      await goOn();
      await until(() => ended() === null);
      expect(calls('/auth/logout')[0]).toMatchObject({ bearer: null, body: { refreshToken: 'refresh-1' } });
      const [, init] = jest.mocked(fetch).mock.calls.find(([path]) => String(path).endsWith('/auth/logout')) ?? [];
      expect(
        jest
          .mocked(fetch)
          .mock.calls.filter(([path]) => String(path).endsWith('/auth/logout'))
          .at(-1)?.[1],
      ).toMatchObject({
        credentials: 'omit',
      });
      expect(init).toMatchObject({ credentials: 'same-origin' });
    });

    it.each([500, 503, 429])('is kept where it answers with %i', async (status) => {
      await signOutWith({ 'POST /auth/logout': () => ({ status }) });
      expect(ended()).toEqual(['refresh-1']);
    });

    it('is not told again of a login that it knows no more', async () => {
      await signOutWith({ 'POST /auth/logout': () => ({ status: 401 }) });
      expect(ended()).toBeNull();
    });
  });

  it('keeps what was typed in every tab where the tokens are found to have gone', async () => {
    serve('token-1');
    store(auth(1));
    const { startSession, removeStored, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    document.body.innerHTML = '<form><textarea name="body">A long text</textarea></form>';
    await removeStored('auth');
    await until(() => left.includes('if protected'));
    document.body.innerHTML = '';
    expect(sessionStorage.getItem('tipledger:typed')).toContain('A long text');
  });

  it('leaves it to whoever logs out where to go', async () => {
    serve('token-1', {
      'POST /auth/logout': () => new Promise((resolve) => setTimeout(() => resolve({ status: 200, body: {} }), 40)),
    });
    store(auth(1));
    const { startSession, signOut, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    await signOut();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(left).toEqual([]);
    expect(calls('/auth/logout')).toHaveLength(1);
  });

  it('has a browser that shows notifications told no more, and does not wait for a push service that is silent', async () => {
    serve('token-1');
    const unsubscribe = jest.fn(async () => true);
    const registration = { pushManager: { getSubscription: async () => ({ unsubscribe }) } };
    Object.defineProperty(navigator, 'serviceWorker', {
      configurable: true,
      value: { getRegistration: async () => registration },
    });
    Object.assign(window, { PushManager: class {}, Notification: { permission: 'granted' } });
    try {
      const { signOut, viewerNow } = await load();
      await signOut();
      expect(unsubscribe).toHaveBeenCalledTimes(1);
      registration.pushManager.getSubscription = () => new Promise(() => undefined);
      jest.useFakeTimers();
      const leaving = signOut();
      await jest.advanceTimersByTimeAsync(3_000);
      await leaving;
      expect(viewerNow()).toEqual({ kind: 'guest' });
    } finally {
      jest.useRealTimers();
      for (const [of, name] of [
        [navigator, 'serviceWorker'],
        [window, 'PushManager'],
        [window, 'Notification'],
      ] as const)
        Reflect.deleteProperty(of, name);
    }
  });
});
