import { atom, getDefaultStore } from 'jotai';
import { asksNotToBeTracked, setIdentityConsent } from './analytics';
import type { BrowserConfig } from './browser-config';

/** What third parties may be asked for. */
export type ConsentPurpose = 'ads' | 'analytics';

const purposes: readonly ConsentPurpose[] = ['ads', 'analytics'];
const grantedAtom = atom<ReadonlySet<ConsentPurpose>>(new Set<ConsentPurpose>());
const loading = new Map<string, Promise<void>>();

/** What the visitor consents to; nothing until they have answered, and nothing under Do Not Track. */
export const consentAtom = atom((get) => get(grantedAtom));

/** What the third parties that are configured need consent for; nothing without configuration. */
export function neededPurposes({ scripts }: BrowserConfig): ConsentPurpose[] {
  const needed = { ads: scripts.ads ?? scripts.adQuality ?? scripts.affiliate, analytics: scripts.tags };
  return purposes.filter((purpose) => needed[purpose] !== null);
}

/** Spec §7: asks the visitor, where a third party is configured and they do not ask not to be tracked. Throws when what asks cannot be loaded. */
export async function askForConsent(config: BrowserConfig): Promise<void> {
  const needed = neededPurposes(config);
  if (needed.length === 0 || asksNotToBeTracked()) return;
  const parts = [
    import('vanilla-cookieconsent'),
    import('./consent-words'),
    import('vanilla-cookieconsent/dist/cookieconsent.css'),
    import('./consent-look.scss'),
  ] as const;
  const [{ run, acceptedCategory }, { consentWords }] = await Promise.all(parts);
  const take = () => {
    const granted = new Set(needed.filter((purpose) => acceptedCategory(purpose)));
    getDefaultStore().set(grantedAtom, granted);
    setIdentityConsent(granted.has('analytics'));
  };
  await run({
    cookie: { name: 'tipledger_consent', expiresAfterDays: config.consentDays, sameSite: 'Lax' },
    categories: {
      necessary: { enabled: true, readOnly: true },
      ...Object.fromEntries(needed.map((purpose) => [purpose, {}])),
    },
    guiOptions: {
      consentModal: { layout: 'box inline', position: 'bottom right', equalWeightButtons: true },
      preferencesModal: { equalWeightButtons: true },
    },
    language: { default: 'en', translations: { en: consentWords(needed) } },
    onConsent: take,
    onChange: take,
  });
  // What offers to choose again, by the library's attribute data-cc="show-preferencesModal", is shown by this mark.
  document.documentElement.dataset.consent = 'asked';
}

/** Calls the listener once, as soon as the visitor consents to the purpose; never when they do not. */
export function onConsent(purpose: ConsentPurpose, listener: () => void): void {
  const store = getDefaultStore();
  let stop: () => void = () => undefined;
  const check = () => {
    if (!store.get(grantedAtom).has(purpose)) return;
    stop();
    listener();
  };
  stop = store.sub(grantedAtom, check);
  check();
}

/** The one way in for a third party's script: rejects without consent to its purpose, and when the script cannot be loaded or is blocked. */
export function loadThirdParty(address: string, purpose: ConsentPurpose): Promise<void> {
  if (!getDefaultStore().get(grantedAtom).has(purpose))
    return Promise.reject(new Error(`There is no consent to ${purpose}: ask for it first.`));
  const known = loading.get(address);
  if (known) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () =>
      reject(new Error(`The script ${new URL(address).origin} could not be loaded, or is blocked.`));
    document.head.append(script);
  });
  loading.set(address, loaded);
  return loaded;
}
