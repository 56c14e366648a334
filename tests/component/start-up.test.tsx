import { getDefaultStore } from 'jotai';
import type { BrowserConfig } from '@/components/state/browser-config';

const config: BrowserConfig = {
  scripts: { ads: null, adQuality: null, tags: null, affiliate: null },
  affiliateDays: 30,
  consentDays: 182,
  debug: false,
};

const steps: string[] = [];
Object.assign(performance, { getEntriesByType: () => [] });
const note = (step: string) => () => void steps.push(step);

jest.mock('@/components/state/preferences', () => ({
  ...jest.requireActual<object>('@/components/state/preferences'),
  loadPreferences: async () => note('storage')(),
}));
jest.mock('@/components/state/affiliate', () => ({
  keepAddressParameters: async (search: string, days: number) => note(`address ${search} ${days}`)(),
}));
jest.mock('@/components/state/session', () => ({
  startSession: async () => note('auth')(),
  pageChanged: async () => note('session checked')(),
}));
jest.mock('@/components/start/installed-app', () => ({ startInstalledApp: note('app') }));
jest.mock('@/components/state/browser-log', () => ({
  startErrorLog: note('config'),
  watchServerErrors: note('analytics'),
  logError: note('error'),
  debugLog: note('debug'),
}));
jest.mock('@/components/state/analytics', () => ({
  ...jest.requireActual<object>('@/components/state/analytics'),
  track: ({ name }: { name: string }) => note(name)(),
}));

it('goes in the order of the specification, and is ready although nobody knows yet who the user is', async () => {
  const { initialisedAtom, showsPage, startUp } = await import('@/components/start/start-up');
  const store = getDefaultStore();
  store.sub(initialisedAtom, note('ready'));
  history.replaceState(null, '', '/football?ref-a=ann');
  await Promise.all([startUp(config), startUp(config)]);
  expect(steps).toEqual(['storage', 'address ?ref-a=ann 30', 'config', 'auth', 'ready', 'app', 'analytics']);
  expect([store.get(initialisedAtom), document.documentElement.dataset.ready]).toEqual([true, '']);

  steps.length = 0;
  for (const path of ['/football', '/football', '/tennis']) showsPage(path);
  expect(steps).toEqual(['page_view', 'page_view', 'session checked']);
});
