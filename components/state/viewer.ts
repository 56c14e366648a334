import { atom, getDefaultStore } from 'jotai';
import type { FollowingEntry, UserAnswer } from '@/lib/accounts/schema';
import type { OwnPortfolio } from '@/lib/portfolios/schema';
import type { Role } from '@/lib/reference/schema';
import { markViewer } from './interaction';
import { currentPortfolioAtom } from './preferences';
import { forgetTransfers } from './transfer';

/** What the API says of the member who is signed in; what opens for them is not known of one who was kept by a release from before. */
export type Identity = UserAnswer & { portfolios: readonly OwnPortfolio[]; opens?: readonly number[] };

/** What the member may read, as one text: another one once they were given or lost something. */
export const accessOf = (given: {
  user: { hasProMembership: boolean };
  opens?: readonly number[] | undefined;
}): string => `${given.user.hasProMembership} ${given.opens?.join() ?? 'unknown'}`;

/** Who is looking; 'unknown' only until the stored tokens are read, and who they belong to is known. */
export type ViewerState =
  | { kind: 'unknown' }
  | { kind: 'guest' }
  | ({ kind: 'member'; role: Role; currentPortfolio: string | null } & Identity);

type Known = { kind: 'unknown' } | { kind: 'guest' } | ({ kind: 'member'; role: Role } & Identity);

const knownAtom = atom<Known>({ kind: 'unknown' });

/** Spec §4, current portfolio: the stored one if it is among the member's, else the first. */
export function currentPortfolioOf(
  stored: string | null,
  portfolios: readonly Pick<OwnPortfolio, 'reference'>[],
): string | null {
  return (portfolios.find(({ reference }) => reference === stored) ?? portfolios[0])?.reference ?? null;
}

/** Who is looking. */
export const viewerAtom = atom((get): ViewerState => {
  const known = get(knownAtom);
  return known.kind === 'member'
    ? { ...known, currentPortfolio: currentPortfolioOf(get(currentPortfolioAtom), known.portfolios) }
    : known;
});

/** The name of the member who is signed in; null while nobody is known to be. */
export const usernameAtom = atom((get) => {
  const known = get(knownAtom);
  return known.kind === 'member' ? known.user.username : null;
});

/** Spec §3: whom the member follows; null until it was asked for. */
export const followingAtom = atom<readonly FollowingEntry[] | null>(null);

/** True where it could not be found out whom the member follows. */
export const isFollowingLostAtom = atom(false);

/** Who is looking, outside React. */
export function viewerNow(): ViewerState {
  return getDefaultStore().get(viewerAtom);
}

/** Who is looking, once that is known; 'unknown' when it is not after so long. */
export function knownViewer(patienceMilliseconds: number): Promise<ViewerState> {
  const store = getDefaultStore();
  return new Promise((resolve) => {
    const end = () => {
      leave();
      clearTimeout(timer);
      resolve(viewerNow());
    };
    const look = () => {
      if (viewerNow().kind !== 'unknown') end();
    };
    const timer = setTimeout(end, patienceMilliseconds);
    const leave = store.sub(viewerAtom, look);
    look();
  });
}

let wasGuest = false;

/** True when nobody was signed in at some time since this document was opened. */
export function hasBeenGuest(): boolean {
  return wasGuest;
}

/** Says that nobody is signed in. */
export function showGuest(): void {
  wasGuest = true;
  getDefaultStore().set(knownAtom, { kind: 'guest' });
  getDefaultStore().set(followingAtom, null);
  markViewer('guest');
}

/** Says who is signed in. */
export function showMember(role: Role, identity: Identity): void {
  const before = viewerNow();
  // What was answered before may have opened since, or been locked.
  if (before.kind === 'member' && accessOf(before) !== accessOf(identity)) forgetTransfers();
  getDefaultStore().set(knownAtom, { kind: 'member', role, ...identity });
  markViewer('member');
}

/** Spec §4: makes one of the member's portfolios the current one, in all windows; null leaves the first of them. */
export async function choosePortfolio(reference: string | null): Promise<void> {
  await getDefaultStore().set(currentPortfolioAtom, reference);
}

/** Spec §4: forgets the portfolio chosen, so that the next one is the first: on logout and when it was abandoned. */
export async function clearCurrentPortfolio(): Promise<void> {
  await getDefaultStore().set(currentPortfolioAtom, null);
}
