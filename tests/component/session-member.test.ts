import {
  type Answer,
  type Asked,
  asked,
  auth,
  calls,
  left,
  load,
  serve,
  settings,
  startAnew,
  store,
  stored,
  until,
  user,
  whole,
} from '../support/session-server';

beforeEach(startAnew);

describe('an unverified user', () => {
  const unverified = {
    'GET /user': () => ({ status: 200, body: whole({ user: { ...user, emailConfirmed: false } }) }),
  };

  it.each([
    ['/football?days=3', '/register/verify?redirect_after_verify=%2Ffootball%3Fdays%3D3'],
    ['/login', '/register/verify?redirect_after_verify=%2Fdashboard'],
    ['/login?redirect_to=%2Fx', '/register/verify?redirect_after_verify=%2Fx'],
    ['/register?redirect_to=%2Ftipster%2Fann', '/register/verify?redirect_after_verify=%2Ftipster%2Fann'],
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

  it('stays where what the server kept is older than the confirmation', async () => {
    const answerTo = ({ isAnew }: Asked) => whole(isAnew ? {} : { user: { ...user, emailConfirmed: false } });
    serve('token-1', { 'GET /user': (call) => ({ status: 200, body: answerTo(call) }) });
    store(auth(1));
    const { startSession, viewerNow } = await load();
    await startSession();
    await until(() => asked.filter(({ path }) => path === '/user').length === 2);
    await until(() => {
      const viewer = viewerNow();
      return viewer.kind === 'member' && viewer.user.emailConfirmed;
    });
    expect(left).toEqual([]);
  });

  it('is left alone on the contact page until leaving it', async () => {
    window.history.replaceState({}, '', '/contact-us');
    serve('token-1', unverified);
    store(auth(1));
    const { startSession, reloadUser, pageChanged } = await load();
    await startSession();
    await reloadUser();
    expect(left).toEqual([]);
    window.history.replaceState({}, '', '/tennis');
    await pageChanged();
    expect(left).toEqual(['/register/verify?redirect_after_verify=%2Fdashboard']);
  });
});

it('keeps a setting that was changed while the server was asked for the member', async () => {
  let letGo = () => undefined as void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  serve('token-1', {
    'GET /user': async () => {
      await held;
      return { status: 200, body: whole() };
    },
    'PUT /user': () => ({ status: 200, body: { done: true } }),
  });
  store(auth(1));
  localStorage.setItem('tipledger:user', JSON.stringify({ user, settings, portfolios: [] }));
  const { startSession, reloadUser, viewerNow } = await load();
  const { patchSettings } = await import('@/components/state/auth-user');
  await startSession();
  const asking = reloadUser();
  await expect(patchSettings({ oddsDisplayType: 'US', countryId: 5 })).resolves.toBe('saved');
  letGo();
  await asking;
  const changed = { user: { countryId: 5 }, settings: { oddsDisplayType: 'US' } };
  expect(viewerNow()).toMatchObject(changed);
  expect(JSON.parse(localStorage.getItem('tipledger:user') ?? '')).toMatchObject(changed);
});

describe('somebody else who signs in', () => {
  const cid = { ...user, username: 'cid' };
  const asCid = { 'GET /user': () => ({ status: 200, body: whole({ user: cid }) }) };

  it('in another tab has the page of the first made anew, and whom they follow forgotten', async () => {
    serve('token-1');
    store(auth(1));
    const { startSession, writeStored, viewerNow } = await load();
    await startSession();
    await until(() => viewerNow().kind === 'member');
    localStorage.setItem('tipledger:following', '[{"portfolioReference":"ann","maxStake":1}]');
    window.history.replaceState({}, '', '/dashboard/watchlist?page=2');
    serve('token-2', asCid);
    // The other tab keeps its tokens, then who they belong to.
    await writeStored('auth', auth(2));
    await writeStored('user', { user: cid, settings, portfolios: [] });
    await until(() => left.length > 0);
    expect(left).toEqual(['/dashboard/watchlist?page=2']);
    expect(viewerNow()).toMatchObject({ user: { username: 'cid' } });
    expect(localStorage.getItem('tipledger:following')).toBeNull();
  });

  describe('whose token tells that it is another account', () => {
    const tokensOf = (account: string) => ({
      ...auth(1),
      token: `head.${btoa(JSON.stringify({ sub: account })).replace(/=+$/, '')}.sign`,
      refreshToken: `refresh-of-${account}`,
    });
    const [ofBob, ofCid] = [tokensOf('7'), tokensOf('8')];
    const begin = async () => {
      serve(ofBob.token);
      store(ofBob);
      const session = await load();
      await session.startSession();
      await until(() => session.viewerNow().kind === 'member');
      window.history.replaceState({}, '', '/dashboard/settings?a=1');
      asked.length = 0;
      return session;
    };

    it('has no call of the first one’s page sent again as theirs, and the page left', async () => {
      const { api, viewerNow } = await begin();
      // Unheard here: a browser without channels, or a page that was frozen.
      store(ofCid);
      serve(ofCid.token, { ...asCid, 'DELETE /account/delete': () => ({ status: 401 }) });
      const call = api('DELETE /account/delete' as 'GET /user');
      await expect(call).rejects.toMatchObject({ status: 401 });
      expect(calls('/account/delete').map(({ bearer }) => bearer)).toEqual([ofBob.token]);
      expect(left).toEqual(['/dashboard/settings?a=1']);
      expect([stored(), calls('/auth/logout'), viewerNow()]).toMatchObject([ofCid, [], { user: { username: 'bob' } }]);
    });

    it('has the page left at once, whatever the server says of who they are', async () => {
      const { writeStored, api } = await begin();
      serve(ofCid.token, { 'GET /user': () => ({ status: 503 }) });
      await writeStored('auth', ofCid);
      await until(() => left.length > 0);
      expect(left).toEqual(['/dashboard/settings?a=1']);
      await expect(api('GET /user/portfolio')).rejects.toMatchObject({ status: 401 });
    });

    it('has the page left where its own login is found to have ended', async () => {
      const { refresh } = await begin();
      serve(ofCid.token, {
        ...asCid,
        'POST /auth/refresh-token': () => {
          setTimeout(() => store(ofCid), 0);
          return new Promise((resolve) => setTimeout(() => resolve({ status: 400 }), 10));
        },
      });
      await expect(refresh()).resolves.toBe(false);
      expect([left, stored(), calls('/auth/logout')]).toEqual([['/dashboard/settings?a=1'], ofCid, []]);
    });
  });

  it('leaves the page alone where it was shown to nobody before, and where it is the same member', async () => {
    serve('token-1', asCid);
    store(auth(1));
    const { startSession, reloadUser } = await load();
    await startSession();
    await reloadUser();
    await reloadUser();
    expect(left).toEqual([]);
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
  const member = async ({ bearer }: Asked): Promise<Answer> => {
    if (bearer !== 'token-2') return { status: 401, body: { message: 'Forbidden' } };
    if ((turn += 1) === 2) await held;
    return { status: 200, body: whole() };
  };
  serve('token-2', {
    'GET /user': member,
    'POST /auth/refresh-token': () => ({ status: 200, body: auth(2, 0) }),
  });
  const { startSession, viewerNow } = await load();
  const role = () => (viewerNow() as { role?: number }).role;
  await startSession();
  await until(() => turn === 2 && role() === 0);
  letGo();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(role()).toBe(0);
});

it('is known with their portfolios, what opens for them and what they have not read by one call', async () => {
  serve('token-1');
  store(auth(1));
  const { startSession, viewerNow } = await load();
  const [{ unreadAtom }, { getDefaultStore }] = await Promise.all([
    import('@/components/state/unread-count'),
    import('jotai'),
  ]);
  await startSession();
  await until(() => viewerNow().kind === 'member');
  expect(viewerNow()).toMatchObject({ user, portfolios: whole().portfolios, opens: whole().opens });
  expect(getDefaultStore().get(unreadAtom)).toBe(2);
  expect(asked).toMatchObject([{ method: 'GET', path: '/user', isAnew: false }]);
});

it('is asked for anew, and from nothing kept, where somebody knows of a change', async () => {
  serve('token-1');
  store(auth(1));
  const { startSession, reloadUser, viewerNow } = await load();
  await startSession();
  await until(() => viewerNow().kind === 'member');
  await reloadUser();
  expect(calls('/user').map(({ isAnew }) => isAnew)).toEqual([false, true]);
});

it('is shown by the answer that was asked for last, though one from before comes after it', async () => {
  let letGo = () => undefined as void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const old = whole();
  serve('token-1', {
    'GET /user': async ({ isAnew }) => {
      if (isAnew) return { status: 200, body: whole({ opens: [1, 2, 3] }) };
      await held;
      return { status: 200, body: old };
    },
  });
  store(auth(1));
  const { startSession, reloadUser, viewerNow } = await load();
  await startSession();
  await reloadUser();
  const opens = { opens: [1, 2, 3] };
  expect(viewerNow()).toMatchObject(opens);
  letGo();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(viewerNow()).toMatchObject(opens);
  expect(JSON.parse(localStorage.getItem('tipledger:user') ?? '')).toMatchObject(opens);
});

it('is shown by the answer asked for anew, though one that was kept is asked for after it and comes first', async () => {
  let letGo = () => undefined as void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  serve('token-1', {
    'GET /user': async ({ isAnew }) => {
      if (!isAnew) return { status: 200, body: whole() };
      await held;
      return { status: 200, body: whole({ opens: [1, 2, 3] }) };
    },
  });
  store(auth(1));
  const { startSession, reloadUser, viewerNow } = await load();
  await startSession();
  const asking = reloadUser();
  await reloadUser({});
  expect(viewerNow()).toMatchObject({ opens: [1, 2] });
  letGo();
  await asking;
  expect(viewerNow()).toMatchObject({ opens: [1, 2, 3] });
});

it('stays as they were known where an instance of an older release answers', async () => {
  serve('token-1', { 'GET /user': () => ({ status: 200, body: { user, settings } }) });
  store(auth(1));
  localStorage.setItem('tipledger:user', JSON.stringify({ user, settings, portfolios: [{ reference: 'kept' }] }));
  const { startSession, reloadUser, viewerNow } = await load();
  await startSession();
  await reloadUser();
  expect(viewerNow()).toMatchObject({ portfolios: [{ reference: 'kept' }] });
});

it('is shown at a login that an instance of an older release answers, with the portfolios that it tells by their own call', async () => {
  localStorage.setItem('tipledger:user', JSON.stringify({ user, settings, portfolios: [{ reference: 'kept' }] }));
  const older = { status: 200, body: { user, settings } };
  const portfolios = { status: 200, body: [{ reference: 'first' }] };
  const login = { status: 200, body: auth(1) };
  serve('token-1', {
    'GET /user': () => older,
    'GET /user/portfolio': () => portfolios,
    'POST /auth/token': () => login,
  });
  const { startSession, signIn, viewerNow } = await load();
  await startSession();
  await signIn({ username: 'bob', password: 'secret' });
  expect(viewerNow()).toMatchObject({ kind: 'member', user, portfolios: portfolios.body });
});

it('stays signed in, and shown, where a bearer that is not renewed is refused', async () => {
  serve('token-1');
  store(auth(1));
  const { startSession, reloadUser, viewerNow } = await load();
  await startSession();
  await until(() => viewerNow().kind === 'member');
  serve('token-2');
  await reloadUser({ bearer: 'once' });
  expect([viewerNow().kind, stored(), left, calls('/auth/refresh-token')]).toEqual(['member', auth(1), [], []]);
  expect(localStorage.getItem('tipledger:user')).not.toBeNull();
});
