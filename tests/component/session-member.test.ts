import {
  type Answer,
  type Asked,
  auth,
  left,
  load,
  serve,
  settings,
  startAnew,
  store,
  until,
  user,
} from '../support/session-server';

beforeEach(startAnew);

describe('an unverified user', () => {
  const unverified = {
    'GET /user': () => ({ status: 200, body: { user: { ...user, emailConfirmed: false }, settings } }),
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

describe('somebody else who signs in', () => {
  const cid = { ...user, username: 'cid' };
  const asCid = { 'GET /user': () => ({ status: 200, body: { user: cid, settings } }) };

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
  const portfolios = async ({ bearer }: Asked): Promise<Answer> => {
    if (bearer !== 'token-2') return { status: 401, body: { message: 'Forbidden' } };
    if ((turn += 1) === 2) await held;
    return { status: 200, body: [] };
  };
  serve('token-2', {
    'GET /user/portfolio': portfolios,
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
