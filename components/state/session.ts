import { api, ApiError, carryBearer, type Sending } from './api';
import { checkAuth, endsSession, isAnswer } from './auth-check';
import { addressNow, leaveAsUnauthorised, leaveFor, leaveIfProtected, verificationNow } from './auth-navigation';
import { authKey, type AuthRecord, isOtherAccount, isSameAuth, readAuth, sessionLock } from './auth-record';
import { oneAtATime } from './one-at-a-time';
import { anew, forgetUser, loadUser, showKnownUser, watchUser } from './auth-user';
import { debugLog } from './browser-log';
import { watchReplay } from './edit-queue';
import { readStored, readSurely, removeStored, watchStored, writeStored } from './storage';
import { dropMemberCookie, hasMemberCookie } from './member-cookie';
import { clearCurrentPortfolio, showGuest, type ViewerState, viewerNow } from './viewer';

// Ours: spec §9 leaves the rate of the auth check open.
const checkGapMilliseconds = 10_000;
const renewalPatienceMilliseconds = 15_000;
const pushPatienceMilliseconds = 3_000;

let memory: AuthRecord | null = null;
// 0118: the refresh tokens of logins that ended here, until the server has answered that they have.
const endedKey = 'ended';

// Counts who is signed in one after the other, so that an answer that was asked for before is known as late.
let signIns = 0;
let lastCheck = -Infinity;
// A user kept from the last visit may have confirmed the address elsewhere since.
let isUserFresh = false;
let checking: Promise<void> = Promise.resolve();
let renewing: Promise<boolean> | null = null;
let leaving: Promise<boolean> | null = null;

carryBearer({
  token: () => memory?.token ?? null,
  renew: async (refused) => (memory && memory.token !== refused ? !isOtherAccount(memory.token, refused) : refresh()),
});

/** Spec §4: reads the stored tokens, shows who they belong to, and from then on checks them on focus, on page changes and when another tab changes them. */
export async function startSession(): Promise<void> {
  watchUser();
  watchStored(authKey, () => void checkNow());
  // What was taken late may be older than a change from another device, which then stands.
  watchReplay(() => void reloadUser());
  window.addEventListener('focus', () => void checkRarely());
  window.addEventListener('online', () => void tellEnded());
  void tellEnded();
  await checkNow();
}

/** Spec §4: the checks that a change of page brings. */
export async function pageChanged(): Promise<void> {
  sendUnverified();
  await checkRarely();
}

async function checkRarely(): Promise<void> {
  if (performance.now() - lastCheck >= checkGapMilliseconds) await checkNow();
}

function checkNow(): Promise<void> {
  return (checking = checking.then(check, check));
}

async function check(): Promise<void> {
  lastCheck = performance.now();
  const before = memory;
  const { value, isSure } = await readSurely(authKey);
  // Who signed in or renewed here meanwhile wrote after this was read: taken for gone, the new tokens would be signed out.
  if (memory !== before) return check();
  const { finding, remove } = checkAuth(isSure ? value : undefined, memory);
  if (remove) await oneAtATime(sessionLock, removeBroken);
  if (finding.kind === 'guest') {
    const auth = await resume();
    return auth ? logIn(auth) : showGuest();
  }
  if (finding.kind === 'log-in') return takeUp(finding.auth);
  if (finding.kind === 'log-out') {
    // Whoever logs out here says where to go; only what another tab has done is found out.
    if (leaving) return;
    // What cannot be read has not gone; whoever logs out in another tab takes the member cookie away.
    if (!isSure && hasMemberCookie()) return;
    debugLog('The stored tokens have gone: logged out.');
    await keepWhatWasTyped();
    if (await depart(before)) await leaveIfProtected();
  }
  if (viewerNow().kind === 'unknown') void reloadUser({});
}

/** Another tab may have signed in since it was read. */
async function removeBroken(): Promise<void> {
  if (!readAuth(await readStored(authKey))) await removeStored(authKey);
}

/** Ours: a browser that kept the session cookie alone, since its storage was lost or a form signed in, is given tokens for it. */
async function resume(): Promise<AuthRecord | null> {
  if (!hasMemberCookie()) return null;
  return oneAtATime(sessionLock, async () => {
    const stored = readAuth(await readStored(authKey));
    // Whoever had the turn before may have signed in or out.
    if (stored || !hasMemberCookie()) return stored;
    try {
      const auth = readAuth(
        await api('POST /auth/session', {
          bearer: 'none',
          // The other tabs wait for this turn.
          signal: AbortSignal.timeout(renewalPatienceMilliseconds),
        }),
      );
      if (auth) await writeStored(authKey, auth);
      return auth;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) dropMemberCookie();
      debugLog('The session could not be taken up again.', error);
      return null;
    }
  });
}

/** Takes tokens that another tab has kept. */
async function takeUp(auth: AuthRecord): Promise<void> {
  if (memory && isOtherAccount(auth.token, memory.token)) makeWay();
  else await logIn(auth);
}

/** Ours (0118): a page of one member is left for another at once. Until then its calls carry the bearer that it had: what is pressed on it is not theirs. */
function makeWay(): void {
  signIns += 1;
  void forgetUser();
  leaveFor(addressNow());
}

/** Spec §4, startup: who the tokens belong to is not waited for. */
async function logIn(auth: AuthRecord): Promise<void> {
  const isFirst = memory === null;
  memory = auth;
  signIns += 1;
  if (isFirst) await showKnownUser(auth.role);
  void reloadUser({});
}

/** Asks who the member is: after signing in, and, anew, whenever that may have changed, as when the e-mail address was confirmed. */
export async function reloadUser(sending: Sending = anew): Promise<void> {
  if (!memory) return;
  const turn = signIns;
  // The call may renew the tokens, and these tell the role.
  if (await loadUser(() => (turn === signIns && memory ? memory.role : null), sending)) {
    // The server may have kept the answer since before the address was confirmed, and the page to confirm it would lead straight back.
    if (sending.headers !== anew.headers && isUnverified(viewerNow())) return reloadUser();
    isUserFresh = true;
  }
  sendUnverified();
}

/** Signs in with a username or e-mail address, trimmed, and a password as given; shows the member before it returns. Throws the ApiError of a refusal. */
export async function signIn({ username, password }: { username: string; password: string }): Promise<void> {
  await enter(api('POST /auth/token', { body: { username: username.trim(), password }, bearer: 'none' }));
}

/** Takes the tokens that the call of a login or a registration is answered with, and shows the member before it returns. Throws what the call does; spec §8: that clears the cached user and is logged. */
export async function enter(call: Promise<unknown>): Promise<void> {
  const auth = await authOf(call);
  await forgetUser();
  signIns += 1;
  await oneAtATime(sessionLock, () => keep(auth));
  await reloadUser();
}

async function authOf(call: Promise<unknown>): Promise<AuthRecord> {
  try {
    const auth = readAuth(await call);
    if (auth) return auth;
    throw new Error('You could not be signed in. Try again in a minute.');
  } catch (error) {
    await forgetUser();
    debugLog('Nobody could be signed in.', error);
    throw error;
  }
}

async function keep(auth: AuthRecord): Promise<void> {
  await writeStored(authKey, auth);
  memory = auth;
}

/** Spec §4, logout: clears the stored tokens, tells the server, then clears memory. */
export async function signOut(): Promise<void> {
  if (leaving && (await leaving)) return;
  await depart(null);
}

/** Logs out of a login that is found to have ended, of whatever login with null; false where somebody has signed in in another tab meanwhile, who stays and is shown. */
function depart(ended: AuthRecord | null): Promise<boolean> {
  return (leaving ??= leave(ended).finally(() => (leaving = null)));
}

async function leave(ended: AuthRecord | null): Promise<boolean> {
  const { last, fresh } = await oneAtATime(sessionLock, async () => {
    const stored = readAuth(await readStored(authKey));
    if (ended && stored && !isSameAuth(stored, ended)) return { last: null, fresh: stored };
    dropMemberCookie();
    const known = stored ?? memory;
    if (known) await changeEnded((tokens) => [...tokens, known.refreshToken]);
    await removeStored(authKey);
    return { last: known, fresh: null };
  });
  if (fresh) {
    await takeUp(fresh);
    return false;
  }
  const quiet = endPush();
  // The cookies may be of somebody who signs in just now; those of a login that has ended are worth nothing.
  const isTold = last !== null && (await tellServer(last, ended ? { cookies: false } : {}));
  memory = null;
  signIns += 1;
  await Promise.all([forgetUser(), clearCurrentPortfolio()]);
  showGuest();
  if (isTold) await forgetEnded(last.refreshToken);
  await quiet;
  return true;
}

/** Ours (0104): whoever uses this browser next is shown nothing that is for the member. A push service that does not answer is not waited for. */
async function endPush(): Promise<void> {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const done = import('./push').then(async ({ pushAbility, unsubscribeHere }) => {
    if (pushAbility() === 'able') await unsubscribeHere();
  });
  await Promise.race([
    done.catch((error: unknown) => debugLog('This browser could not be unsubscribed from notifications.', error)),
    new Promise((resolve) => setTimeout(resolve, pushPatienceMilliseconds)),
  ]);
}

async function tellServer(last: AuthRecord, how: Sending): Promise<boolean> {
  memory = last;
  return end(last.refreshToken, { ...how, bearer: 'once' });
}

/** Ends a login on the server; true when the server has answered. */
async function end(refreshToken: string, how: Sending): Promise<boolean> {
  try {
    await api('POST /auth/logout', { body: { refreshToken }, ...how });
    return true;
  } catch (error) {
    debugLog('The server could not be told of the logout.', error);
    return isAnswer(error);
  }
}

const forgetEnded = (refreshToken: string) =>
  oneAtATime(sessionLock, () => changeEnded((tokens) => tokens.filter((each) => each !== refreshToken)));

/** Ours (0118): tells the server of logins that ended here without a connection. Whoever has signed in since keeps their cookie. */
async function tellEnded(): Promise<void> {
  for (const refreshToken of await readEnded()) {
    const signal = AbortSignal.timeout(renewalPatienceMilliseconds);
    if (await end(refreshToken, { bearer: 'none', cookies: false, signal })) await forgetEnded(refreshToken);
  }
}

async function readEnded(): Promise<string[]> {
  const tokens = await readStored(endedKey);
  return Array.isArray(tokens) ? tokens.filter((token) => typeof token === 'string') : [];
}

/** Only in turn: another tab may change the same. */
async function changeEnded(change: (tokens: string[]) => string[]): Promise<void> {
  const tokens = change(await readEnded());
  await (tokens.length > 0 ? writeStored(endedKey, tokens) : removeStored(endedKey));
}

/** Spec §4, refresh: false without tokens and when the session has ended, which also logs out; true when renewed, or when it may still be. */
export function refresh(): Promise<boolean> {
  return (renewing ??= renew().finally(() => (renewing = null)));
}

async function renew(): Promise<boolean> {
  const outcome = await oneAtATime(sessionLock, renewInTurn);
  const ended = memory;
  if (outcome === 'another') return false;
  if (outcome === 'none') return ended !== null && !(await depart(ended)) && memory !== ended;
  if (outcome === 'ended') {
    await keepWhatWasTyped();
    if (!(await depart(ended))) return memory !== ended;
    await leaveAsUnauthorised();
    return false;
  }
  return true;
}

/** A login that ends while somebody is at work must not cost them what they typed. */
async function keepWhatWasTyped(): Promise<void> {
  const viewer = viewerNow();
  if (viewer.kind !== 'member') return;
  try {
    (await import('./kept-typing')).keepTyped(viewer.user.username);
  } catch (error) {
    debugLog('What was typed could not be kept.', error);
  }
}

/** Another tab may have renewed while this one waited its turn: then there is nothing left to do. */
async function renewInTurn(): Promise<'renewed' | 'another' | 'none' | 'ended' | 'unknown'> {
  const { value, isSure } = await readSurely(authKey);
  const stored = isSure ? readAuth(value) : memory;
  if (!stored) return 'none';
  if (memory && !isSameAuth(stored, memory)) {
    if (isOtherAccount(stored.token, memory.token)) {
      makeWay();
      return 'another';
    }
    take(stored, memory.role);
    return 'renewed';
  }
  try {
    const body = { accessToken: stored.token, refreshToken: stored.refreshToken };
    const auth = readAuth(
      await api('POST /auth/refresh-token', {
        body,
        bearer: 'none',
        signal: AbortSignal.timeout(renewalPatienceMilliseconds),
      }),
    );
    if (!auth) return 'ended';
    await writeStored(authKey, auth);
    take(auth, stored.role);
    return 'renewed';
  } catch (error) {
    debugLog('The tokens could not be renewed.', error);
    return error instanceof ApiError && endsSession(error.status) ? 'ended' : 'unknown';
  }
}

/** Spec §4: a refresh tells the role; what is shown of the member is asked for anew when it is another. */
function take(renewed: AuthRecord, roleBefore: AuthRecord['role']): void {
  memory = renewed;
  if (renewed.role !== roleBefore) void reloadUser();
}

const isUnverified = (viewer: ViewerState) => viewer.kind === 'member' && !viewer.user.emailConfirmed;

function sendUnverified(): void {
  const target = isUserFresh && isUnverified(viewerNow()) ? verificationNow() : null;
  if (target) leaveFor(target);
}
