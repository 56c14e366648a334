import { waitFor } from '@testing-library/react';
import type { BrowserConfig } from '@/components/state/browser-config';
import { neededPurposes } from '@/components/state/consent';

const none: BrowserConfig = {
  scripts: { ads: null, adQuality: null, tags: null, affiliate: null },
  affiliateDays: 30,
  consentDays: 182,
  debug: false,
};
const all: BrowserConfig = {
  ...none,
  scripts: {
    ads: 'https://ads.example/a.js',
    adQuality: 'https://quality.example/q.js',
    tags: 'https://tags.example/t.js',
    affiliate: 'https://partner.example/p.js',
  },
};

const scripts = () => [...document.querySelectorAll<HTMLScriptElement>('head script[src]')];
const scriptOf = (origin: string) => scripts().find(({ src }) => src.startsWith(origin));
const origins = () => scripts().map(({ src }) => new URL(src).origin);
const doNotTrack = (value: string | null) =>
  Object.defineProperty(navigator, 'doNotTrack', { configurable: true, value });

/** The parts as a visit begins with them, started as start-up does. */
async function visit(config: BrowserConfig) {
  jest.resetModules();
  // What libraries remember of a document; a visit is another one.
  for (const name of ['_ccRun', '__JOTAI_DEFAULT_STORE__']) Reflect.deleteProperty(globalThis, name);
  const [{ getDefaultStore }, consent, ads, { startTags }, viewer] = await Promise.all([
    import('jotai'),
    import('@/components/state/consent'),
    import('@/components/state/ads'),
    import('@/components/state/analytics-tags'),
    import('@/components/state/viewer'),
  ]);
  ads.startAds(config);
  ads.startAffiliateScript(config);
  startTags(config);
  await consent.askForConsent(config);
  viewer.showGuest();
  const cookieConsent = await import('vanilla-cookieconsent');
  return { cookieConsent, ads, shown: () => getDefaultStore().get(ads.adsShownAtom) };
}

const banner = () => document.querySelector('#cc-main');

beforeEach(() => {
  doNotTrack(null);
  document.cookie = 'tipledger_consent=; max-age=0; path=/';
  document.cookie = 'tipledger_consent=; max-age=0; path=/; domain=localhost';
  banner()?.remove();
  for (const script of scripts()) script.remove();
  document.documentElement.removeAttribute('data-ads');
});

it('is needed for what is configured alone', () => {
  const only = (scripts: Partial<BrowserConfig['scripts']>): BrowserConfig => ({
    ...none,
    scripts: { ...none.scripts, ...scripts },
  });
  expect(
    [none, only({ ads: 'https://a' }), only({ affiliate: 'https://a' }), only({ tags: 'https://a' }), all].map(
      neededPurposes,
    ),
  ).toEqual([[], ['ads'], ['ads'], ['analytics'], ['ads', 'analytics']]);
});

it('is asked by nobody, and nothing is loaded, without a third party', async () => {
  await visit(none);
  expect([banner(), origins(), document.documentElement.dataset.ads]).toEqual([null, [], undefined]);
});

it('is asked first: nothing of a third party is loaded before', async () => {
  const { shown } = await visit(all);
  expect(banner()).not.toBeNull();
  expect([origins(), shown(), document.documentElement.dataset.ads]).toEqual([[], false, 'off']);
});

it('is denied by Do Not Track without a question', async () => {
  doNotTrack('1');
  const { shown } = await visit(all);
  expect([banner(), origins(), shown()]).toEqual([null, [], false]);
});

it('that is refused leaves everything out', async () => {
  const { cookieConsent } = await visit(all);
  cookieConsent.acceptCategory([]);
  expect(origins()).toEqual([]);
});

it('to counting loads the tag manager alone, and hands it the events that follow', async () => {
  const { cookieConsent } = await visit(all);
  cookieConsent.acceptCategory(['analytics']);
  await waitFor(() => expect(origins()).toEqual(['https://tags.example']));
  const { track } = await import('@/components/state/analytics');
  track({ name: 'click', label: 'share-tip' });
  expect(window.dataLayer?.at(-1)).toMatchObject({ event: 'click', label: 'share-tip', page_url: '/', user_id: null });
});

it('to advertising loads its scripts one after the other and opens the slots', async () => {
  const { cookieConsent, shown } = await visit(all);
  cookieConsent.acceptCategory(['ads']);
  await waitFor(() => expect(origins().toSorted()).toEqual(['https://partner.example', 'https://quality.example']));
  scriptOf('https://quality.example')?.dispatchEvent(new Event('load'));
  await waitFor(() => expect(origins()).toContain('https://ads.example'));
  expect([shown(), document.documentElement.dataset.ads]).toEqual([true, 'on']);
});

it('that was given before holds at the next visit', async () => {
  (await visit(all)).cookieConsent.acceptCategory(['ads']);
  for (const script of scripts()) script.remove();
  banner()?.remove();
  await visit(all);
  await waitFor(() => expect(origins()).toContain('https://quality.example'));
});

it('does not bring advertising back where its script is blocked', async () => {
  const { cookieConsent, shown } = await visit(all);
  cookieConsent.acceptCategory(['ads']);
  await waitFor(() => expect(scriptOf('https://quality.example')).toBeDefined());
  scriptOf('https://quality.example')?.dispatchEvent(new Event('error'));
  await waitFor(() => expect([shown(), document.documentElement.dataset.ads]).toEqual([false, 'off']));
});

it('logs a referral script that could not be loaded, and shows advertising all the same', async () => {
  const { cookieConsent, shown } = await visit(all);
  const logged: unknown[] = [];
  const { addSink } = await import('@/components/state/analytics');
  addSink(({ name, label }) => logged.push([name, label]));
  cookieConsent.acceptCategory(['ads']);
  await waitFor(() => expect(scriptOf('https://partner.example')).toBeDefined());
  scriptOf('https://partner.example')?.dispatchEvent(new Event('error'));
  await waitFor(() =>
    expect(logged).toContainEqual([
      expect.stringMatching(/_browser_error$/),
      'Error: The script https://partner.example could not be loaded, or is blocked.',
    ]),
  );
  expect(shown()).toBe(true);
});
