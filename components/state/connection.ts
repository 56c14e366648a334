import { atom, getDefaultStore } from 'jotai';

/** Spec §4: false while the connection is lost: the 'Offline' badge. */
export const isOnlineAtom = atom(true);

/** Keeps isOnlineAtom right; returns what stops it. */
export function watchConnection(): () => void {
  const look = () => getDefaultStore().set(isOnlineAtom, navigator.onLine);
  look();
  window.addEventListener('online', look);
  window.addEventListener('offline', look);
  return () => {
    window.removeEventListener('online', look);
    window.removeEventListener('offline', look);
  };
}
