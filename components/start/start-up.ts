import { atom, getDefaultStore } from 'jotai';
import { closeModals } from '../state/modals';
import { offerFreeTips } from '../modals/free-tips-rule';
import { markAdsBlocked, startAds, startAffiliateScript } from '../state/ads';
import { keepAddressParameters } from '../state/affiliate';
import { flush } from '../state/analytics';
import { trackPage, trackTimings, watchClicks } from '../state/analytics-events';
import { startTags } from '../state/analytics-tags';
import type { BrowserConfig } from '../state/browser-config';
import { debugLog, logError, startErrorLog, watchServerErrors } from '../state/browser-log';
import { askForConsent } from '../state/consent';
import { startInstalledApp } from './installed-app';
import { alertsAppAtom, loadPreferences } from '../state/preferences';
import { whenStable } from '../state/service-worker';
import { shownPathAtom } from '../state/shown-path';
import { pageChanged as checkSession, startSession } from '../state/session';
import { viewerAtom } from '../state/viewer';

/** Spec §4: true once storage, config and auth are there; who the user is need not be known by then. */
export const initialisedAtom = atom(false);

let starting: Promise<void> | null = null;

/** Spec §4, startup order: storage, config, auth and user, the ready flag without waiting for the user, analytics. The first call does it. */
export function startUp(config: BrowserConfig): Promise<void> {
  return (starting ??= start(config));
}

async function start(config: BrowserConfig): Promise<void> {
  await loadPreferences();
  await keepAddressParameters(location.search, config.affiliateDays);
  configure(config);
  await startSession().catch((error: unknown) => logError(error));
  getDefaultStore().set(initialisedAtom, true);
  document.documentElement.dataset.ready = '';
  startInstalledApp();
  startAnalytics(config);
  offerFreeTips();
  // A part that cannot be fetched now is asked for again on the next page.
  whenStable(
    () =>
      void import('../record/watch-record')
        .then(({ watchRecord }) => watchRecord())
        .catch((error: unknown) => debugLog('The record could not be looked at.', error)),
  );
}

function configure({ scripts, debug }: BrowserConfig): void {
  const thirdParties = Object.values(scripts).flatMap((address) => (address ? [new URL(address).origin] : []));
  startErrorLog({ thirdParties, debug });
  const store = getDefaultStore();
  const markTipster = () => {
    const viewer = store.get(viewerAtom);
    document.documentElement.toggleAttribute(
      'data-tipster',
      viewer.kind === 'member' && viewer.currentPortfolio !== null,
    );
  };
  store.sub(viewerAtom, markTipster);
  markTipster();
  const markAlertsApp = () => document.documentElement.toggleAttribute('data-alerts-app', store.get(alertsAppAtom));
  store.sub(alertsAppAtom, markAlertsApp);
  markAlertsApp();
}

function startAnalytics(config: BrowserConfig): void {
  watchServerErrors();
  watchClicks();
  trackTimings();
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && flush());
  window.addEventListener('online', flush);
  startAds(config);
  startAffiliateScript(config);
  startTags(config);
  askForConsent(config).catch((error: unknown) => {
    debugLog('Consent could not be asked for.', error);
    markAdsBlocked();
  });
}

/** Tells of the page that is shown now; a change of page closes what was open over the last one and checks the session. */
export function showsPage(path: string): void {
  const store = getDefaultStore();
  const before = store.get(shownPathAtom);
  if (path === before) return;
  store.set(shownPathAtom, path);
  trackPage();
  if (before === null) return;
  closeModals();
  void checkSession();
}
