import { atom, getDefaultStore } from 'jotai';
import type { Role } from '@/lib/reference/schema';
import type { BrowserConfig } from './browser-config';
import { logError } from './browser-log';
import { consentAtom, loadThirdParty, onConsent } from './consent';
import { recall, remember } from './tab-storage';
import { shownPathAtom } from './shown-path';
import { viewerAtom } from './viewer';

/** What the rule needs to know of who is looking; see `viewerAtom`. */
type AdViewer =
  | { kind: 'unknown' | 'guest' }
  | {
      kind: 'member';
      role: Role;
      user: {
        hasActivePremiumPortfolio: boolean;
        hasActiveSubscription: boolean;
        hasProMembership: boolean;
        affiliateReference: string | null;
      };
    };

// Spelt out, since the enumeration would bring its validation library to every visitor.
const user = 0 satisfies typeof Role.user;
const closedKey = 'tipledger:adhesion-closed';

/** Spec §8: true once an advertising or consent script could not be loaded. */
export const adsBlockedAtom = atom(false);
const configuredAtom = atom<BrowserConfig['scripts'] | null>(null);
const adhesionClosedAtom = atom(false);
/** Spec §2.1: the ad flag of the page that is shown. */
const routeAdsAtom = atom(false);

/** Spec §4: whether somebody is shown advertising: not those who pay, sell, administer or came as an affiliate, and nobody before it is known who they are. */
export function seesAds(viewer: AdViewer): boolean {
  if (viewer.kind !== 'member') return viewer.kind === 'guest';
  const { hasActivePremiumPortfolio, hasActiveSubscription, hasProMembership, affiliateReference } = viewer.user;
  return (
    viewer.role === user &&
    !hasActivePremiumPortfolio &&
    !hasActiveSubscription &&
    !hasProMembership &&
    !affiliateReference
  );
}

/** True when advertising is configured, allowed by the visitor, not blocked, and theirs to see. */
export const adsShownAtom = atom(
  (get) =>
    Boolean(get(configuredAtom)?.ads) &&
    get(consentAtom).has('ads') &&
    !get(adsBlockedAtom) &&
    get(routeAdsAtom) &&
    seesAds(get(viewerAtom)),
);

/** True when the advertisement that sticks to the window's end is shown: it can be closed for the session. */
export const adhesionShownAtom = atom((get) => get(adsShownAtom) && !get(adhesionClosedAtom));

/** Spec §4: closes the advertisement at the window's end until the session ends. */
export function closeAdhesion(): void {
  getDefaultStore().set(adhesionClosedAtom, true);
  remember(closedKey, '1');
}

const wasAdhesionClosed = () => recall(closedKey) === '1';

/** Marks every display as blocked, as when a script of advertising or consent could not be loaded. */
export function markAdsBlocked(): void {
  getDefaultStore().set(adsBlockedAtom, true);
}

/** Opens and closes the slots of the page as the rules say, and loads the scripts once they open for the first time. Does nothing unless advertising is configured. */
export function startAds({ scripts }: Pick<BrowserConfig, 'scripts'>): void {
  if (!scripts.ads) return;
  const store = getDefaultStore();
  store.set(configuredAtom, scripts);
  store.set(adhesionClosedAtom, wasAdhesionClosed());
  const apply = () => {
    const isShown = store.get(adsShownAtom);
    document.documentElement.dataset.ads = isShown ? 'on' : 'off';
    if (isShown) void loadAds(scripts);
  };
  const look = () => void readRoute(store.get(shownPathAtom) ?? location.pathname);
  store.sub(shownPathAtom, look);
  look();
  store.sub(adsShownAtom, apply);
  apply();
}

async function readRoute(path: string): Promise<void> {
  const { routeOf } = await import('@/lib/route-table');
  getDefaultStore().set(routeAdsAtom, routeOf(path)?.shell.ads ?? false);
}

async function loadAds({ ads, adQuality }: BrowserConfig['scripts']): Promise<void> {
  try {
    if (adQuality) await loadThirdParty(adQuality, 'ads');
    if (ads) await loadThirdParty(ads, 'ads');
  } catch {
    markAdsBlocked();
  }
}

/** Spec §7, §8: loads the affiliate-referral script where one is configured, once advertising is consented to; that it could not be loaded is logged. */
export function startAffiliateScript({ scripts: { affiliate } }: Pick<BrowserConfig, 'scripts'>): void {
  if (affiliate)
    onConsent('ads', () => void loadThirdParty(affiliate, 'ads').catch((error: unknown) => logError(error)));
}
