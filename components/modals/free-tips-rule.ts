import { getDefaultStore } from 'jotai';
import { api } from '../state/api';
import { onFirst } from '../state/interaction';
import { openModal, openModalsAtom } from '../state/modals';
import { freeTipsClosedAtom, freeTipsSignedUpAtom } from '../state/preferences';
import { viewerAtom } from '../state/viewer';

/** Ours (spec §9 leaves the delay open): how long after the first interaction the popup comes at the earliest. */
export const popupDelayMilliseconds = 60_000;

const pagesWithout = /^\/(login|register|forgotten-password|unsubscribe|search|safer-gambling)(\/|$)/;

/** Whether the popup may come now: to guests on an ordinary page, in sight, with nothing else open, who neither were shown it before nor signed up. */
export function mayOfferFreeTips(): boolean {
  const store = getDefaultStore();
  const isFree =
    store.get(openModalsAtom).length === 0 &&
    document.visibilityState === 'visible' &&
    !pagesWithout.test(location.pathname);
  return (
    isFree &&
    store.get(viewerAtom).kind === 'guest' &&
    !store.get(freeTipsClosedAtom) &&
    !store.get(freeTipsSignedUpAtom)
  );
}

/** Offers today's free tips once in the visit, a while after the first interaction, when there are any. */
export function offerFreeTips(): void {
  const store = getDefaultStore();
  store.sub(viewerAtom, () => {
    if (store.get(viewerAtom).kind === 'member' && !store.get(freeTipsSignedUpAtom))
      void store.set(freeTipsSignedUpAtom, true);
  });
  onFirst(['interaction'], () => setTimeout(() => void offer(), popupDelayMilliseconds));
}

async function offer(): Promise<void> {
  if (!mayOfferFreeTips()) return;
  const { items: tips } = await api('GET /free-tips', { bearer: 'none' }).catch(() => ({
    items: [],
  }));
  if (tips.length === 0 || !mayOfferFreeTips() || !openModal('free tips popup', { tips })) return;
  // At once: who leaves by one of its links never closes it.
  void getDefaultStore().set(freeTipsClosedAtom, true);
}
