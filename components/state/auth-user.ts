import { getDefaultStore } from 'jotai';
import type { FollowingEntry, SettingsPatch, UserAnswer } from '@/lib/accounts/schema';
import type { AnswerOf } from '@/lib/calls';
import type { Role } from '@/lib/reference/schema';
import { api, ApiError, type Sending } from './api';
import { addressNow, leaveFor } from './auth-navigation';
import { debugLog } from './browser-log';
import { submitEdit, watchReplay } from './edit-queue';
import { readStored, removeStored, watchStored, writeStored } from './storage';
import { forgetTransfers } from './transfer';
import { nextTurn, tellUnread } from './unread-count';
import { followingAtom, type Identity, isFollowingLostAtom, showMember, viewerNow } from './viewer';

const userKey = 'user';
const followingKey = 'following';

const isIdentity = (value: unknown): value is Identity =>
  typeof value === 'object' && value !== null && 'user' in value && 'settings' in value && 'portfolios' in value;

/** Shows the user who was last seen with these tokens, so that a page opened offline or slowly still knows them. */
export async function showKnownUser(role: Role): Promise<void> {
  const known = await readStored(userKey);
  if (isIdentity(known)) showMember(role, known);
}

/** What was changed while each of these was asked for, whose answer may be older. */
const asking = new Set<SettingsPatch[]>();

const changed = ({ user, settings, portfolios, opens }: Identity, change: SettingsPatch): Identity => ({
  user: { ...user, countryId: change.countryId ?? user.countryId },
  settings: { ...settings, ...change },
  portfolios,
  ...(opens && { opens }),
});

/** How `GET /user` is asked by whoever knows of a change: not from what an instance keeps that has not heard of it (0071). */
export const anew: Sending = { headers: { 'cache-control': 'no-cache' } };

/** The turn in which the member who is shown was last asked for anew: what was asked for before is older, in whatever order it is answered. */
let anewTurn = 0;

/** Asks who the bearer is, and shows and keeps the answer with the role they have by then: `roleNow` is null when somebody else has signed in meanwhile. True when they are shown; a refusal forgets the user kept, save one of a bearer that is not renewed. */
export async function loadUser(roleNow: () => Role | null, sending: Sending): Promise<boolean> {
  const changes: SettingsPatch[] = [];
  const turn = nextTurn();
  asking.add(changes);
  try {
    const { unread, ...told } = await askMember(sending);
    const given = await completed(told, sending);
    const role = roleNow();
    if (role === null || turn < anewTurn || given === null) return false;
    if (sending.headers === anew.headers) anewTurn = turn;
    const { username } = given.user;
    const wasAnother = isAnother(username);
    // Of somebody else's page nothing may go on as theirs.
    if (wasAnother) await forgetUser();
    const identity = wasAnother ? given : changes.reduce(changed, given);
    asking.delete(changes);
    showMember(role, identity);
    if (unread !== undefined) tellUnread(username, unread, turn);
    await writeStored(userKey, identity);
    if (wasAnother) leaveFor(addressNow());
    return true;
  } catch (error) {
    const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    if (isRefused && sending.bearer !== 'once') await forgetUser();
    return false;
  } finally {
    asking.delete(changes);
  }
}

/** What an instance of the release before answers (0107). */
type Older = UserAnswer & Partial<AnswerOf<'GET /user'>>;

const askMember = (sending: Sending): Promise<Older> => api('GET /user', sending);

/** A member without portfolios in the answer stays as they are shown, null; those of one who is not shown are asked for. */
async function completed(told: Older, sending: Sending): Promise<Identity | null> {
  if (isIdentity(told)) return told;
  if (viewerNow().kind === 'member' && !isAnother(told.user.username)) return null;
  return { ...told, portfolios: await api('GET /user/portfolio', sending) };
}

/** True when the page was shown to a member of another name. */
function isAnother(username: string): boolean {
  const viewer = viewerNow();
  return viewer.kind === 'member' && viewer.user.username !== username;
}

/** For whom it was asked on this page whom they follow. */
let askedFor: string | null = null;

/** Forgets the user kept in the storage tiers, and whom they follow. */
export async function forgetUser(): Promise<void> {
  getDefaultStore().set(followingAtom, null);
  forgetTransfers();
  askedFor = null;
  getDefaultStore().set(isFollowingLostAtom, false);
  askingAgain?.abort();
  await Promise.all([removeStored(userKey), removeStored(followingKey)]);
}

/** Keeps user, settings and following in step with the other tabs. */
export function watchUser(): void {
  watchStored(userKey, (value) => {
    const viewer = viewerNow();
    // Another's tokens are taken first, which leaves the page.
    if (viewer.kind === 'member' && isIdentity(value) && !isAnother(value.user.username))
      showMember(viewer.role, value);
  });
  watchStored(followingKey, (value) => {
    if (viewerNow().kind === 'member' && Array.isArray(value))
      getDefaultStore().set(followingAtom, value as FollowingEntry[]);
  });
  watchReplay(({ path }) => {
    if (path.startsWith('/user/following/'))
      loadFollowingAnew().catch((error: unknown) => debugLog('Whom the member follows could not be asked.', error));
  });
}

/** How a write ended: taken by the API, or kept on this device until there is a connection. */
export type Written = 'saved' | 'queued';

/** Changes settings of the member in the API and in every tab. Throws 'No user settings to patch' without one, and what the API refuses. */
export async function patchSettings(change: SettingsPatch): Promise<Written> {
  if (Object.keys(change).length === 0) throw new Error('No user settings to patch');
  const { kind } = await submitEdit('PUT /user', { body: change }, 'Changing a setting');
  for (const changes of asking) changes.push(change);
  const viewer = viewerNow();
  if (viewer.kind !== 'member') return kind;
  const identity = changed(viewer, change);
  // What the member sees of the market is another country's.
  forgetTransfers();
  showMember(viewer.role, identity);
  await writeStored(userKey, identity);
  return kind;
}

let askingAgain: AbortController | null = null;
let listing: Promise<void> | null = null;
type Change = (list: readonly FollowingEntry[]) => readonly FollowingEntry[];
/** What was changed while the list was asked for, whose answer may be older. */
let changes: Change[] = [];

/** Shows whom the member was last seen to follow, then asks, once however many places want to know. */
export function loadFollowing(): Promise<void> {
  return (listing ??= listFollowing().finally(() => {
    listing = null;
    changes = [];
  }));
}

/** Asks once more after an answer on its way, which may be older than what was sent. */
async function loadFollowingAnew(): Promise<void> {
  await listing?.catch(() => undefined);
  await loadFollowing();
}

/** Asks once a page whom this member follows, and where that fails again when the connection or the reader is back. */
export function askFollowing(username: string): void {
  askingAgain?.abort();
  const isKnown = listing !== null || getDefaultStore().get(followingAtom) !== null;
  if (askedFor === username && isKnown) return;
  askedFor = username;
  loadFollowing().catch((error: unknown) => {
    askedFor = null;
    debugLog('Whom the member follows could not be asked.', error);
    getDefaultStore().set(isFollowingLostAtom, true);
    const again = (askingAgain = new AbortController());
    for (const type of ['online', 'focus'])
      window.addEventListener(type, () => askFollowing(username), { signal: again.signal });
  });
}

async function listFollowing(): Promise<void> {
  const known = await readStored(followingKey);
  const store = getDefaultStore();
  if (store.get(followingAtom) === null && Array.isArray(known)) store.set(followingAtom, known as FollowingEntry[]);
  const list: readonly FollowingEntry[] = await api('GET /user/following');
  await keepFollowing(changes.reduce((changed, change) => change(changed), list));
}

/** Spec §4: follows a portfolio with the member's default max stake; the list gains the entry. */
export async function follow(portfolioReference: string): Promise<Written> {
  const edit = await submitEdit(
    'POST /user/following/{reference}',
    { params: { reference: portfolioReference } },
    `Following ${portfolioReference}`,
  );
  const viewer = viewerNow();
  const maxStake = viewer.kind === 'member' ? viewer.settings.maxStake : 0;
  const entry = edit.kind === 'saved' ? edit.answer : { portfolioReference, maxStake };
  await changeFollowing((list) => [entry, ...list.filter((each) => each.portfolioReference !== portfolioReference)]);
  return edit.kind;
}

/** Spec §4: unfollows a portfolio; the list loses its entry. */
export async function unfollow(portfolioReference: string): Promise<Written> {
  const { kind } = await submitEdit(
    'DELETE /user/following/{reference}',
    { params: { reference: portfolioReference } },
    `Unfollowing ${portfolioReference}`,
  );
  await changeFollowing((list) => list.filter((each) => each.portfolioReference !== portfolioReference));
  return kind;
}

/** Sets the most that the member stakes on a tip of this portfolio. */
export async function setMaxStake(portfolioReference: string, maxStake: number): Promise<Written> {
  const { kind } = await submitEdit(
    'PUT /user/following/{reference}',
    { params: { reference: portfolioReference }, body: { maxStake } },
    `The max stake of ${portfolioReference}`,
  );
  await changeFollowing((list) =>
    list.map((each) => (each.portfolioReference === portfolioReference ? { ...each, maxStake } : each)),
  );
  return kind;
}

async function changeFollowing(change: Change): Promise<void> {
  // What this tab was not asked for yet may be shown in another.
  const list: unknown = getDefaultStore().get(followingAtom) ?? (await readStored(followingKey));
  if (listing !== null || !Array.isArray(list)) changes.push(change);
  if (Array.isArray(list)) return keepFollowing(change(list as FollowingEntry[]));
  // What was changed is in the answer; without one it was changed all the same.
  await loadFollowing().catch((error: unknown) => debugLog('Whom the member follows could not be asked.', error));
}

async function keepFollowing(list: readonly FollowingEntry[]): Promise<void> {
  getDefaultStore().set(followingAtom, list);
  getDefaultStore().set(isFollowingLostAtom, false);
  await writeStored(followingKey, list);
}
