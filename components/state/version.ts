import { atom, getDefaultStore } from 'jotai';
import { api } from './api';
import { lastKnownVersionAtom } from './preferences';
import { recall, remember } from './tab-storage';
import { refreshPage } from './version-refresh';
import { isNewerVersion, isRefreshable } from './version-rules';

/** Spec §9: how often the version is asked for, and how long after the news the page is loaded anew. */
export const versionCheckMilliseconds = 3 * 60 * 1000;
export const refreshDelayMilliseconds = 250;

const refreshedForKey = 'tipledger:refreshed-for';

declare const tipledgerBuildId: string | undefined;

/** The build that this page's script is of; null in development. */
export const ownVersion = typeof tipledgerBuildId === 'string' ? tipledgerBuildId : null;

/** True while the server runs a newer version than this page: the 'Update Ready' badge. */
export const updateReadyAtom = atom(false);

let lastCheck = 0;

/** Spec §4: asks which version runs. For a newer one raises the badge and, where the page may be refreshed, loads it anew; `own` is the page's version. */
export async function checkVersion(own: string | null = ownVersion): Promise<void> {
  lastCheck = Date.now();
  const running = await runningVersion();
  if (running === null) return;
  const store = getDefaultStore();
  const isBehind = isNewerVersion(own, running);
  store.set(updateReadyAtom, isBehind);
  await store.set(lastKnownVersionAtom, running);
  if (isBehind) setTimeout(() => refreshFor(running), refreshDelayMilliseconds);
}

async function runningVersion(): Promise<string | null> {
  // Without an answer nothing is known; the next check asks again.
  const answer = await api('GET /edge/version', { bearer: 'none' }).catch(() => null);
  return typeof answer?.version === 'string' ? answer.version : null;
}

// Where instances of both versions answer, a page could come back old and would be loaded for ever: once for each version, then the badge stays.
function refreshFor(version: string): void {
  if (!navigator.onLine || !isRefreshable(location) || recall(refreshedForKey) === version) return;
  if (remember(refreshedForKey, version)) refreshPage();
}

/** Spec §9: checks every three minutes, and at once when a page that was out of sight for longer comes back or another tab knows of a newer version. Returns what stops it. */
export function startVersionChecks(own: string | null = ownVersion): () => void {
  if (own === null) return () => undefined;
  lastCheck = Date.now();
  const store = getDefaultStore();
  // Another tab has heard of it first.
  const unsubscribe = store.sub(lastKnownVersionAtom, () => {
    const known = store.get(lastKnownVersionAtom);
    if (known !== null && isNewerVersion(own, known) && !store.get(updateReadyAtom)) void checkVersion(own);
  });
  const timer = setInterval(() => void checkVersion(own), versionCheckMilliseconds);
  const look = () => {
    if (document.visibilityState === 'visible' && Date.now() - lastCheck >= versionCheckMilliseconds)
      void checkVersion(own);
  };
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    unsubscribe();
    document.removeEventListener('visibilitychange', look);
  };
}
